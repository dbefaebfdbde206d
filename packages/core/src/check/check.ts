import type { Ask } from "../action/action.ts";
import type { Finding } from "../decision/finding.ts";
import type { FactKey, Facts } from "../fact/fact.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import type { Instant } from "../time/instant.ts";

/** A pure judgement of ask, policy and facts. It names the facts it needs; gathering them belongs to the gate. */
export interface Check {
  readonly name: string;
  needs(ask: Ask, policy: EffectivePolicy, now: Instant): readonly FactKey[];
  judge(ask: Ask, policy: EffectivePolicy, facts: Facts, now: Instant): readonly Finding[];
}
