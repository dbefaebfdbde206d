import type { Ask } from "../action/action.ts";
import type { Finding } from "../decision/finding.ts";
import type { FactKey } from "../fact/fact.ts";
import type { EffectivePolicy, Limits } from "../policy/effective.ts";
import { quoted } from "../text/quoted.ts";
import type { Seconds } from "../time/duration.ts";
import type { Check } from "./check.ts";

/** How often the agent asked within a window, this ask counted: a whole number. */
export const asksWithin = (agent: string, within: Seconds): FactKey => ({
  fact: "asks",
  of: JSON.stringify([agent, within]),
});

const windowsOf = ({ limits }: EffectivePolicy): ReadonlySet<Seconds> =>
  new Set(limits.flatMap(({ asks }) => asks.map(({ within }) => within)));

/** How much one agent may ask, and how large its asks may be. Exactly at a limit passes. */
export const limits: Check = {
  name: "limits",
  needs: ({ asker }, policy) => [...windowsOf(policy)].map((within) => asksWithin(asker.agent, within)),
  judge(ask, policy, facts) {
    return policy.limits.flatMap((rules) => [
      ...judgeSizes(ask, rules),
      ...rules.asks.flatMap(({ max, within }) => {
        const fact = facts.get(asksWithin(ask.asker.agent, within));
        if (fact.state === "unknown" || typeof fact.value !== "number") {
          return [found("limits.unknown", "", "how often this agent asked is not known", "later")];
        }
        if (fact.value <= max) return [];
        const message = `this agent asks more than ${max} times in ${within} s, which ${quoted(rules.scope)} allows`;
        return [found("limits.rate", "", message, "later")];
      }),
    ]);
  },
};

function judgeSizes({ action, material }: Ask, rules: Limits): readonly Finding[] {
  const findings: Finding[] = [];
  const judge = (what: string, path: string, size: number, most: number | undefined): void => {
    if (most === undefined || size <= most) return;
    const message = `${what} than ${most}, which ${quoted(rules.scope)} allows`;
    findings.push(found("limits.size", path, message, "changed"));
  };
  const texts = material?.texts ?? [];
  judge("there are more texts", "/material/texts", texts.length, rules.texts);
  for (const [index, { text }] of texts.entries()) {
    judge("a text is longer", `/material/texts/${index}/text`, text.length, rules.textLength);
  }
  judge("there are more URLs", "/material/urls", material?.urls?.length ?? 0, rules.urls);
  const parameters = action?.parameters === undefined ? 0 : JSON.stringify(action.parameters).length;
  judge("the parameters are longer", "/action/parameters", parameters, rules.parametersLength);
  return findings;
}

const found = (code: string, path: string, message: string, retry: Finding["retry"]): Finding => ({
  check: "limits",
  code,
  severity: "block",
  path,
  message,
  retry,
});
