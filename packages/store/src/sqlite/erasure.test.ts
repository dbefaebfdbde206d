import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalize, commitToFields, encodeBase64url, verifyLog } from "@countersign/core";
import {
  decideChange,
  freshId,
  holdOf,
  nodeSha256,
  outcomeOf,
  payment,
  person,
  redeemOf,
} from "@countersign/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asText, erasureSuite, SECRET } from "../testing/erasureSuite.ts";
import { openSqlite } from "./driver.ts";
import { openSqliteStore } from "./sqliteStore.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-erasure-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

test("what was erased is not recovered by guessing, and every proof still holds", async () => {
  const path = join(folder, "gate.db");
  const opened = await openSqliteStore({ path, secret: new Uint8Array(32).fill(7) });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const made = async (change: Parameters<typeof store.commit>[1]) => {
    const result = await store.commit("t", change);
    if (!result.ok) throw new Error(result.error.code);
  };

  const action = { verb: "pay", counterparty: "planted counterparty 7f3a", memo: "planted memo 91c2" };
  const salt = new Uint8Array(randomBytes(32));
  const commitments = commitToFields({ action }, new Map([["action", salt]]), nodeSha256);
  const planted = {
    content: {
      fields: canonicalize({ action }),
      salts: canonicalize({ action: encodeBase64url(salt) }),
      subjects: ["person:planted subject 44d0"],
      keepFor: null,
    },
    actionDigest: `sha256:${sha(`countersign-action-v1\n${canonicalize(action)}`)}`,
    record: canonicalize({ commitments }),
    idempotency: {
      key: "k1",
      digest: `sha256:${sha(canonicalize(action))}`,
      answer: "planted answer 5b77",
      keepFor: 86_400_000,
    },
  };
  const series = ["agent:a", `agent:a/counterparty:${action.counterparty}`];
  const paid = decideChange({ ...planted, reservations: [payment("12.34", "100", { series })] });
  await made(paid);
  const told = { sent: `sha256:${sha("planted body 3c11")}`, received: `sha256:${sha("planted answer 8e20")}` };
  const claim = { key: "claim", digest: `sha256:${sha("planted claim 19d3")}`, answer: "", keepFor: 86_400_000 };
  await made(redeemOf(paid.id, { actionDigest: planted.actionDigest, idempotency: claim }));
  await made(outcomeOf(paid.id, told));
  const hold = holdOf();
  await made(decideChange({ ...planted, idempotency: { ...planted.idempotency, key: "k2" }, verdict: "review", hold }));
  await made({
    kind: "hold.decide",
    hold: hold.id,
    by: person("p"),
    answer: "approve",
    reason: "ok",
    version: 1,
    grant: freshId("grant"),
  });
  const before = await store.entries("t", 0, 100);

  const everything = (): string =>
    ["", "-wal"]
      .filter((end) => existsSync(path + end))
      .map((end) => readFileSync(path + end, "latin1"))
      .join("");
  const secrets = [
    action.counterparty,
    action.memo,
    "planted answer 5b77",
    "planted subject 44d0",
    encodeBase64url(salt),
    planted.actionDigest.slice("sha256:".length),
    sha(canonicalize(action)),
    sha(canonicalize(action.counterparty)),
    sha(action.counterparty),
    sha("planted body 3c11"),
    sha("planted answer 8e20"),
    sha("planted claim 19d3"),
  ];
  expect(secrets.filter((secret) => everything().includes(secret)).length).toBeGreaterThanOrEqual(10);

  await made({ kind: "erase", what: { subject: "person:planted subject 44d0" }, reason: "asked", by: person("p") });
  expect(secrets.filter((secret) => everything().includes(secret))).toEqual([]);
  const money = await store.money("t", { limit: 9 });
  expect(money.ok && money.value.items[0]).toMatchObject({ lines: [], salt: null });

  expect(await store.entries("t", 0, 5)).toEqual({ ok: true, value: before.ok ? before.value.slice(0, 5) : [] });
  const verdict = await verifyLog("t", store, { trust: "figures-only", since: [], sha256: nodeSha256 });
  expect(verdict).toMatchObject({ ok: true, value: { healthy: true, size: 6 } });
  await store.close();
});

