import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@countersign/core";
import { startPostgres, type TestPostgres } from "@countersign/store/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countersign, start } from "./testing/command.ts";

let home: string;
let postgres: TestPostgres;
const gates: { readonly process: ChildProcess; readonly url: string }[] = [];
const keys: Record<string, string> = {};

/** One more gate on the database. All of them share the folder with the signing keys. */
async function startGate(): Promise<void> {
  const process = start(["serve", "--port", "0", "--policy", "policy.yaml", "--store", postgres.url], home);
  const url = await new Promise<string>((resolve, reject) => {
    let told = "";
    process.stdout.on("data", (chunk) => {
      told += chunk;
      const [, found] = /listens on (\S+)\n/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    process.stderr.on("data", (chunk) => {
      told += chunk;
    });
    process.once("exit", () => reject(new Error(told)));
  });
  gates.push({ process, url });
}

async function call(gate: number, method: string, path: string, who: string, body?: object) {
  const answer = await fetch(`${gates[gate]?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[who]}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

let asked = 0;
function ask(gate: number, action: object) {
  asked += 1;
  return call(gate, "POST", "/v1/decisions", "shopper", { action, idempotency_key: `ask-${asked}` });
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "countersign-gates-"));
  postgres = await startPostgres({ fsync: "off" });
  writeFileSync(
    join(home, "policy.yaml"),
    `mandate:
  clauses:
    - {id: deletes, effect: review, match: {kind: [file], verb: [delete]}}
    - {id: pays, effect: allow, match: {kind: [transaction], verb: [pay]}}
  default: block
spend:
  budgets: [{id: daily, per: agent, window: {rolling: P1D}, currency: USD, max: "100"}]
`,
  );
  for (const [who, ...args] of [
    ["shopper", "--agent", "shopper", "--scope", "decide"],
    ["proxy", "--enforcer", "proxy", "--speaks-for", "shopper", "--scope", "enforce", "outcome"],
    ["alice", "--person", "alice", "--scope", "review", "audit"],
  ] as const) {
    const made = countersign(["keys", "create", who, ...args, "--store", postgres.url], "", home);
    expect(made.status, made.stderr).toBe(0);
    keys[who] = made.stdout.trim();
  }
  await startGate();
  await startGate();
}, 120_000);
afterAll(async () => {
  for (const { process } of gates) {
    if (process.exitCode !== null || process.signalCode !== null) continue;
    const gone = new Promise((resolve) => process.once("exit", resolve));
    process.kill("SIGTERM");
    await gone;
  }
  await postgres?.stop();
  rmSync(home, { recursive: true });
}, 60_000);

test("two gates on one database are one gate: what waits at one is approved at the other, and used once", async () => {
  const action = { kind: "file", verb: "delete", target: "/work/x" };
  const held = (await ask(0, action)).body;
  const hold = (held["hold"] as JsonObject)["id"];
  const waiting = call(0, "GET", `/v1/holds/${hold}?wait=30`, "shopper");
  const { version, token } = (await call(1, "GET", `/v1/holds/${hold}`, "alice")).body;
  // Shown by one gate, answered at the other.
  const approved = await call(0, "POST", `/v1/holds/${hold}/approve`, "alice", {
    version,
    token,
    reason: "seen",
  } as object);
  expect(approved.body).toMatchObject({ state: "approved" });
  expect((await waiting).body).toMatchObject({ state: "approved" });
  const both = await Promise.all([ask(0, action), ask(1, action)]);
  expect(both.map(({ body }) => body["verdict"]).sort()).toEqual(["allow", "review"]);
  const allowed = both.find(({ body }) => body["verdict"] === "allow")?.body as JsonObject;
  const claims = await Promise.all(
    [0, 1, 0, 1].map((gate) =>
      call(gate, "POST", `/v1/decisions/${allowed["id"]}/redeem`, "proxy", {
        action_digest: allowed["action_digest"],
      } as object),
    ),
  );
  expect(claims.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("no budget is exceeded by asking two gates at once, and a killed gate loses nothing", async () => {
  const pay = {
    kind: "transaction",
    verb: "pay",
    target: "https://shop.example/",
    amount: { value: "15", currency: "USD" },
  };
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i % 2, pay)));
  expect(answers.filter(({ body }) => body["verdict"] === "allow")).toHaveLength(6);
  const gone = new Promise((resolve) => gates[0]?.process.once("exit", resolve));
  gates[0]?.process.kill("SIGKILL");
  await gone;
  expect((await ask(1, pay)).body["verdict"]).toBe("block");
  const stopped = await call(1, "POST", "/v1/stops", "alice", { scope: "agent:shopper", reason: "enough" });
  await startGate();
  expect((await ask(2, pay)).body["findings"]).toContainEqual(expect.objectContaining({ code: "stopped" }));
  expect(stopped.status).toBe(200);
  const verified = countersign(["log", "verify", "--store", postgres.url], "", home);
  expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
}, 60_000);
