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
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "./sqliteStore.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-erasure-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

test("what was erased is not recovered by guessing, and every proof still holds", async () => {
  const path = join(folder, "gate.db");
  const opened = await openSqliteStore({ path });
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
  await made(redeemOf(paid.id, { actionDigest: planted.actionDigest }));
  await made(outcomeOf(paid.id));
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
  ];
  expect(secrets.filter((secret) => everything().includes(secret)).length).toBeGreaterThanOrEqual(7);

  await made({ kind: "erase", what: { subject: "person:planted subject 44d0" }, reason: "asked", by: person("p") });
  expect(secrets.filter((secret) => everything().includes(secret))).toEqual([]);
  const money = await store.money("t", { limit: 9 });
  expect(money.ok && money.value.items[0]).toMatchObject({ lines: [], salt: null });

  expect(await store.entries("t", 0, 5)).toEqual({ ok: true, value: before.ok ? before.value.slice(0, 5) : [] });
  const verdict = await verifyLog("t", store, { trust: "figures-only", since: [], sha256: nodeSha256 });
  expect(verdict).toMatchObject({ ok: true, value: { healthy: true, size: 6 } });
  await store.close();
});
