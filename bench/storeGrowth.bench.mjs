// What a record costs when the log is long: the last thousand commits of a log against its first, and a log verified
// against the least that anyone must do to check it.
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { canonicalize, parseJson, verifyLog } from "@countersign/core";
import { openSqliteStore } from "@countersign/store";
import { median, report } from "./harness.mjs";
import { decision, must } from "./storeDecision.mjs";

/** The millionth record takes minutes to reach; what grows with the logarithm shows at a tenth of it. */
const LONG = Number(process.env.COUNTERSIGN_BENCH_RECORDS ?? 100_000);
const group = 100;
const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const [short, long] = await Promise.all(
  ["short", "long"].map(async (name) => must(await openSqliteStore({ path: join(folder, `${name}.db`) }))),
);
const append = (store, change) =>
  Promise.all(Array.from({ length: group }, async () => must(await store.commit("bench", change()))));

/** A payment within a budget over a month, so that what was spent before has to be known. */
const payment = () => ({
  ...decision(),
  reservations: [
    {
      amount: "0.01",
      currency: "USD",
      series: ["agent:shopper"],
      budgets: [{ budget: "month", series: "agent:shopper", window: { rolling: 30 * 86_400_000 }, limit: "1000000" }],
    },
  ],
});

for (let n = 0; n < LONG; n += group) await append(long, payment);
for (let n = 0; n < 1000; n += group) await append(short, payment);
const times = { long: [], short: [] };
for (let round = 0; round < 61; round += 1) {
  for (const [name, store] of round % 2 === 0
    ? [
        ["long", long],
        ["short", short],
      ]
    : [
        ["short", short],
        ["long", long],
      ]) {
    const start = performance.now();
    await append(store, payment);
    times[name].push(performance.now() - start);
  }
}
report({
  name: `a payment after ${LONG} others / after 1000`,
  micros: { "first thousand": (median(times.short) * 1000) / group, "long log": (median(times.long) * 1000) / group },
  ratioOf: ["first thousand", "long log"],
  // At most 1.2 times the cost, which is at least 0.83 of the speed.
  ratio: median(times.short.map((millis, i) => millis / times.long[i])),
  floor: 1 / 1.2,
});

const sha256 = (bytes) => hash("sha256", bytes, "buffer");
const sha256Text = (text) => hash("sha256", text, "buffer");
const size = 10_000;
const log = must(await openSqliteStore({ path: join(folder, "verify.db") }));
for (let n = 0; n < size; n += group) await append(log, decision);
const records = [];
for (let from = 0; from < size; from += 1000)
  records.push(...must(await log.entries("bench", from, 1000)).map(({ record }) => record));
const bare = () => {
  const limits = { bytes: 1 << 20, depth: 128 };
  for (const record of records) {
    const parsed = must(parseJson(record, limits, "rounded"));
    sha256Text(canonicalize(parsed));
  }
};
const verified = async () => {
  const verdict = must(await verifyLog("bench", log, { trust: "figures-only", since: [], sha256, sha256Text }));
  if (!verdict.healthy) throw new Error("the log does not verify");
};
const rounds = { bare: [], verified: [] };
for (let round = 0; round < 9; round += 1) {
  for (const [name, run] of round % 2 === 0
    ? [
        ["bare", bare],
        ["verified", verified],
      ]
    : [
        ["verified", verified],
        ["bare", bare],
      ]) {
    const start = performance.now();
    await run();
    rounds[name].push(performance.now() - start);
  }
}
report({
  name: "log verify / parse, canonicalise and hash",
  micros: {
    "log verify": (median(rounds.verified) * 1000) / size,
    "bare loop": (median(rounds.bare) * 1000) / size,
  },
  ratioOf: ["log verify", "bare loop"],
  ratio: median(rounds.bare.map((millis, i) => millis / rounds.verified[i])),
  floor: 0.4,
});

for (const store of [short, long, log]) await store.close();
rmSync(folder, { recursive: true });
