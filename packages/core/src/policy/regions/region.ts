import type { Action, Kind } from "../../action/action.ts";
import { partyKey } from "../../action/partyKey.ts";
import { compareDecimals, type Decimal } from "../../money/decimal.ts";

/** Some names, or all but some. */
export type NameSet = { readonly only: readonly string[] } | { readonly not: readonly string[] };

/** Targets in normal form that begin with `under` and with none of `except`, each of which extends it. */
export interface TargetClass {
  readonly under: string;
  readonly except: readonly string[];
}

/**
 * Amounts of one currency above one bound (null: from zero on) up to another (null: without end), or no amount at all
 * and every amount of a currency that is not named.
 */
export type AmountRange =
  | { readonly currency: string; readonly above: Decimal | null; readonly upTo: Decimal | null }
  | { readonly otherThan: readonly string[] };

/** Actions that no clause tells apart: every combination of what is listed. Names of nobody stand for "none given" too. */
export interface Region {
  readonly kinds: readonly Kind[];
  readonly verbs: NameSet;
  readonly targets: readonly TargetClass[];
  readonly counterparties: NameSet;
  /** Null: any amount or none. */
  readonly amounts: readonly AmountRange[] | null;
}

export const ANY_NAME: NameSet = { not: [] };
export const ANY_TARGET: TargetClass = { under: "", except: [] };

/** Whether an action, its target in normal form, lies in the region. */
export function inRegion(region: Region, action: Action): boolean {
  return (
    region.kinds.includes(action.kind) &&
    hasName(region.verbs, action.verb) &&
    region.targets.some((targets) => inClass(targets, action.target)) &&
    hasName(region.counterparties, action.counterparty === undefined ? undefined : partyKey(action.counterparty)) &&
    (region.amounts === null || region.amounts.some((range) => inRange(range, action.amount)))
  );
}

const hasName = (names: NameSet, name: string | undefined): boolean =>
  "only" in names ? name !== undefined && names.only.includes(name) : name === undefined || !names.not.includes(name);

export const inClass = ({ under, except }: TargetClass, target: string): boolean =>
  target.startsWith(under) && !except.some((prefix) => target.startsWith(prefix));

function inRange(range: AmountRange, amount: Action["amount"]): boolean {
  if ("otherThan" in range) return amount === undefined || !range.otherThan.includes(amount.currency);
  if (amount === undefined || amount.currency !== range.currency) return false;
  if (range.above !== null && compareDecimals(amount.amount, range.above) <= 0) return false;
  return range.upTo === null || compareDecimals(amount.amount, range.upTo) <= 0;
}
