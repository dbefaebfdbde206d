// How well the instruction scanner finds attacks from a source it has never seen: `npm run bench:scanner`.
//
// One origin at a time is left out, as carrier and as payload. A model learns from what remains; its thresholds come from what remains too, scored
// by models that had left those rows' own origins out as well. Then it judges the left-out rows. The shipped model's figures on dev stand beside:
// dev has the same origins as the training rows, and flatters.
import { mkdirSync, writeFileSync } from "node:fs";
import { scanText, THRESHOLDS } from "@countersign/core";
import { POINTS } from "../scripts/train-instructions/calibrate.mjs";
import { isChatJailbreak } from "../scripts/train-instructions/corpus.mjs";
import { foldsOf, INTRUSIONS, isIntrusion, isOrdinary, LENGTH_SHARE } from "../scripts/train-instructions/folds.mjs";
import { loadMaterial } from "../scripts/train-instructions/material.mjs";
import { rowScore, train } from "../scripts/train-instructions/model.mjs";
import { median } from "./harness.mjs";
import { RIVALS } from "./rivals.mjs";

const WARN = POINTS.find(([score]) => score === THRESHOLDS.warn)[1];
const BLOCK = POINTS.find(([score]) => score === THRESHOLDS.block)[1];
/** The remaining origins are left out in this many groups when thresholds are found: one by one would take an hour. */
const INNER_GROUPS = 4;

const started = performance.now();
const { rows, x } = loadMaterial();
const origins = foldsOf(rows);
say(`${rows.length} rows, ${origins.length} origins, ${x.from.length} windows`);

const judged = new Map();
for (const [number, left] of origins.entries()) {
  const outside = (row) => row.origins.includes(left);
  const model = trainWithout((row) => outside(row));
  const { warn, block } = innerThresholds(left);
  rows.forEach((row, i) => {
    if (!outside(row) || (row.label === 1 && row.payload !== left)) return;
    const score = rowScore(x, model, i, LENGTH_SHARE);
    judged.set(i, { left, score, warn: score >= warn, block: score >= block });
  });
  say(
    `left out ${left} (${number + 1} of ${origins.length}): warn at ${warn.toFixed(2)}, block at ${block.toFixed(2)}`,
  );
}

function trainWithout(outside) {
  return train(
    rows,
    x,
    rows.flatMap((row, i) => (row.learn && !outside(row) ? [i] : [])),
  );
}

/** Thresholds at which the fixed shares of innocent rows would be flagged, without a look at the left-out origin. */
function innerThresholds(left) {
  const others = origins.filter((name) => name !== left);
  const scores = [];
  for (let group = 0; group < INNER_GROUPS; group += 1) {
    const inner = others.filter((_, k) => k % INNER_GROUPS === group);
    const hidden = (row) => row.origins.includes(left) || row.origins.some((name) => inner.includes(name));
    const model = trainWithout(hidden);
    rows.forEach((row, i) => {
      if (!isOrdinary(row) || row.origins.includes(left) || !row.origins.some((name) => inner.includes(name))) return;
      scores.push(rowScore(x, model, i, LENGTH_SHARE));
    });
  }
  scores.sort((a, b) => b - a);
  return { warn: scores[Math.floor(scores.length * WARN)], block: scores[Math.floor(scores.length * BLOCK)] };
}

const share = (list, test) => (list.length === 0 ? Number.NaN : (100 * list.filter(test).length) / list.length);
const percent = (value) => (Number.isNaN(value) ? "-" : value.toFixed(value < 1 ? 2 : 1)).padStart(6);
const outcome = (i) => judged.get(i);
const numbers = rows.map((_, i) => i).filter((i) => judged.has(i));
const attacks = numbers.filter((i) => isIntrusion(rows[i]));
const ordinary = numbers.filter((i) => isOrdinary(rows[i]));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const byOrigin = INTRUSIONS.map((name) => {
  const own = attacks.filter((i) => rows[i].payload === name);
  return {
    name,
    rows: own.length,
    warn: share(own, (i) => outcome(i).warn),
    block: share(own, (i) => outcome(i).block),
    area: area(own, ordinary),
  };
});
const summary = {
  meanRecallAtWarn: mean(byOrigin.map(({ warn }) => warn)),
  meanRecallAtBlock: mean(byOrigin.map(({ block }) => block)),
  falseAlarmsAtWarn: share(ordinary, (i) => outcome(i).warn),
  falseAlarmsAtBlock: share(ordinary, (i) => outcome(i).block),
  meanArea: mean(byOrigin.map(({ area }) => area)),
};

/** Area under the curve of left-out attacks against left-out innocent rows. */
function area(own, innocent) {
  const sorted = innocent.map((i) => outcome(i).score).sort((a, b) => a - b);
  let below = 0;
  for (const i of own) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < outcome(i).score) low = middle + 1;
      else high = middle;
    }
    below += low / sorted.length;
  }
  return below / own.length;
}

const table = [["", "rows", "warn %", "block %"]];
table.push(["left-out attacks, by origin", "", "", ""]);
for (const { name, rows: count, warn, block } of byOrigin)
  table.push([`  ${name}`, count, percent(warn), percent(block)]);
