// A gate's writing side as a process of its own, to be killed. Prints one JSON line for each thing it was told is done,
// only after it was told; what it prints must be there afterwards, whatever happens to the process.
import { openPostgresStore, openSqliteStore } from "../../dist/index.js";

const { engine, where, tenant, limit, callers, rounds, fault, name } = JSON.parse(process.argv[2]);
const opened =
  engine === "sqlite" ? await openSqliteStore({ path: where, fault }) : await openPostgresStore({ url: where, fault });
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
if (!opened.ok) {
  say({ error: opened.error.code });
  process.exit(3);
}
const store = opened.value;
const by = { kind: "enforcer", id: name };

async function caller(number) {
  for (let round = 0; round < rounds; round += 1) {
    const id = `dec_${name}-${number}-${round}`;
    const amount = String(1 + ((number * 7 + round * 3) % 9));
    const decided = await store.commit(tenant, {
      kind: "decide",
      id,
      agent: "a",
      credential: "key_a",
      verdict: "allow",
      actionDigest: "sha256:aa",
      policyDigest: null,
      record: "{}",
      codes: [],
      scopes: ["tenant"],
      redeemFor: 300_000,
      reservations: [
        {
          amount,
          currency: "USD",
          series: ["agent:a"],
          budgets: [{ budget: "b", series: "agent:a", window: { rolling: 86_400_000 }, limit }],
        },
      ],
    });
    if (!decided.ok) {
      say({ refused: decided.error.code, id });
      continue;
    }
    say({ decided: id, amount });
    if (round % 2 === 1) continue;
    const redeemed = await store.commit(tenant, {
      kind: "redeem",
      decision: id,
      by,
      actionDigest: "sha256:aa",
      policyDigest: null,
      readUnder: { agent: "a", teams: [], versions: [] },
    });
    if (!redeemed.ok) continue;
    say({ redeemed: id });
    if (round % 4 === 2) continue;
    const outcome = await store.commit(tenant, {
      kind: "outcome",
      decision: id,
      by,
      result: round % 8 === 0 ? "executed" : "failed",
      asApproved: true,
      breaker: `stop_${id}`,
    });
    if (outcome.ok) say({ closed: id, money: outcome.value.money });
  }
}

await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
await store.close();
say({ done: true });
