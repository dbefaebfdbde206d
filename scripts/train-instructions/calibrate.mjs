// From log-odds to a score in [0, 1] whose fixed points are shares of innocent rows that would be flagged.
import { isOrdinary } from "./folds.mjs";

/** Share of ordinary rows at or above each score. */
export const POINTS = [
  [0.0, 0.9],
  [0.1, 0.3],
  [0.3, 0.06],
  [0.5, 0.012],
  [0.6, 0.0055],
  [0.8, 0.002],
  [0.95, 0.0006],
];

export function knotsOf(rows, scores) {
  const innocent = [];
  rows.forEach((row, i) => {
    if (isOrdinary(row) && !Number.isNaN(scores[i])) innocent.push(scores[i]);
  });
  innocent.sort((a, b) => b - a);
  const knots = [];
  for (const [score, share] of POINTS) {
    const limit = Math.round((innocent[Math.floor(innocent.length * share)] ?? 0) * 1000) / 1000;
    knots.push([Math.max(limit, (knots.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY) + 0.05), score]);
  }
  return [...knots, [knots.at(-1)[0] + 3, 1]];
}
