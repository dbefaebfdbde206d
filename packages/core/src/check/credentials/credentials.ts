import type { Finding } from "../../decision/finding.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Check } from "../check.ts";
import { judgeCredentials } from "./findSecretsIn.ts";

/**
 * Secrets in what an agent is about to send are blocked; in what it was sent they go to a person, before they reach a
 * model. Advice says nothing of secrets: its dialects have rules of their own.
 */
export const credentials: Check = {
  name: "credentials",
  needs: () => [],
  judge({ action, material }, { origin }) {
    if (origin !== "operator") return [];
    const findings: Finding[] = [];
    if (action !== undefined) {
      const { amount, ...rest } = action;
      const searched = amount === undefined ? rest : { ...rest, amount: { currency: amount.currency } };
      findings.push(...judgeCredentials(searched as unknown as JsonValue, "/action"));
    }
    if (material === undefined) return findings;
    const { texts = [], ...rest } = material;
    findings.push(...judgeCredentials(rest as unknown as JsonValue, "/material"));
    for (const [index, { surface, text }] of texts.entries()) {
      const sent = surface === "outgoing" || surface === "tool_calls";
      for (const found of judgeCredentials(text, `/material/texts/${index}/text`)) {
        findings.push(sent ? found : { ...found, severity: "review" });
      }
    }
    return findings;
  },
};
