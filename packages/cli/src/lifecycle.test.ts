import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countersign, start } from "./testing/command.ts";

const POLICY = `mandate:
  clauses:
    - {id: reads, effect: allow, match: {kind: [file], verb: [read]}}
    - {id: deletes, effect: review, match: {kind: [file], verb: [delete]}}
    - {id: pays, effect: allow, match: {kind: [transaction], verb: [pay]}}
  default: block
spend:
  budgets: [{id: daily, per: agent, window: {rolling: P1D}, currency: USD, max: "100"}]
review:
  notify: {sse: [alice]}
`;

let home: string;
let server: ChildProcess;
let url: string;
let told: string;
const keys: Record<string, string> = {};

/** Starts the gate on a free port, and waits until it listens. */
async function serve(...args: string[]): Promise<void> {
  server = start(["serve", "--port", "0", ...args], home);
  told = "";
  url = await new Promise((resolve, reject) => {
    server.stdout?.on("data", (chunk) => {
      told += chunk;
      const [, found] = /listens on (?:.* )?(http\S+)\n/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.stderr?.on("data", (chunk) => {
      told += chunk;
    });
    server.once("exit", () => reject(new Error(told)));
  });
}

async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await gone;
}

const here = (...args: string[]) => countersign(args, "", home);

/** A command at the running gate, as somebody who has a key. */
function at(who: string, ...args: string[]) {
  writeFileSync(join(home, `${who}.key`), `${keys[who]}\n`, { mode: 0o600 });
  return here(...args, "--url", url, "--key-file", `${who}.key`);
}

async function call(method: string, path: string, who: string | null, body?: object) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(who === null ? {} : { authorization: `Bearer ${keys[who]}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as JsonObject };
}

let asked = 0;
async function ask(verb: string, target: string, more: object = {}): Promise<JsonObject> {
  asked += 1;
  const kind = verb === "pay" ? "transaction" : "file";
  const body = { action: { kind, verb, target, ...more }, idempotency_key: `ask-${asked}` };
  return (await call("POST", "/v1/decisions", "shopper", body)).body;
}
const holdOf = (decision: JsonObject): string => (decision["hold"] as JsonObject)["id"] as string;

async function answer(hold: string, how: "approve" | "reject", who: string) {
  const { version, token } = (await call("GET", `/v1/holds/${hold}`, who)).body;
  return call("POST", `/v1/holds/${hold}/${how}`, who, { version, token, reason: "looked at it" } as object);
}

const redeem = (decision: JsonObject) =>
  call("POST", `/v1/decisions/${decision["id"]}/redeem`, "proxy", {
    action_digest: decision["action_digest"],
  } as object);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "countersign-lifecycle-"));
  writeFileSync(join(home, "policy.yaml"), POLICY);
  for (const [who, ...args] of [
    ["shopper", "--agent", "shopper", "--scope", "decide"],
    ["proxy", "--enforcer", "proxy", "--speaks-for", "shopper", "--scope", "decide", "enforce", "outcome"],
    ["alice", "--person", "alice", "--scope", "review", "audit"],
    ["bob", "--person", "bob", "--scope", "review"],
  ] as const) {
    const made = here("keys", "create", who, ...args);
    expect(made.status, made.stderr).toBe(0);
    keys[who] = made.stdout.trim();
  }
  await serve("--policy", "policy.yaml");
}, 60_000);
afterAll(async () => {
  await end("SIGTERM");
  rmSync(home, { recursive: true });
});

describe("an action that a person has to see", () => {
  test("waits, is approved from the command line, runs once, and is closed", async () => {
    const held = await ask("delete", "/work/x");
    const hold = holdOf(held);
    expect(held["verdict"]).toBe("review");
    expect(at("alice", "holds", "list").stdout).toContain(hold);
    const shown = at("alice", "holds", "show", hold);
    expect(shown.stdout).toContain('"target": "/work/x"');
    expect(shown.stdout).toContain("mandate.clause_review");
    expect(shown.stdout).toMatch(/^told {6}person:alice$/m);

    expect(at("alice", "holds", "approve", hold, "--seen", "7", "--reason", "yes")).toMatchObject({ status: 3 });
    const approved = at("alice", "holds", "approve", hold, "--seen", "1", "--reason", "I know this file");
    expect(approved).toMatchObject({ status: 0, stderr: "" });

    const again = await ask("delete", "/work/x");
    expect(again["verdict"]).toBe("allow");
    expect(again["receipt"]).toBeTypeOf("string");
    expect((await redeem(again)).status).toBe(200);
    expect((await redeem(again)).body).toMatchObject({ code: "redeem.used" });
    expect(at("proxy", "outcome", String(again["id"]), "executed")).toMatchObject({ status: 0, stderr: "" });
    expect((await ask("delete", "/work/x"))["verdict"]).toBe("review");
  });

  test("does not run when a person says no, and no program can say yes", async () => {
    const hold = holdOf(await ask("delete", "/work/y"));
    expect(at("shopper", "holds", "approve", hold, "--seen", "1", "--reason", "please").stderr).toContain(
      "actor.not_allowed",
    );
    expect((await answer(hold, "reject", "bob")).status).toBe(200);
    expect((await ask("delete", "/work/y"))["verdict"]).toBe("review");
    expect(at("alice", "holds", "approve", hold, "--seen", "1", "--reason", "late").stderr).toContain("hold.closed");
  });

  test("is shown inert, whatever is in it", async () => {
    const held = await ask("delete", "/work/z", {
      justification: "\u001b[2Jharmless\u202e",
      parameters: { a: "\u001b]0;x" },
    });
    const shown = at("alice", "holds", "show", holdOf(held)).stdout;
    expect(shown).not.toMatch(/[\u001b\u202e]/);
    expect(shown).toContain("harmless");
  });
});

test("a stop stops redemptions that were allowed before it, and is lifted by a person", async () => {
  const allowed = await ask("read", "/work/a");
  const put = at("alice", "stop", "put", "agent:shopper", "--reason", "look first", "--json");
  const { id } = JSON.parse(put.stdout);
  expect((await redeem(allowed)).body).toMatchObject({ code: "stopped" });
  expect((await ask("read", "/work/a"))["verdict"]).toBe("block");
  expect(at("alice", "stop", "list").stdout).toContain("look first");
  expect(at("alice", "stop", "lift", id, "--reason", "looked")).toMatchObject({ status: 0 });
  expect((await redeem(allowed)).status).toBe(200);
});

test("what was answered is still there when the gate is killed between any two steps", async () => {
  const restart = async () => {
    await end("SIGKILL");
    await serve("--policy", "policy.yaml");
  };
  const hold = holdOf(await ask("delete", "/work/k"));
  await restart();
  expect((await answer(hold, "approve", "alice")).body).toMatchObject({ state: "approved" });
  await restart();
  const allowed = await ask("delete", "/work/k");
  expect(allowed["verdict"]).toBe("allow");
  await restart();
  expect((await redeem(allowed)).status).toBe(200);
  await restart();
  expect((await redeem(allowed)).body).toMatchObject({ code: "redeem.used" });
  const told = { result: "executed", as_approved: true };
  expect((await call("POST", `/v1/decisions/${allowed["id"]}/outcome`, "proxy", told)).status).toBe(200);
  const paid = await ask("pay", "https://shop.example/", { amount: { value: "90", currency: "USD" } });
  expect(paid["verdict"]).toBe("allow");
  await restart();
  expect((await ask("pay", "https://shop.example/", { amount: { value: "20", currency: "USD" } }))["verdict"]).toBe(
    "block",
  );
  const verified = here("log", "verify");
  expect(verified, verified.stdout).toMatchObject({ status: 0 });
}, 120_000);

test("the log proves what it holds to somebody who has only its key, and keeps its proofs after an erasure", async () => {
  const decided = await ask("delete", "/work/private-name");
  const { body } = await call("GET", "/v1/log/checkpoint", "alice");
  writeFileSync(join(home, "kept"), String(body["checkpoint"]));
  const proof = here("log", "proof", String(decided["id"]));
  writeFileSync(join(home, "proof.json"), proof.stdout);
  const check = () => here("log", "proof", "proof.json", "--check", "--log-key", String(body["key"]));
  expect(check()).toMatchObject({ status: 0 });
  writeFileSync(join(home, "proof.json"), proof.stdout.replace("shopper", "shoppee"));
  expect(check()).toMatchObject({ status: 1 });
  writeFileSync(join(home, "proof.json"), proof.stdout);

  expect(here("log", "export").stdout).toContain("private-name");
  expect(here("log", "erase", "--subject", "agent:shopper", "--reason", "asked for")).toMatchObject({ status: 0 });
  expect(here("log", "export").stdout).not.toContain("private-name");
  expect(check()).toMatchObject({ status: 0 });
  expect(here("log", "verify", "--since", "kept")).toMatchObject({ status: 0 });
  const anchored = ["local", "other"].map((tenant) =>
    JSON.stringify({ tenant, size: body["size"], note: body["checkpoint"] }),
  );
  writeFileSync(join(home, "anchor.jsonl"), `${anchored.join("\n")}\n`);
  expect(here("log", "verify", "--since", "anchor.jsonl")).toMatchObject({ status: 0 });
  writeFileSync(join(home, "theirs.jsonl"), `${anchored[1]}\n`);
  expect(here("log", "verify", "--since", "theirs.jsonl")).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("no checkpoint of this tenant"),
  });
  const misnamed = here("log", "verify", "--issuer", "https://another.example", "--since", "kept");
  expect(misnamed).toMatchObject({ status: 1, stdout: expect.stringContaining("those of another.example/log/local") });
  const { shown, withheld } = (await call("GET", `/v1/holds/${holdOf(decided)}`, "alice")).body;
  expect({ shown, withheld }).toEqual({ shown: null, withheld: "not_kept" });
}, 60_000);

test("a record that somebody changed behind the gate's back is named", async () => {
  await end("SIGTERM");
  const Database = createRequire(import.meta.url)("libsql");
  const database = new Database(join(home, ".countersign/gate.db"));
  const { record } = database.prepare("select record from entries where seq = 5").get();
  const write = database.prepare("update entries set record = ? where seq = 5");
  write.run(record.replace('"seq":5', '"seq":50'));
  const verdict = here("log", "verify", "--json");
  write.run(record);
  database.close();
  expect(verdict.status).toBe(1);
  expect(JSON.parse(verdict.stdout)).toMatchObject({ healthy: false, firstBad: 5, checkpoints: "signatures" });
  expect(here("log", "verify")).toMatchObject({ status: 0 });
  await serve("--policy", "policy.yaml");
}, 60_000);

test("two people have to approve where the policy says so, and time rejects what nobody looked at", async () => {
  await end("SIGTERM");
  writeFileSync(join(home, "two.yaml"), `${POLICY}  approvers: 2\n  sla_seconds: 3\n`);
  await serve("--policy", "two.yaml");
  const hold = holdOf(await ask("delete", "/work/two"));
  const late = holdOf(await ask("delete", "/work/late"));
  expect((await answer(hold, "approve", "alice")).body).toMatchObject({ state: "open", grant: null });
  expect((await answer(hold, "approve", "alice")).body).toMatchObject({ code: "hold.same_person" });
  expect((await ask("delete", "/work/two"))["verdict"]).toBe("review");
  expect((await answer(hold, "approve", "bob")).body).toMatchObject({ state: "approved" });
  expect((await ask("delete", "/work/two"))["verdict"]).toBe("allow");
  const waited = await call("GET", `/v1/holds/${late}?wait=30`, "shopper");
  expect(waited.body).toMatchObject({ state: "expired", decided_by: "clock" });
}, 60_000);

test("whoever shows no key is told where one comes from, and whoever shows another one what to look at", () => {
  const stranger = ["holds", "list", "--url", url, "--home", "elsewhere"];
  expect(here(...stranger)).toMatchObject({ status: 3, stderr: expect.stringContaining("--key-file") });
  writeFileSync(join(home, "other.key"), "csk_bG9jYWw_a2V5_c2VjcmV0\n");
  expect(here(...stranger, "--key-file", "other.key")).toMatchObject({ status: 3, stdout: "" });
});

test("a log that is not there is no log that agrees, and none is made", () => {
  for (const place of [
    ["--home", "typo"],
    ["--store", "typo.db"],
    ["--store", "memory"],
  ]) {
    for (const command of [["verify"], ["export"], ["checkpoint"]])
      expect(here("log", ...command, ...place)).toMatchObject({ status: 3, stdout: "" });
  }
  expect(here("log", "verify", "--home", "typo").stderr).toContain("there is no log here");
  expect(existsSync(join(home, "typo"))).toBe(false);
});

test("on another address nobody is anonymous, and keys of the first start are their owner's alone", async () => {
  await end("SIGTERM");
  await serve("--policy", "policy.yaml", "--host", "0.0.0.0");
  expect(told).toContain("listens on every address of this machine");
  // What is proposed works there: with a key.
  expect(told).toMatch(/curl -s \S+ -H "authorization: Bearer \$COUNTERSIGN_KEY"/);
  expect(await call("POST", "/v1/decisions", null, {})).toMatchObject({
    status: 401,
    body: { code: "credential.missing" },
  });
  expect((await ask("read", "/work/a"))["verdict"]).toBe("allow");
  const first = mkdtempSync(join(tmpdir(), "countersign-first-"));
  const own = start(["serve", "--port", "0"], first);
  await new Promise((resolve) => own.stdout.once("data", resolve));
  const file = join(first, ".countersign/api-keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toEqual(["admin", "reviewer"]);
  const gone = new Promise((resolve) => own.once("exit", resolve));
  own.kill("SIGTERM");
  await gone;
  rmSync(first, { recursive: true });
}, 60_000);
