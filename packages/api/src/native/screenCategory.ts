import type { Signal, Surface, TextSource } from "@countersign/core";

/** What an attack on an agent is after, in the words that cards and their events use. */
export const SCREEN_CATEGORIES = [
  "prompt_injection",
  "indirect_injection",
  "social_engineering",
  "agent_spoofing",
  "hijack_attempt",
  "data_exfiltration",
  "privilege_escalation",
] as const;
export type ScreenCategory = (typeof SCREEN_CATEGORIES)[number];

/** By the family of a rule: the word before the point in its name. Every other family injects instructions. */
const BY_FAMILY: ReadonlyMap<string, ScreenCategory> = new Map<string, ScreenCategory>(
  Object.entries({
    urgent: "social_engineering",
    authority: "social_engineering",
    lure: "social_engineering",
    taunt: "social_engineering",
    promote: "social_engineering",
    message: "agent_spoofing",
    markup: "agent_spoofing",
    persona: "hijack_attempt",
    mode: "hijack_attempt",
    covert: "hijack_attempt",
    refuse: "hijack_attempt",
    exfiltrate: "data_exfiltration",
    reveal: "data_exfiltration",
    sensitive: "data_exfiltration",
    bypass: "privilege_escalation",
    grant: "privilege_escalation",
    unbound: "privilege_escalation",
  } as const),
);

/** The categories of what was found, in a fixed order. Instructions in what a user wrote are direct, all others are not. */
export function screenCategories(
  signals: readonly Pick<Signal, "rule">[],
  surface: Surface,
  source: TextSource | undefined,
): readonly ScreenCategory[] {
  const direct = source === "user" || (source === undefined && surface === "incoming");
  const injection = direct ? "prompt_injection" : "indirect_injection";
  const found = new Set(signals.map(({ rule }) => BY_FAMILY.get(rule.split(".")[0] ?? "") ?? injection));
  return SCREEN_CATEGORIES.filter((category) => found.has(category));
}