erasureSuite("a file", async () => {
  const path = join(folder, "dumped.db");
  let now = 0;
  const opened = await openSqliteStore({ path, secret: SECRET, clock: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
  const behind = openSqlite(path);
  return {
    store: opened.value,
    setClock: (to) => {
      now = to;
    },
    dump: async () => {
      const tables = behind.all("select name from sqlite_master where type = 'table'").map(({ name }) => String(name));
      const rows = tables.map((name) => [name, behind.all(`select * from "${name}"`).map((row) => asText(row))]);
      return JSON.stringify(rows);
    },
    close: async () => {
      behind.close();
      await opened.value.close();
    },
  };
});

test("what a payment was for goes with its answer, and only that it was made stays", async () => {
  const path = join(folder, "claims.db");
  let now = 1_000_000;
  const opened = await openSqliteStore({ path, clock: () => now });
  if (!opened.ok) throw new Error(opened.error.code);
  const claim = {
    kind: "claim.open",
    key: "x402/1",
    digest: "sha256:planted-digest",
    progress: "planted progress",
  } as const;
  const store = opened.value;
  await store.commit("t", { ...claim, holder: "h", holdFor: 1_000 });
  await store.commit("t", {
    kind: "claim.answer",
    key: claim.key,
    holder: "h",
    answer: "planted answer",
    keepFor: 1_000,
  });
  now += 1_000;
  await store.commit("t", { kind: "sweep" });
  expect(await store.commit("t", { ...claim, holder: "i", holdFor: 1 })).toMatchObject({
    ok: false,
    error: { code: "claim.conflict" },
  });
  await store.close();
  expect(readFileSync(path, "latin1")).not.toContain("planted");
});

describe("the secret that is kept elsewhere", () => {
  const open = (secret?: Uint8Array) =>
    openSqliteStore({ path: join(folder, "bound.db"), ...(secret === undefined ? {} : { secret }) });
  const opened = async (secret?: Uint8Array) => {
    const result = await open(secret);
    if (!result.ok) throw new Error(result.error.code);
    return result.value;
  };
  const erase = (decision: string) =>
    ({ kind: "erase", what: { decision }, reason: "asked", by: person("p") }) as const;
  const codeOf = async (answer: Promise<{ ok: true } | { ok: false; error: { code: string } }>) => {
    const result = await answer;
    return result.ok ? "made" : result.error.code;
  };
  const paying = (limit = "100") => decideChange({ reservations: [payment("10", limit)] });
  const advice = { kind: "note", type: "advice", ref: "adv_1", agent: null, record: "{}", chain: "wallet" } as const;

  test("is needed to erase money that counts, and not for anything else", async () => {
    const store = await opened();
    const [paid, free] = [paying(), decideChange()];
    for (const change of [paid, free]) expect(await codeOf(store.commit("t", change))).toBe("made");
    expect(await codeOf(store.commit("t", erase(paid.id)))).toBe("secret.missing");
    expect(await codeOf(store.commit("t", erase(free.id)))).toBe("made");
    await store.close();
  });

  test("is the one that the file was first used with, and no other", async () => {
    await (await opened(SECRET)).close();
    expect(await open(new Uint8Array(32).fill(1))).toMatchObject({ ok: false, error: { code: "store.other_secret" } });
    await (await opened(SECRET)).close();
  });

  test("is missed by whoever decides within a budget that erased money counts in: unknown is not nothing", async () => {
    const first = await opened(SECRET);
    const paid = paying();
    await first.commit("t", paid);
    await first.commit("t", erase(paid.id));
    await first.commit("t", advice);
    await first.close();
    const without = await opened();
    expect(await codeOf(without.commit("t", paying()))).toBe("secret.missing");
    const query = { agent: "a", credential: "key_a", scopes: [], actionDigest: null };
    const spent = [{ series: "agent:a", currency: "USD", window: { rolling: 86_400_000 } }];
    expect(await codeOf(without.facts("t", { ...query, spent }))).not.toBe("made");
    expect(await codeOf(without.facts("t", { ...query, spent: [] }))).toBe("made");
    expect(await codeOf(without.chain("t", "wallet", 1))).not.toBe("made");
    expect(await codeOf(without.commit("t", advice))).not.toBe("made");
    await without.close();
    const again = await opened(SECRET);
    expect(await codeOf(again.commit("t", paying("19")))).toBe("budget.exceeded");
    expect(await again.chain("t", "wallet", 9)).toMatchObject({ ok: true, value: [{ ref: "adv_1" }] });
    await again.close();
  });

  test("keeps the chains that were there before it", async () => {
    const before = await opened();
    await before.commit("t", advice);
    await before.close();
    const after = await opened(SECRET);
    expect(await after.chain("t", "wallet", 9)).toMatchObject({ ok: true, value: [{ ref: "adv_1" }] });
    expect(await after.commit("t", advice)).toMatchObject({ ok: true, value: { chain: { seq: 2 } } });
    await after.close();
  });
});
