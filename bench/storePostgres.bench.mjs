// Groups of decisions on PostgreSQL, from one gate and from several at once: beside the barest insert of as many rows, and
// beside the same rows in the same statements without their judging. Every group takes the lock on the log's head.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStore } from "@countersign/store";
import { startPostgres } from "@countersign/store/testing";
import pg from "pg";
import { lockHead, write } from "../packages/store/dist/postgres/tables.js";
import { median, report } from "./harness.mjs";
import { decision, must } from "./storeDecision.mjs";
import { groupWriter } from "./storeRows.mjs";

const server = await startPostgres({ fsync: "on" });
const first = must(await openPostgresStore({ url: server.url }));
must(await first.commit("bench", decision()));
const [{ record }] = must(await first.entries("bench", 0, 1));
await first.close();

const raw = new pg.Client({ connectionString: server.url });
await raw.connect();
await raw.query("create table raw (n bigint primary key, record text not null)");
let n = 0;
/** Rows a second of the bare statement, for a while. */
async function bare(millis) {
  const end = performance.now() + millis;
  const before = n;
  while (performance.now() < end) {
    const numbers = Array.from({ length: 100 }, () => ++n);
    const text = "insert into raw select * from unnest($1::bigint[], $2::text[])";
    await raw.query({ name: "raw", text, values: [numbers, numbers.map(() => record)] });
  }
  return (n - before) / millis;
}

const nextRows = groupWriter(100);
/** Rows a second of the store's own statements on one connection, for a while. */
async function rowsAlone(millis) {
  const end = performance.now() + millis;
  let written = 0;
  while (performance.now() < end) {
    await lockHead(raw, "rows");
    await write(raw, "rows", nextRows());
    await raw.query("commit");
    written += 100;
  }
  return written / millis;
}

const slice = 400;
for (const processes of [1, 4, 8]) {
  const gates = Array.from({ length: processes }, (_, i) =>
    fork(new URL("storeGate.mjs", import.meta.url), [server.url, `${processes}0000000-000${i}-7000`.slice(-18)]),
  );
  await Promise.all(gates.map((gate) => once(gate, "message")));
  /** Decisions a second of all gates together. */
  const ours = async () => {
    const told = gates.map((gate) => once(gate, "message"));
    for (const gate of gates) gate.send("start");
    const start = performance.now();
    await sleep(slice);
    for (const gate of gates) gate.send("stop");
    const counts = await Promise.all(told);
    return counts.reduce((sum, [{ made }]) => sum + made, 0) / (performance.now() - start);
  };
  const contenders = { gates: ours, "unnest of 100": () => bare(slice), "the same rows": () => rowsAlone(slice) };
  const rates = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (const run of Object.values(contenders)) await run();
  for (let round = 0; round < 7; round += 1) {
    const turn = Object.entries(contenders);
    for (const [name, run] of round % 2 === 0 ? turn : turn.reverse()) rates[name].push(await run());
  }
  for (const [other, floor] of [
    ["unnest of 100", 0.1],
    ["the same rows", 0.3],
  ]) {
    report({
      name: `durable groups, ${processes} gate${processes === 1 ? "" : "s"}, PostgreSQL, beside ${other}`,
      micros: { gates: 1000 / median(rates.gates), [other]: 1000 / median(rates[other]) },
      ratioOf: ["gates", other],
      ratio: median(rates.gates.map((rate, round) => rate / rates[other][round])),
      floor,
    });
  }
  for (const gate of gates) gate.send("end");
  await Promise.all(gates.map((gate) => once(gate, "exit")));
}
await raw.end();
await server.stop();
