import type { Ask } from "../../action/action.ts";
import type { Finding } from "../../decision/finding.ts";
import type { FactKey, Facts } from "../../fact/fact.ts";
import { isObject, type JsonValue } from "../../json/value.ts";
import type { EffectivePolicy, Scope, SequenceRule } from "../../policy/effective.ts";
import { quoted } from "../../text/quoted.ts";
import type { Seconds } from "../../time/duration.ts";
import { addSeconds, compareInstants, type Instant, parseInstant } from "../../time/instant.ts";
import type { Check } from "../check.ts";
import { marksOf, matches } from "./marks.ts";

/** What the credential of this ask left behind: a list of `{mark, at}`, the times in RFC 3339. */
export const CREDENTIAL_MARKS: FactKey = { fact: "marks", of: "credential" };

/** Rules over what was done before, and over what this very ask has seen. */
export const sequence: Check = {
  name: "sequence",
  needs: ({ action }, { sequence: all }) => (action === undefined || all.length === 0 ? [] : [CREDENTIAL_MARKS]),
  judge(ask, policy, facts, now) {
    if (ask.action === undefined || policy.sequence.length === 0) return [];
    const at = "/action";
    const left = readMarks(facts, CREDENTIAL_MARKS);
    const seenNow = new Set(marksOf(ask, policy).ofTexts);
    return policy.sequence.flatMap(({ scope, rules }) =>
      rules.flatMap((rule): readonly Finding[] => {
        if (!matches(rule.match, ask.action)) return [];
        if (left === null) return [unknown(rule, scope, at)];
        const isSet = (mark: string) =>
          seenNow.has(mark) || left.some((one) => one.mark === mark && isWithin(one.at, rule.within, now));
        return rule.after.every(isSet) ? [found(rule, scope, at)] : [];
      }),
    );
  },
};

/** Marks that rules about this action ask for and that nothing has left yet: one of them could have stopped it. */
export function awaitedMarks(ask: Ask, policy: EffectivePolicy, facts: Facts, now: Instant): readonly string[] {
  if (ask.action === undefined || policy.sequence.length === 0) return [];
  const left = readMarks(facts, CREDENTIAL_MARKS) ?? [];
  const seenNow = new Set(marksOf(ask, policy).ofTexts);
  const about = policy.sequence.flatMap(({ rules }) => rules).filter((rule) => matches(rule.match, ask.action));
  const awaited = about.flatMap(({ after, within }) =>
    after.filter(
      (mark) => !seenNow.has(mark) && !left.some((one) => one.mark === mark && isWithin(one.at, within, now)),
    ),
  );
  return [...new Set(awaited)];
}

export interface LeftMark {
  readonly mark: string;
  readonly at: Instant;
}

/** The marks of a fact; null when they are not known. */
export function readMarks(facts: Facts, key: FactKey): readonly LeftMark[] | null {
  const fact = facts.get(key);
  if (fact.state === "unknown" || !Array.isArray(fact.value)) return null;
  const read = (fact.value as readonly JsonValue[]).map(readMark);
  return read.some((one) => one === null) ? null : read.filter((one) => one !== null);
}

function readMark(value: JsonValue): LeftMark | null {
  if (!isObject(value) || typeof value["mark"] !== "string") return null;
  const at = parseInstant(value["at"]);
  return at.ok ? { mark: value["mark"], at: at.value } : null;
}

/** Half-open, as rolling windows are: what is exactly as old as the window is out of it. */
export const isWithin = (at: Instant, window: Seconds, now: Instant): boolean =>
  compareInstants(addSeconds(at, window), now) > 0;

const found = ({ id, after, effect }: SequenceRule, scope: Scope, path: string): Finding => ({
  check: "sequence",
  code: effect === "block" ? "sequence.blocked" : "sequence.review",
  severity: effect,
  path,
  message: `rule ${quoted(id)} of ${quoted(scope)} does not let this come after what was done before`,
  actual: after.join(", "),
  retry: "later",
});

const unknown = ({ id }: SequenceRule, scope: Scope, path: string): Finding => ({
  check: "sequence",
  code: "sequence.unknown",
  severity: "block",
  path,
  message: `what was done before is not known, and rule ${quoted(id)} of ${quoted(scope)} asks for it`,
  retry: "later",
});
