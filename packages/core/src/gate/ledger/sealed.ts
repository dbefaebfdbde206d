import { encodeUtf8 } from "../../json/utf8.ts";
import { addDecimals, type Decimal, formatDecimal, zero } from "../../money/decimal.ts";
import { LONGEST_ROLLING } from "../../policy/section/spend.ts";
import { hmacSha256 } from "../../record/commitment.ts";
import { hex } from "../../record/hex.ts";
import { NONCE_LENGTH, openSealed, sealText } from "../../record/sealedText.ts";
import type { MoneyLine } from "../ports.ts";
import type { Millis } from "./change.ts";
import { getOrMake } from "./getOrMake.ts";
import { exact } from "./sums.ts";
import type { Work } from "./work.ts";

/**
 * Money of erased decisions counts on, so that no erasure frees a budget, and nobody who has the whole database can say
 * any more what was paid to whom: what it counts in is named and sealed under a secret that is kept elsewhere. Times are
 * those of quarters of an hour, at their end: so it counts at most that much longer, and no border of a calendar day is
 * crossed, in any zone. It goes when no window reaches back to it.
 */
const GRID: Millis = 15 * 60_000;

/** The longest window of a budget, and so the longest time that money counts. */
export const LONGEST_WINDOW: Millis = LONGEST_ROLLING * 1000;

/** A quarter of an hour, counted from 1970, and what was spent in it. */
type Entry = readonly [quarter: number, amount: string];

const isHere = (secret: Work["means"]["secret"]): secret is Uint8Array => secret !== null && secret !== "missing";

/** Whether what is sealed can be read and added to here. */
export const canSeal = ({ means }: Work): boolean => isHere(means.secret);

/** Asks for what is sealed of a series, where there can be something. */
export function wantSealed(series: string, work: Work): void {
  if (work.sealed && canSeal(work)) work.want("sealed", idOf(series, work));
}

/** Asks for the places of lines that are about to be sealed. */
export function wantSealing(lines: readonly MoneyLine[], work: Work): void {
  if (canSeal(work)) for (const { series } of lines) for (const name of series) work.want("sealed", idOf(name, work));
}

/** What erased decisions still count in a series. Money that cannot be read is not taken for none. */
export function sealedSince(series: string, from: Millis, work: Work): Decimal {
  if (!work.sealed) return zero;
  return entriesOf(series, work).reduce(
    (sum, [quarter, amount]) => (endOf(quarter) >= from ? addDecimals(sum, exact(amount)) : sum),
    zero,
  );
}

/** Money of one decision, at its time. */
export interface SpentLines {
  readonly lines: readonly MoneyLine[];
  readonly at: Millis;
}

/** Lets money count on, sealed: each series is opened and sealed once, however many decisions are erased together. */
export function sealSpent(all: readonly SpentLines[], work: Work): void {
  const added = new Map<string, Map<number, Decimal>>();
  for (const { lines, at } of all) {
    const quarter = Math.floor(at / GRID);
    for (const { amount, series } of lines) {
      for (const name of series) {
        const sums = getOrMake(added, name, () => new Map<number, Decimal>());
        sums.set(quarter, addDecimals(sums.get(quarter) ?? zero, exact(amount)));
      }
    }
  }
  for (const [name, sums] of added) {
    const kept = new Map(entriesOf(name, work).filter(([quarter]) => endOf(quarter) > work.now - LONGEST_WINDOW));
    for (const [quarter, amount] of sums)
      kept.set(quarter, formatDecimal(addDecimals(exact(kept.get(quarter) ?? "0"), amount)));
    const entries = [...kept].sort(([a], [b]) => a - b);
    const id = idOf(name, work);
    const { random, sha256 } = work.means;
    const text = sealText(JSON.stringify(entries), placeOf(id, work), secretOf(work), random(NONCE_LENGTH), sha256);
    work.put("sealed", { id, until: endOf(entries.at(-1)?.[0] ?? 0) + LONGEST_WINDOW, text });
  }
  if (added.size > 0) work.seal();
}

const endOf = (quarter: number): Millis => (quarter + 1) * GRID - 1;

function entriesOf(series: string, work: Work): readonly Entry[] {
  const id = idOf(series, work);
  const row = work.get("sealed", id);
  if (row === null) return [];
  const text = openSealed(row.text, placeOf(id, work), secretOf(work), work.means.sha256);
  if (text === undefined) throw new Error("what erased decisions count was changed, or is under another secret");
  return JSON.parse(text) as readonly Entry[];
}

const idOf = (series: string, work: Work): string =>
  hex(hmacSha256(secretOf(work), encodeUtf8(`counter\n${work.tenant}\n${series}`), work.means.sha256)).slice(0, 32);

const placeOf = (id: string, { tenant }: Work): string => `${tenant}\n${id}`;

function secretOf({ means: { secret } }: Work): Uint8Array {
  if (!isHere(secret)) throw new Error("the secret that this database is bound to is not here");
  return secret;
}
