// Writes the weights of the instruction scanner: `npm run train:instructions` after a build of core.
// Learns from train.jsonl and our own texts; the thresholds come from rows scored by models that never saw where they come from.
import { writeFileSync } from "node:fs";
import { MEANING_SLOTS, SLOTS } from "../../packages/core/dist/check/instructions/features.js";
import { knotsOf } from "./calibrate.mjs";
import { foldsOf, LENGTH_SHARE, outOfFold } from "./folds.mjs";
import { WRITTEN_SHARE } from "./learn.mjs";
import { loadMaterial } from "./material.mjs";
import { rowScore, train } from "./model.mjs";

const target = new URL("../../packages/core/src/check/instructions/weights.ts", import.meta.url);
const { rows, x } = loadMaterial();
const learned = rows.flatMap((row, i) => (row.learn ? [i] : []));
const model = train(rows, x, learned);
const scores = outOfFold(rows, x, foldsOf(rows));
const knots = knotsOf(rows, scores);

const [meaningUnit, meaning] = quantised(model.weights.subarray(0, MEANING_SLOTS));
const [wordUnit, word] = quantised(model.weights.subarray(MEANING_SLOTS, SLOTS));
const data = Buffer.concat([meaning, word]);
const lines = [
  "// Written by scripts/train-instructions/train.mjs, learned from the corpora that corpus.mjs beside it names.",
  'import type { StoredModel } from "./storedModel.ts";',
  "",
  "export const WEIGHTS: StoredModel = {",
  `  bias: ${round(model.bias)},`,
  `  meaningUnit: ${meaningUnit},`,
  `  wordUnit: ${wordUnit},`,
  `  writtenShare: ${WRITTEN_SHARE},`,
  `  lengthShare: ${LENGTH_SHARE},`,
  "  knots: [",
  ...knots.map(([logOdds, score]) => `    [${logOdds}, ${score}],`),
  "  ],",
  `  data: "${data.toString("base64")}",`,
  "};",
  "",
];
writeFileSync(target, lines.join("\n"));

const dev = rows.flatMap((row, i) => (row.part === "dev" ? [[row.label, rowScore(x, model, i, LENGTH_SHARE)]] : []));
for (const [limit, score] of knots) {
  const share = (label) =>
    dev.filter(([l, z]) => l === label && z >= limit).length / dev.filter(([l]) => l === label).length;
  console.log(
    `score ${score} at ${limit}: dev recall ${(100 * share(1)).toFixed(1)} %, dev false alarms ${(100 * share(0)).toFixed(2)} %`,
  );
}

function round(value) {
  return Math.round(value * 1e6) / 1e6;
}

/** One signed byte a weight. The few largest are cut: the unit would otherwise be too coarse for all others. */
function quantised(weights) {
  const sizes = Float64Array.from(weights, Math.abs).sort();
  const unit = Number((sizes[Math.floor(sizes.length * 0.9995)] / 127).toPrecision(6));
  return [
    unit,
    Buffer.from(Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit)))).buffer),
  ];
}
