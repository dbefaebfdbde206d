import { stricter } from "../../decision/compose.ts";
import type { Verdict } from "../../decision/finding.ts";
import { compareDecimals, type Decimal } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import type { WorkBudget } from "./budget.ts";
import type { AmountRange } from "./region.ts";
import type { Rule, Side, Voice } from "./voices.ts";

/** Amounts for which all policies say the same. */
export interface AmountGroup {
  readonly amounts: readonly AmountRange[] | null;
  readonly verdicts: readonly Verdict[];
}

/**
 * The last split: nothing but ceilings is open. Between two neighbouring ceilings of one currency nothing changes, and
 * where no ceiling holds (no amount, another currency, above all) every voice says what it says without them.
 */
export function amountGroups(
  sides: readonly Side[],
  wanted: Money | null | undefined,
  budget: WorkBudget,
): readonly AmountGroup[] {
  if (wanted !== undefined) return [atOneAmount(sides, wanted)];
  const said = sides.flatMap(({ voices }) => voices);
  const limits = said.flatMap((voice) => voice.rules.map((rule) => ({ voice, rule, ceiling: rule.ceiling as Money })));
  budget.work(WORK_A_LIMIT * limits.length);
  const currencies = [...new Set(limits.map(({ ceiling }) => ceiling.currency))].sort();
  const groups = new Groups();
  const others = verdictsOf(sides, ({ otherwise }) => otherwise);
  for (const currency of currencies) {
    const falling = limits
      .filter(({ ceiling }) => ceiling.currency === currency)
      .sort((a, b) => compareDecimals(b.ceiling.amount, a.ceiling.amount));
    groups.add(others, { currency, above: (falling[0] as Limit).ceiling.amount, upTo: null });
    const first = new Map<Voice, Rule>();
    for (const [at, { voice, rule, ceiling }] of falling.entries()) {
      const known = first.get(voice);
      if (known === undefined || rule.place < known.place) first.set(voice, rule);
      const below = falling[at + 1]?.ceiling.amount;
      if (below !== undefined && compareDecimals(below, ceiling.amount) === 0) continue;
      const verdicts = verdictsOf(sides, (one) => first.get(one)?.effect ?? one.otherwise);
      groups.add(verdicts, { currency, above: below ?? null, upTo: ceiling.amount });
    }
  }
  groups.add(others, { otherThan: currencies });
  return groups.all();
}

/** A rule of which nothing but its ceiling is open. */
interface Limit {
  readonly voice: Voice;
  readonly rule: Rule;
  readonly ceiling: Money;
}

/** Sorted by exact decimals. */
const WORK_A_LIMIT = 10;

/** Which amount it is, whoever asked for it knows. */
function atOneAmount(sides: readonly Side[], wanted: Money | null): AmountGroup {
  const holds = ({ ceiling }: Rule) =>
    ceiling === undefined ||
    (wanted !== null && ceiling.currency === wanted.currency && compareDecimals(wanted.amount, ceiling.amount) <= 0);
  const verdicts = verdictsOf(sides, ({ rules, otherwise }) => rules.find(holds)?.effect ?? otherwise);
  return { amounts: null, verdicts };
}

const verdictsOf = (sides: readonly Side[], said: (voice: Voice) => Verdict): readonly Verdict[] =>
  sides.map(({ floor, voices }) => voices.reduce((verdict, voice) => stricter(verdict, said(voice)), floor));

class Groups {
  readonly #groups = new Map<string, { readonly verdicts: readonly Verdict[]; readonly ranges: AmountRange[] }>();

  add(verdicts: readonly Verdict[], range: AmountRange): void {
    const key = verdicts.join(" ");
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { verdicts, ranges: [range] });
    else group.ranges.push(range);
  }

  all(): readonly AmountGroup[] {
    return [...this.#groups.values()].map(({ verdicts, ranges }) => ({ verdicts, amounts: joined(ranges) }));
  }
}

interface Bounds {
  readonly above: Decimal | null;
  readonly upTo: Decimal | null;
}

/** Neighbouring ranges as one; a currency of which every amount is meant needs no mention; null when all is meant. */
function joined(ranges: readonly AmountRange[]): readonly AmountRange[] | null {
  const byCurrency = new Map<string, Bounds[]>();
  let others: readonly string[] | undefined;
  for (const range of ranges) {
    if ("otherThan" in range) {
      others = range.otherThan;
      continue;
    }
    const parts = byCurrency.get(range.currency);
    if (parts === undefined) byCurrency.set(range.currency, [range]);
    else parts.push(range);
  }
  const kept: AmountRange[] = [];
  const whole = new Set<string>();
  for (const [currency, parts] of byCurrency) {
    const merged: { above: Decimal | null; upTo: Decimal | null }[] = [];
    for (const part of parts.sort((a, b) => order(a.above, b.above))) {
      const before = merged.at(-1);
      if (before?.upTo && part.above && compareDecimals(before.upTo, part.above) === 0) before.upTo = part.upTo;
      else merged.push({ above: part.above, upTo: part.upTo });
    }
    const [first] = merged;
    if (others !== undefined && merged.length === 1 && first?.above === null && first.upTo === null)
      whole.add(currency);
    else kept.push(...merged.map((part) => ({ currency, ...part })));
  }
  const named = others?.filter((currency) => !whole.has(currency));
  if (named?.length === 0 && kept.length === 0) return null;
  return named === undefined ? kept : [...kept, { otherThan: named }];
}

const order = (a: Decimal | null, b: Decimal | null): number =>
  a === null ? (b === null ? 0 : -1) : b === null ? 1 : compareDecimals(a, b);
