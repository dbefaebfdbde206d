import type { Action, Ask } from "../action/action.ts";
import { firstFailed } from "../check/mandate/firstFailed.ts";
import { subjectOf } from "../check/mandate/subject.ts";
import { budgetsOf, headroomOf } from "../check/spend.ts";
import type { Facts } from "../fact/fact.ts";
import { compareDecimals, type Decimal, formatDecimal, zero } from "../money/decimal.ts";
import type { Money } from "../money/money.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import { folded } from "../policy/fold.ts";
import { quoted } from "../text/quoted.ts";
import type { Instant } from "../time/instant.ts";
import { decide } from "./decide.ts";
import type { Decided } from "./decision.ts";
import type { Finding } from "./finding.ts";
import { boundedClauses, otherSpelling, remedyIndexOf } from "./remedyIndex.ts";

export interface RemedyChange {
  /** JSON Pointer into the ask. */
  readonly path: string;
  readonly value: string;
}

/** The smallest change found that would pass, proven by deciding again with the same facts at the same time. */
export interface Remedy {
  /** For people and models: `amount at most 42.10 USD`. */
  readonly text: string;
  readonly changes: readonly RemedyChange[];
  /** What the changed ask gets. `review`: a person would have to look, where now nobody can let it pass. */
  readonly verdict: "allow" | "review";
}

/** Deciding costs as much as the ask did. */
export const MOST_TRIES = 8;

/**
 * Looks for another spelling or a lower amount that would pass. Null when none is found, when more than mandates and
 * limits on money stand against the ask, and always past a detector: nobody is told how to get a text or a secret through.
 * Names figures of the agent's own budgets only; what others have spent is not told by how much is left.
 */
export function remedyFor(
  ask: Ask,
  policy: EffectivePolicy,
  facts: Facts,
  now: Instant,
  { verdict, findings }: Decided,
): Remedy | null {
  const { action, material } = ask;
  if (verdict === "allow" || action === undefined || !findings.every(canBeRemedied)) return null;
  // What would be signed says by itself what it moves: an action beside it cannot be changed alone.
  if (material?.calldata !== undefined || material?.typed_data !== undefined) return null;
  let tries = 0;
  let second: Remedy | null = null;
  for (const edited of attempts(ask, action, policy, facts, now)) {
    if (tries === MOST_TRIES) break;
    tries += 1;
    const again = decide({ ...ask, action: edited }, policy, facts, now);
    if (again.kind === "fault" || again.verdict === "block") continue;
    if (again.verdict === "review" && (verdict === "review" || second !== null)) continue;
    const remedy = described(action, edited, again.verdict);
    if (again.verdict === "allow") return remedy;
    second = remedy;
  }
  return second;
}

/** The checks that a change of spelling or amount can satisfy. */
const REMEDIED: readonly string[] = ["mandate", "spend", "basis"];

const canBeRemedied = ({ severity, check }: Finding): boolean => severity === "advisory" || REMEDIED.includes(check);

/** Changed actions worth deciding, the smallest changes first. */
function* attempts(ask: Ask, action: Action, policy: EffectivePolicy, facts: Facts, now: Instant): Iterable<Action> {
  const spellings = respelled(action, policy);
  const together = spellings.length > 1 ? [Object.assign({}, ...spellings)] : [];
  for (const change of [{}, ...spellings, ...together]) {
    const edited: Action = { ...action, ...change };
    if (Object.keys(change).length > 0) yield edited;
    for (const amount of lowerAmounts({ ...ask, action: edited }, policy, facts, now)) yield { ...edited, amount };
  }
}

/** Names as the clauses spell them, where only letter case or Unicode form differs, and the target in normal form. */
function respelled(action: Action, { mandates, spend }: EffectivePolicy): readonly Partial<Action>[] {
  const indexes = mandates.map(({ mandate }) => remedyIndexOf(mandate));
  const changes: Partial<Action>[] = [];
  const verb = firstOf(indexes, ({ verbs }) => otherSpelling(verbs, action.verb));
  if (verb !== undefined) changes.push({ verb });
  const [first] = mandates;
  const subject = first === undefined ? undefined : subjectOf(action, first.mandate);
  if (subject?.ok && subject.value.other !== subject.value.written) changes.push({ target: subject.value.other });
  const party = action.counterparty;
  if (party !== undefined) {
    const allowed = spend.flatMap(({ counterparties }) => ("only" in counterparties ? counterparties.only : []));
    const meant =
      firstOf(indexes, ({ parties }) => otherSpelling(parties, party)) ??
      allowed.find((name) => name !== party && folded(name) === folded(party));
    if (meant !== undefined) changes.push({ counterparty: meant });
  }
  return changes;
}

function firstOf<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Limits below the amount in hand, the highest first: of clauses that would match, of ceilings, of the agent's own budgets. */
function lowerAmounts(ask: Ask, policy: EffectivePolicy, facts: Facts, now: Instant): readonly Money[] {
  const amount = ask.action?.amount;
  if (amount === undefined) return [];
  const { currency } = amount;
  const ceilings = policy.spend.flatMap((rules) => rules.ceilings.filter(({ max }) => max.currency === currency));
  const left = budgetsOf(ask, policy, now)
    .filter(({ budget }) => budget.per === "agent")
    .flatMap((instance) => headroomOf(instance, facts) ?? []);
  const limits = [...ceilings.map(({ max }) => max.amount), ...left];
  // Nothing above the lowest of them passes.
  const cap = lowest([...limits, amount.amount]);
  const tiers = tiersAbove(ask.action as Action, policy).filter((tier) => compareDecimals(tier, cap) <= 0);
  return distinctFalling([cap, ...tiers])
    .filter((one) => compareDecimals(one, amount.amount) < 0 && compareDecimals(one, zero) > 0)
    .map((one) => ({ amount: one, currency }));
}

/** Ceilings of clauses that the action fails for nothing but its amount. */
const tiersAbove = (action: Action, { mandates }: EffectivePolicy): readonly Decimal[] =>
  mandates.flatMap(({ mandate }) => {
    const subject = subjectOf(action, mandate);
    if (!subject.ok) return [];
    return boundedClauses(remedyIndexOf(mandate), subject.value).flatMap((clause) => {
      const { maxAmount } = clause.match;
      const isTooLow = maxAmount !== undefined && firstFailed(clause, subject.value, mandate) === "ceiling";
      return isTooLow ? [maxAmount.amount] : [];
    });
  });

const lowest = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((least, one) => (compareDecimals(one, least) < 0 ? one : least));

function distinctFalling(amounts: readonly Decimal[]): readonly Decimal[] {
  const falling = [...amounts].sort((a, b) => compareDecimals(b, a));
  return falling.filter((one, at) => at === 0 || compareDecimals(one, falling[at - 1] as Decimal) !== 0);
}

function described(before: Action, after: Action, verdict: Remedy["verdict"]): Remedy {
  const changes: RemedyChange[] = [];
  const words: string[] = [];
  for (const name of ["verb", "target", "counterparty"] as const) {
    const value = after[name];
    if (value === undefined || value === before[name]) continue;
    changes.push({ path: `/action/${name}`, value });
    words.push(`${name} ${quoted(value)}`);
  }
  if (after.amount !== undefined && after.amount !== before.amount) {
    const value = formatDecimal(after.amount.amount);
    changes.push({ path: "/action/amount/value", value });
    words.push(`amount at most ${value} ${after.amount.currency}`);
  }
  return { text: words.join(", "), changes, verdict };
}
