import type { Kind } from "../../action/action.ts";
import { coversKind } from "../../check/mandate/firstFailed.ts";
import { prefixSpellings } from "../../check/mandate/prefixSpellings.ts";
import { counterpartyKey, verbKey } from "../../check/mandate/subject.ts";
import { stricter } from "../../decision/compose.ts";
import type { Verdict } from "../../decision/finding.ts";
import { formatMoney, type Money } from "../../money/money.ts";
import type { Instant } from "../../time/instant.ts";
import type { EffectivePolicy } from "../effective.ts";
import type { Clause, Mandate } from "../mandate.ts";
import { hasEnded } from "../until.ts";

/** One clause for one kind, in the spellings it is compared with. Undefined: says nothing of it. */
export interface Rule {
  readonly place: number;
  /** Of the clause, after `requires_human`. */
  readonly effect: Verdict;
  readonly verbs: readonly string[] | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly parties: readonly string[] | undefined;
  readonly ceiling: Money | undefined;
  /** Equal for rules that say the same. */
  readonly content: number;
}

/** What a mandate can still say: its rules in order, the first that matches decides, and what holds where none does. */
export interface Voice {
  readonly rules: readonly Rule[];
  readonly otherwise: Verdict;
  /** Bounds of what it can say. */
  readonly laxest: Verdict;
  readonly strictest: Verdict;
}

/** What all mandates of a policy can still say together: the strictest stands, and it is at least `floor`. */
export interface Side {
  readonly floor: Verdict;
  readonly voices: readonly Voice[];
}

/** Numbers rules by what they say. Sides are comparable when they were made with one of these. */
export class Contents {
  readonly #numbers = new Map<string, number>();

  of(rule: Omit<Rule, "place" | "content">): number {
    const ceiling = rule.ceiling === undefined ? null : formatMoney(rule.ceiling);
    const text = JSON.stringify([rule.effect, rule.verbs, rule.prefixes, rule.parties, ceiling], (_, value) =>
      value === undefined ? null : value,
    );
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** A policy as it judges one kind at one moment. Without a mandate, or past the end of a document, nothing passes. */
export function sideOf(policy: EffectivePolicy, kind: Kind, now: Instant, contents: Contents): Side {
  const ended = policy.expiries.some(({ until }) => hasEnded(until, now));
  if (policy.mandates.length === 0 || ended) return { floor: "block", voices: [] };
  return sideOfVoices(policy.mandates.map(({ mandate }) => voiceOf(mandate, kind, now, contents)));
}

function voiceOf(mandate: Mandate, kind: Kind, now: Instant, contents: Contents): Voice {
  if (mandate.expires !== undefined && hasEnded(mandate.expires, now)) return settled([], "block", isBare);
  const lifted = mandate.requiresHuman.includes(kind);
  const rules = mandate.clauses.flatMap((clause, place) =>
    coversKind(clause, kind) ? [ruleOf(clause, place, lifted, mandate, contents)] : [],
  );
  return settled(rules, mandate.otherwise, isBare);
}

function ruleOf({ effect, match }: Clause, place: number, lifted: boolean, mandate: Mandate, contents: Contents): Rule {
  const rule = {
    effect: lifted && effect === "allow" ? "review" : effect,
    verbs: match.verb && distinct(match.verb.map((verb) => verbKey(verb, mandate))),
    prefixes:
      match.targetPrefix && distinct(match.targetPrefix.flatMap((prefix) => prefixSpellings(prefix, effect, mandate))),
    parties: match.counterparty && distinct(match.counterparty.map((name) => counterpartyKey(name, mandate))),
    ceiling: match.maxAmount,
  } as const;
  return { ...rule, place, content: contents.of(rule) };
}

const distinct = (names: readonly string[]): readonly string[] => (names.length === 1 ? names : [...new Set(names)]);

const isBare = ({ verbs, prefixes, parties, ceiling }: Rule): boolean =>
  verbs === undefined && prefixes === undefined && parties === undefined && ceiling === undefined;

/**
 * Ends the rules at the first that holds whatever is still open, and leaves out those that say at the end what holds
 * without them.
 */
export function settled(rules: readonly Rule[], otherwise: Verdict, holdsAlways: (rule: Rule) => boolean): Voice {
  let length = 0;
  let last = otherwise;
  for (; length < rules.length; length += 1) {
    const rule = rules[length] as Rule;
    if (!holdsAlways(rule)) continue;
    last = rule.effect;
    break;
  }
  while (length > 0 && (rules[length - 1] as Rule).effect === last) length -= 1;
  let laxest = last;
  let strictest = last;
  for (let at = 0; at < length; at += 1) {
    const { effect } = rules[at] as Rule;
    if (LEVELS[effect] < LEVELS[laxest]) laxest = effect;
    if (LEVELS[effect] > LEVELS[strictest]) strictest = effect;
  }
  return { rules: length === rules.length ? rules : rules.slice(0, length), otherwise: last, laxest, strictest };
}

/** Leaves out the voices that cannot make anything stricter than it is. */
export function sideOfVoices(voices: readonly Voice[], least: Verdict = "allow"): Side {
  let floor = least;
  for (const { rules, otherwise } of voices) if (rules.length === 0) floor = stricter(floor, otherwise);
  const open = voices.filter((voice) => voice.rules.length > 0 && LEVELS[voice.strictest] > LEVELS[floor]);
  return { floor, voices: open };
}

const LEVELS = { allow: 0, review: 1, block: 2 } as const satisfies Record<Verdict, number>;

/** The verdict that every action left gets; undefined while they may differ. */
export function verdictOf(side: Side): Verdict | undefined {
  const [least, most] = boundsOf(side);
  return least === most ? least : undefined;
}

/** Whether some action left may get this verdict. Never wrongly false. */
export function mayGive(side: Side, verdict: Verdict): boolean {
  const [least, most] = boundsOf(side);
  return LEVELS[least] <= LEVELS[verdict] && LEVELS[verdict] <= LEVELS[most];
}

function boundsOf({ floor, voices }: Side): readonly [Verdict, Verdict] {
  let [least, most] = [floor, floor];
  for (const { laxest, strictest } of voices) [least, most] = [stricter(least, laxest), stricter(most, strictest)];
  return [least, most];
}

/** Whether both say the same of everything left, since they say it in the same words. */
export const sameSide = (a: Side, b: Side): boolean =>
  a.floor === b.floor &&
  a.voices.length === b.voices.length &&
  a.voices.every((voice, at) => sameVoice(voice, b.voices[at] as Voice));

const sameVoice = (a: Voice, b: Voice): boolean =>
  a.otherwise === b.otherwise &&
  a.rules.length === b.rules.length &&
  a.rules.every(({ content }, at) => content === b.rules[at]?.content);

/** Two equal texts stand for sides between which nothing tells. */
export const sideText = ({ floor, voices }: Side): string =>
  `${floor} ${voices.map(({ rules, otherwise }) => `${rules.map(({ content }) => content).join(" ")};${otherwise}`).join("|")}`;
