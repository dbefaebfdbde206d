// From rows to a model: which windows of a row speak for its label is itself learned, in a few rounds.
import { MEANING_SLOTS } from "../../packages/core/dist/check/instructions/features.js";
import { lengthOf } from "../../packages/core/dist/check/instructions/judge.js";
import { regress, sequence, windowScore, written } from "./learn.mjs";

export const RECIPE = { rounds: 4, epochs: 3, rate: 0.1, decayMeaning: 1e-5, decayWord: 1e-3, innocentWindows: 8 };

/** Rows of a large source or family count less each, so that none drowns the others; attacks and innocent rows weigh the same in all. */
function rowWeights(rows, chosen) {
  const kind = (row) => `${row.label} ${row.payload} ${row.family}`;
  const sizes = new Map();
  for (const i of chosen) sizes.set(kind(rows[i]), (sizes.get(kind(rows[i])) ?? 0) + 1);
  const sums = [0, 0];
  for (const i of chosen) sums[rows[i].label] += 1 / Math.sqrt(sizes.get(kind(rows[i])));
  return (i) => chosen.length / 2 / sums[rows[i].label] / Math.sqrt(sizes.get(kind(rows[i])));
}

/** An attack row is an attack because of one window or two: those in its payload that look most like one. */
function attackWindows(x, i, spanned, score) {
  let best = -1;
  let second = -1;
  let top = Number.NEGATIVE_INFINITY;
  for (let w = x.first[i]; w < x.first[i + 1]; w += 1) {
    if (spanned && (x.purity[w] < 0.25 || (x.inside[w] < 0.5 && x.purity[w] < 0.7))) continue;
    const value = score(w) + (spanned ? 2 * x.inside[w] * x.purity[w] : 0) + x.tokens[w] * 1e-3;
    if (value <= top) continue;
    top = value;
    second = best;
    best = w;
  }
  return [best, second].filter((w) => w >= 0);
}

/** An innocent row is innocent in every window: those that look worst teach most, and two at random keep the picture true. */
function innocentWindows(x, i, random, score) {
  const windows = Array.from({ length: x.first[i + 1] - x.first[i] }, (_, k) => x.first[i] + k);
  if (windows.length <= RECIPE.innocentWindows) return windows;
  const scored = windows.map((w) => [score(w), w]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const worst = scored.slice(0, RECIPE.innocentWindows - 2).map(([, w]) => w);
  return [...worst, windows[Math.floor(random() * windows.length)], windows[Math.floor(random() * windows.length)]];
}

/** Trains on the rows numbered in `chosen`. */
export function train(rows, x, chosen) {
  const weightOf = rowWeights(rows, chosen);
  const random = sequence(7);
  let model;
  for (let round = 0; round < RECIPE.rounds; round += 1) {
    const score = (w) => (model === undefined ? written(x, w) : windowScore(x, model, w));
    const examples = [];
    for (const i of chosen) {
      const row = rows[i];
      const windows =
        row.label === 1 ? attackWindows(x, i, row.span !== undefined, score) : innocentWindows(x, i, random, score);
      const shares =
        row.label === 1 ? (windows.length === 2 ? [0.7, 0.3] : [1]) : windows.map(() => 1 / Math.sqrt(windows.length));
      for (let k = 0; k < windows.length; k += 1)
        examples.push({ w: windows[k], y: row.label, weight: weightOf(i) * shares[k] });
    }
    model = regress(x, examples, { ...RECIPE, border: MEANING_SLOTS, seed: round + 1 });
  }
  return model;
}

/** Log-odds of each row: its worst window's, less what so many windows would reach by chance. */
export function rowScore(x, model, i, lengthShare) {
  let best = Number.NEGATIVE_INFINITY;
  const count = x.first[i + 1] - x.first[i];
  for (let w = x.first[i]; w < x.first[i + 1]; w += 1) best = Math.max(best, windowScore(x, model, w));
  return count === 0 ? model.bias : best - lengthShare * lengthOf(count);
}
