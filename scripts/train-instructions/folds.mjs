// Leaving out one origin at a time: nothing that comes from there, as carrier or as payload, is learned from.
import { isChatJailbreak, ORIGIN_NAMES } from "./corpus.mjs";
import { rowScore, train } from "./model.mjs";

/** Log-odds taken off for each doubling of the number of windows beyond those of a long mail. */
export const LENGTH_SHARE = 0.3;

export const foldsOf = (rows) => ORIGIN_NAMES.filter((name) => rows.some((row) => row.origins.includes(name)));

/** Attack origins that are instructions which intrude; the others ask a chat model for what its makers forbid. */
export const INTRUSIONS = ["asb", "piarena", "tasktracker", "neuralchemy", "multilingual"];

/**
 * Score of every row by the model that left its origin out: innocent rows by any of their origins, attack rows by their payload's. NaN for rows
 * that no fold speaks of.
 */
export function outOfFold(rows, x, folds, log = () => {}) {
  const scores = new Float64Array(rows.length).fill(Number.NaN);
  for (const name of folds) {
    const out = (row) => row.origins.includes(name);
    const model = train(
      rows,
      x,
      rows.flatMap((row, i) => (row.learn && !out(row) ? [i] : [])),
    );
    rows.forEach((row, i) => {
      if (out(row) && (row.label === 0 || row.payload === name)) scores[i] = rowScore(x, model, i, LENGTH_SHARE);
    });
    log(name);
  }
  return scores;
}

/** Rows that count as ordinary input of an agent when false alarms are counted. */
export const isOrdinary = (row) => row.label === 0 && row.family !== "wild-regular-prompt";
export const isIntrusion = (row) => row.label === 1 && !isChatJailbreak(row) && INTRUSIONS.includes(row.payload);