table.push(["  mean recall", "", percent(summary.meanRecallAtWarn), percent(summary.meanRecallAtBlock)]);
table.push([
  "left-out innocent rows",
  ordinary.length,
  percent(summary.falseAlarmsAtWarn),
  percent(summary.falseAlarmsAtBlock),
]);
for (const [low, high] of [
  [0, 200],
  [200, 600],
  [600, 1500],
  [1500, 3000],
  [3000, 6001],
]) {
  const own = ordinary.filter((i) => rows[i].text.length >= low && rows[i].text.length < high);
  table.push([
    `  ${low} to ${high} characters`,
    own.length,
    percent(share(own, (i) => outcome(i).warn)),
    percent(share(own, (i) => outcome(i).block)),
  ]);
}
const languages = [...new Set(attacks.map((i) => rows[i].lang))].sort();
table.push(["left-out attacks, by language", "", "", ""]);
for (const language of languages) {
  const own = attacks.filter((i) => rows[i].lang === language);
  if (own.length >= 5)
    table.push([
      `  ${language}`,
      own.length,
      percent(share(own, (i) => outcome(i).warn)),
      percent(share(own, (i) => outcome(i).block)),
    ]);
}
for (const [title, chosen] of [
  ["attack families", attacks],
  ["innocent families", ordinary],
  ["reported only: chat jailbreaks", numbers.filter((i) => isChatJailbreak(rows[i]))],
  ["reported only: persona prompts", numbers.filter((i) => rows[i].family === "wild-regular-prompt")],
]) {
  table.push([title, "", "", ""]);
  for (const family of [...new Set(chosen.map((i) => kindOf(rows[i])))].sort()) {
    const own = chosen.filter((i) => kindOf(rows[i]) === family);
    table.push([
      `  ${family}`,
      own.length,
      percent(share(own, (i) => outcome(i).warn)),
      percent(share(own, (i) => outcome(i).block)),
    ]);
  }
}

/** Composed rows by their payload: the carriers matter little once there are dozens. */
function kindOf(row) {
  return row.family.startsWith("embedded-") ? `embedded ${row.payload}` : row.family;
}

const dev = rows.filter((row) => row.part === "dev").map((row) => ({ row, score: scanText(row.text).score }));
const devAttacks = dev.filter(({ row }) => isIntrusion(row));
const devOrdinary = dev.filter(({ row }) => isOrdinary(row));
const at =
  (limit) =>
  ({ score }) =>
    score >= limit;
table.push(["the shipped model on dev (flatters)", "", "", ""]);
table.push([
  "  attacks",
  devAttacks.length,
  percent(share(devAttacks, at(THRESHOLDS.warn))),
  percent(share(devAttacks, at(THRESHOLDS.block))),
]);
table.push([
  "  innocent rows",
  devOrdinary.length,
  percent(share(devOrdinary, at(THRESHOLDS.warn))),
  percent(share(devOrdinary, at(THRESHOLDS.block))),
]);

const padding = paddingTest();
table.push([
  "flagged dev attacks still flagged with 3 kB before and after",
  padding.flagged,
  percent(padding.kept),
  "",
]);

/** 3 kB of ordinary text before a flagged text and 3 kB after it must not hide it. */
function paddingTest() {
  const mails = dev
    .filter(({ row }) => row.label === 0 && row.lang === "en" && row.text.length > 700)
    .map(({ row }) => row.text);
  const prose = (from) => {
    let text = "";
    for (let k = from; text.length < 3000; k += 1) text += `${mails[k % mails.length]}\n`;
    return text.slice(0, 3000);
  };
  const flagged = dev.filter(({ row, score }) => row.label === 1 && score >= THRESHOLDS.warn);
  const kept = flagged.filter(
    ({ row }, k) => scanText(`${prose(k)}\n${row.text}\n${prose(k + 7)}`).score >= THRESHOLDS.warn,
  );
  return { flagged: flagged.length, kept: (100 * kept.length) / flagged.length };
}

for (const [name, flags] of Object.entries(RIVALS)) {
  const answers = new Map();
  const times = [];
  for (const i of [...attacks, ...ordinary]) {
    const start = performance.now();
    answers.set(i, await flags(rows[i].text));
    times.push((performance.now() - start) * 1000);
  }
  const recalls = INTRUSIONS.map((origin) =>
    share(
      attacks.filter((i) => rows[i].payload === origin),
      (i) => answers.get(i),
    ),
  );
  table.push([`${name}, at its own threshold`, `${median(times).toFixed(0)} us`, "", ""]);
  for (const [k, origin] of INTRUSIONS.entries()) table.push([`  ${origin}`, "", percent(recalls[k]), ""]);
  table.push(["  mean recall", "", percent(mean(recalls)), ""]);
  table.push(["  innocent rows", ordinary.length, percent(share(ordinary, (i) => answers.get(i))), ""]);
}

for (const [name, count, warn, block] of table)
  console.log(
    `${String(name).padEnd(62)}${String(count).padStart(8)}${String(warn).padStart(9)}${String(block).padStart(9)}`,
  );
const demands = [
  ["mean recall at warn is at least 50 %", summary.meanRecallAtWarn >= 50],
  ["false alarms at warn are at most 1 %", summary.falseAlarmsAtWarn <= 1],
  ["mean recall at block is at least 20 %", summary.meanRecallAtBlock >= 20],
  ["false alarms at block are at most 0.1 %", summary.falseAlarmsAtBlock <= 0.1],
  ["flagged texts stay flagged in 95 of 100 cases", padding.kept >= 95],
];
for (const [demand, met] of demands) console.log(`${met ? "ok   " : "BELOW"} ${demand}`);
mkdirSync(new URL("results/", import.meta.url), { recursive: true });
writeFileSync(
  new URL("results/scanner-sources.json", import.meta.url),
  `${JSON.stringify({ summary, padding, table }, null, 2)}\n`,
);
say("done");
process.exit(demands.every(([, met]) => met) ? 0 : 1);

function say(text) {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}
