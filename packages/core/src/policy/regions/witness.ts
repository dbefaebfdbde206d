import { type Action, KINDS } from "../../action/action.ts";
import { compareDecimals, type Decimal, formatDecimal, parseDecimal } from "../../money/decimal.ts";
import type { Money } from "../../money/money.ts";
import type { AmountRange, NameSet, Region, TargetClass } from "./region.ts";
import { targetIn } from "./targetIn.ts";

/** What is left of a region once targets that nothing can have are left out. */
export interface Peopled {
  /** Null when no action is in it. */
  readonly settled: { readonly region: Region; readonly witness: Action } | null;
  /** Whether there is a class of targets of which could not be told if it is empty. It is left out of the region. */
  readonly open: boolean;
}

/** The plainest action of a region, and what is left of the region without targets that do not exist. */
export function peopled(region: Region): Peopled {
  const classes: TargetClass[] = [];
  const targets: string[] = [];
  let open = false;
  for (const one of region.targets) {
    const found = targetIn(one);
    if (found === "unknown") open = true;
    if (typeof found === "string") continue;
    classes.push(one);
    targets.push(found.target);
  }
  const witness = witnessOf(region, shortest(targets));
  return { open, settled: witness === null ? null : { region: { ...region, targets: classes }, witness } };
}

function witnessOf(region: Region, target: string | undefined): Action | null {
  const [kind] = KINDS.filter((one) => region.kinds.includes(one));
  const amount = amountIn(region.amounts);
  if (kind === undefined || target === undefined || amount === null) return null;
  const counterparty = "only" in region.counterparties ? shortest(region.counterparties.only) : undefined;
  return {
    kind,
    verb: verbIn(region.verbs),
    target,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(amount === undefined ? {} : { amount }),
  };
}

const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

const shortest = (texts: readonly string[]): string | undefined => [...texts].sort(byLength)[0];

function verbIn(names: NameSet): string {
  if ("only" in names) return shortest(names.only) ?? "";
  const taken = new Set(names.not);
  for (let number = 0; ; number += 1) {
    const verb = number === 0 ? "x" : `x${number}`;
    if (!taken.has(verb)) return verb;
  }
}

/** Undefined: no amount is needed. Null: none is that large. */
function amountIn(ranges: Region["amounts"]): Money | undefined | null {
  if (ranges === null || ranges.some((range) => "otherThan" in range)) return undefined;
  const found = ranges.flatMap((range) => ("otherThan" in range ? [] : (plainestIn(range) ?? [])));
  const [plainest] = found.sort((a, b) => byLength(formatDecimal(a.amount), formatDecimal(b.amount)));
  return plainest ?? null;
}

/** One where it fits, else the amount with the fewest digits behind the point that does. */
function plainestIn({ currency, above, upTo }: Exclude<AmountRange, { otherThan: unknown }>): Money | undefined {
  const fits = (amount: Decimal): boolean =>
    (above === null || compareDecimals(amount, above) > 0) && (upTo === null || compareDecimals(amount, upTo) <= 0);
  const candidates = above === null ? ["1"] : justAbove(above);
  for (const text of candidates) {
    const read = parseDecimal(text);
    if (read.ok && fits(read.value)) return { amount: read.value, currency };
  }
  return upTo === null ? undefined : { amount: upTo, currency };
}

/** The next number with no digit behind the point, with one, with two, … */
function justAbove({ coefficient, scale }: Decimal): readonly string[] {
  return Array.from({ length: scale + 1 }, (_, digits) => {
    const next = coefficient / 10n ** BigInt(scale - digits) + 1n;
    const text = next.toString().padStart(digits + 1, "0");
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  });
}
