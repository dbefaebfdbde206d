// Groups of decisions on PostgreSQL beside the barest insert of as many rows, from one gate and from several at once.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStore } from "@countersign/store";
import { startPostgres } from "@countersign/store/testing";
import pg from "pg";
import { median, report } from "./harness.mjs";
import { decision, must } from "./storeDecision.mjs";

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
  await ours();
  await bare(slice);
  const rates = { ours: [], bare: [] };
  for (let round = 0; round < 7; round += 1) {
    if (round % 2 === 0) rates.ours.push(await ours());
    rates.bare.push(await bare(slice));
    if (round % 2 === 1) rates.ours.push(await ours());
  }
  report({
    name: `durable groups, ${processes} gate${processes === 1 ? "" : "s"}, PostgreSQL`,
    micros: { gates: 1000 / median(rates.ours), "unnest of 100": 1000 / median(rates.bare) },
    ratioOf: ["gates", "unnest of 100"],
    ratio: median(rates.ours.map((rate, i) => rate / rates.bare[i])),
    floor: 0.5,
  });
  for (const gate of gates) gate.send("end");
  await Promise.all(gates.map((gate) => once(gate, "exit")));
}
await raw.end();
await server.stop();
