import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { ok, type Result } from "../../result.ts";
import { decideChange, nodeSha256, person } from "../../testing.ts";
import { createMemoryStore } from "../memory/memoryStore.ts";
import type { Store } from "../ports.ts";
import { deliverWebhooks, RETRY_AFTER, type SendWebhook } from "./deliver.ts";
import { webhookSecret } from "./signature.ts";

const key = new Uint8Array(32).fill(7);
const start = Date.UTC(2026, 0, 15);

interface World {
  store: Store;
  sent: { url: string; headers: Readonly<Record<string, string>>; body: string }[];
  now: number;
  answer: Awaited<ReturnType<SendWebhook>> | "throws";
}

async function world(secretVersion = 1): Promise<World> {
  const store = createMemoryStore({ sha256: nodeSha256, random: (n) => new Uint8Array(n), clock: () => it.now });
  const it: World = { store, sent: [], now: start, answer: ok({ status: 204 }) };
  const webhook = {
    id: "wh_1",
    url: "https://hooks.example/x",
    kinds: [],
    agents: null,
    secretVersion,
    state: "active",
  } as const;
  await store.commit("t", { kind: "webhook.put", ...webhook, by: person("p") });
  await store.commit("t", decideChange({ id: "dec_1", codes: ["url.private"] }));
  return it;
}

const pass = async (it: World): Promise<Result<number, unknown>> =>
  deliverWebhooks({
    webhooks: it.store,
    send: async (request) => {
      it.sent.push(request);
      if (it.answer === "throws") throw new Error("the line broke");
      return it.answer;
    },
    key,
    clock: () => it.now,
    random: () => 0,
    sha256: nodeSha256,
  });

describe("a webhook", () => {
  test("is verified by another implementation, with the secret of its endpoint and no other", async () => {
    const it = await world();
    await pass(it);
    const [{ headers, body } = { headers: {}, body: "" }] = it.sent;
    const secret = webhookSecret(key, "t", { id: "wh_1", secretVersion: 1 }, nodeSha256);
    const clock = { ...headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    expect(() => new StandardWebhook(secret).verify(body, clock)).toThrow("No matching signature");
    const wrong = webhookSecret(key, "u", { id: "wh_1", secretVersion: 1 }, nodeSha256);
    const verify = (by: string) => {
      const real = Date.now;
      Date.now = () => start;
      try {
        return new StandardWebhook(by).verify(body, headers as Record<string, string>);
      } finally {
        Date.now = real;
      }
    };
    expect(verify(secret)).toMatchObject({ type: "decide", data: { ref: "dec_1", codes: ["url.private"] } });
    expect(() => verify(wrong)).toThrow("No matching signature");
  });

  test("is signed by the secret before too, after a rotation", async () => {
    const it = await world(2);
    await pass(it);
    expect(it.sent[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  });

  test("carries ids, codes and digests, and nothing of the content", async () => {
    const it = await world();
    await pass(it);
    expect(JSON.parse(it.sent[0]?.body ?? "")).toEqual({
      type: "decide",
      timestamp: new Date(start).toISOString(),
      data: {
        seq: 1,
        tenant: "t",
        ref: "dec_1",
        agent: "a",
        codes: ["url.private"],
        record_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        verdict: expect.stringMatching(/^(allow|block|review)$/),
        hold: null,
        recipients: [],
      },
    });
  });

  test.each([
    { it: "an error status", answer: ok({ status: 503 }) },
    { it: "a redirect", answer: ok({ status: 302 }) },
    { it: "a refusal of the egress", answer: { ok: false, error: { code: "egress.refused" } } as const },
    { it: "a line that broke", answer: "throws" as const },
  ])("after $it is tried again, later each time, and then lies dead", async ({ answer }) => {
    const it = await world();
    it.answer = answer;
    for (const wait of RETRY_AFTER) {
      expect(await pass(it)).toEqual(ok(1));
      it.now += wait - 1;
      expect(await pass(it)).toEqual(ok(0));
      it.now += 1;
    }
    expect(await pass(it)).toEqual(ok(1));
    it.now += 365 * 86_400_000;
    expect(await pass(it)).toEqual(ok(0));
    const ids = new Set(it.sent.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`));
    expect(ids.size).toBe(1);
    const dead = await it.store.deadDeliveries("t", 9);
    expect(dead.ok && dead.value).toHaveLength(1);
    it.answer = ok({ status: 200 });
    await it.store.replayDeliveries("t", { webhook: "wh_1", since: 0 });
    expect(await pass(it)).toEqual(ok(1));
    expect(await pass(it)).toEqual(ok(0));
  });

  test("to an endpoint that says it is gone lies dead at once", async () => {
    const it = await world();
    it.answer = ok({ status: 410 });
    await pass(it);
    const dead = await it.store.deadDeliveries("t", 9);
    expect(dead.ok && dead.value).toMatchObject([{ error: "status 410" }]);
  });
});
