import type { Ask } from "../../action/action.ts";
import type { Finding } from "../../decision/finding.ts";
import type { EffectivePolicy } from "../../policy/effective.ts";
import type { Check } from "../check.ts";
import { bareHost, judgeUrl, type UrlJudgement } from "./judgeUrl.ts";
import { addressesOf, judgeAddresses } from "./resolvedHost.ts";
import { DEFAULT_URL_POLICY, type UrlPolicy } from "./urlPolicy.ts";

interface Placed {
  readonly path: string;
  readonly judgement: UrlJudgement;
}

/**
 * Every URL in the material is judged, under the shipped rules where the operator wrote none; where there are written
 * rules, so is the target of a network action. If the rules ask for it, names are looked up, every answer is judged, and
 * an advisory finding names the addresses that a connection may be made to.
 */
export const urls: Check = {
  name: "url",
  needs: (ask, policy) =>
    placed(ask, policy).flatMap(({ judgement }) => (isToResolve(judgement, rulesOf(policy)) ? [keyOf(judgement)] : [])),
  judge(ask, policy, facts) {
    const rules = rulesOf(policy);
    return placed(ask, policy).flatMap(({ path, judgement }) => {
      const findings: Finding[] = judgement.findings.map((finding) => ({ ...finding, path }));
      if (!isToResolve(judgement, rules)) return findings;
      const addresses = judgeAddresses(facts.get(keyOf(judgement)), rules);
      findings.push(...addresses.findings.map((finding) => ({ ...finding, path })));
      if (addresses.pinned.length > 0) findings.push(pins(addresses.pinned, path));
      return findings;
    });
  },
};

const rulesOf = (policy: EffectivePolicy): UrlPolicy => policy.network ?? DEFAULT_URL_POLICY;

function placed({ action, material }: Ask, policy: EffectivePolicy): readonly Placed[] {
  const rules = rulesOf(policy);
  const list = (material?.urls ?? []).map((url, index) => ({
    path: `/material/urls/${index}`,
    judgement: judgeUrl(url, rules),
  }));
  if (action?.kind !== "network" || policy.network === null) return list;
  return [...list, { path: "/action/target", judgement: judgeUrl(action.target, rules) }];
}

/** What is blocked already is not looked up: the question itself tells the name's owner that it was asked. */
const isToResolve = ({ verdict, url }: UrlJudgement, rules: UrlPolicy): boolean =>
  rules.resolution === "required" && verdict !== "block" && url?.hostKind === "name";

const keyOf = ({ url }: UrlJudgement) => addressesOf(url === null ? "" : bareHost(url));

const pins = (addresses: readonly string[], path: string): Finding => ({
  check: "url",
  code: "url.pinned",
  severity: "advisory",
  path,
  message: "a connection may be made to these addresses and no others",
  actual: addresses.join(" "),
  retry: "never",
});
