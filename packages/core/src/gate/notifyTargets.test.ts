import { beforeEach, describe, expect, test } from "vitest";
import type { JsonValue } from "../json/value.ts";
import { readPart } from "../policy/readPart.ts";
import { nodeSha256, person } from "../testing.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";
import { deafTargets } from "./notifyTargets.ts";
import type { Store } from "./ports.ts";

const NOW = Date.UTC(2027, 0, 1);
const hook = (n: number) => `hook_01900000-0000-7000-8000-00000000000${n}`;
let store: Store;

beforeEach(async () => {
  store = createMemoryStore({ sha256: nodeSha256, random: (length) => new Uint8Array(length), clock: () => NOW });
  const key = (name: string, scopes: string[], expiresAt: number | null = null) => ({
    kind: "key.put" as const,
    id: `key_${name}`,
    hash: "h",
    name,
    scopes,
    holder: { kind: "person" as const, person: name },
    expiresAt,
    by: person("p"),
  });
  const webhook = (n: number, parts: object = {}) => ({
    kind: "webhook.put" as const,
    id: hook(n),
    url: "https://hooks.example/x",
    kinds: [],
    agents: null,
    secretVersion: 1,
    state: "active" as const,
    by: person("p"),
    ...parts,
  });
  for (const change of [
    key("alice", ["review"]),
    key("carl", ["audit"]),
    key("dora", ["review"], NOW),
    key("eve", ["review"]),
    { kind: "key.revoke" as const, id: "key_eve", by: person("p") },
    webhook(1),
    webhook(2, { state: "disabled" }),
    webhook(3, { agents: ["other"] }),
  ]) {
    const made = await store.commit("acme", change);
    if (!made.ok) throw new Error(made.error.message);
  }
});

async function problems(notify: JsonValue, scope = "org:acme", tenant = "acme") {
  const part = readPart({ review: { notify } }, scope, null);
  if (!part.ok) throw new Error(JSON.stringify(part.error));
  const found = await deafTargets(store, tenant, part.value, NOW);
  return found.ok ? found.value.map(({ path, message }) => `${path} ${message}`) : found.error.code;
}

describe("whom a policy names", () => {
  const nobody = "nobody of this name holds a key to review with";
  test.each([
    { it: "nobody at all", notify: { sse: true, webhooks: true }, want: [] },
    { it: "a person with a key to review with", notify: { sse: ["alice"] }, want: [] },
    { it: "a webhook that is there", notify: { webhooks: [hook(1)] }, want: [] },
    {
      it: "a mistyped person",
      notify: { sse: ["alice", "alise"] },
      want: [`/review/notify/sse/1 ${nobody}; did you mean alice?`],
    },
    { it: "a person who cannot review", notify: { sse: ["carl"] }, want: [`/review/notify/sse/0 ${nobody}`] },
    { it: "a person whose key has run out", notify: { sse: ["dora"] }, want: [`/review/notify/sse/0 ${nobody}`] },
    { it: "a person whose key was revoked", notify: { sse: ["eve"] }, want: [`/review/notify/sse/0 ${nobody}`] },
    { it: "no webhook", notify: { webhooks: [hook(9)] }, want: ["/review/notify/webhooks/0 there is no such webhook"] },
    {
      it: "a webhook that is switched off",
      notify: { webhooks: [hook(1), hook(2)] },
      want: ["/review/notify/webhooks/1 this webhook is switched off"],
    },
    {
      it: "a webhook that hears of other agents only",
      notify: { webhooks: [hook(3)] },
      scope: "agent:shopper",
      want: ["/review/notify/webhooks/0 this webhook is not told about this agent"],
    },
    {
      it: "anybody, for every tenant",
      notify: { sse: ["alice"] },
      scope: "platform:default",
      want: ["/review/notify a document of the platform is for every tenant, and names nobody of one of them"],
    },
    {
      it: "somebody of another tenant",
      notify: { sse: ["alice"], webhooks: [hook(1)] },
      scope: "org:umbrella",
      tenant: "umbrella",
      want: [`/review/notify/sse/0 ${nobody}`, "/review/notify/webhooks/0 there is no such webhook"],
    },
  ])("$it", async ({ notify, scope, tenant, want }) => {
    expect(await problems(notify, scope, tenant)).toEqual(want);
  });
});
