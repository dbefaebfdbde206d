import { expect, test } from "vitest";
import { createKey, revokeKey } from "../native/apiKeys.ts";
import { redeemDecision } from "../native/decisions.ts";
import { streamEvents } from "../native/events.ts";
import { approveHold, getHold, listHolds } from "../native/holds.ts";
import { callOperation } from "./callOperation.ts";
import type { Transport } from "./transport.ts";

const sent = async (...[operation, input]: [Parameters<typeof callOperation>[1], object]) => {
  const calls: unknown[] = [];
  const send: Transport = async (...call) => {
    calls.push(call);
    return { ok: true, value: {} };
  };
  await callOperation(send, operation, input as never);
  return calls[0];
};

test.each([
  {
    it: "a query",
    operation: listHolds,
    input: { state: "any", limit: 5 },
    want: ["GET", "/v1/holds?state=any&limit=5"],
  },
  { it: "nothing", operation: listHolds, input: {}, want: ["GET", "/v1/holds"] },
  { it: "a member that is left out", operation: listHolds, input: { agent: undefined }, want: ["GET", "/v1/holds"] },
  {
    it: "the address",
    operation: getHold,
    input: { id: "hold_1", wait: 30 },
    want: ["GET", "/v1/holds/hold_1?wait=30"],
  },
  {
    it: "a name that would be another address",
    operation: getHold,
    input: { id: "../keys?" },
    want: ["GET", "/v1/holds/..%2Fkeys%3F"],
  },
  { it: "a list", operation: streamEvents, input: { kinds: ["a", "b"] }, want: ["GET", "/v1/events?kinds=a&kinds=b"] },
  {
    it: "a body",
    operation: approveHold,
    input: { id: "hold_1", version: 1, token: "t", reason: "r" },
    want: ["POST", "/v1/holds/hold_1/approve", { version: 1, token: "t", reason: "r" }, "safe"],
  },
  {
    it: "no body",
    operation: revokeKey,
    input: { id: "key_1" },
    want: ["DELETE", "/v1/keys/key_1", undefined, "unsafe"],
  },
])("puts $it where the operation has it", async ({ operation, input, want }) => {
  expect(await sent(operation, input)).toEqual(want);
});

test("what would be done twice is sent once, unless it carries a key of its own", async () => {
  expect(await sent(createKey, { name: "n" })).toEqual(["POST", "/v1/keys", { name: "n" }, "unsafe"]);
  expect(await sent(redeemDecision, { id: "d", action_digest: "x" })).toContain("unsafe");
  expect(await sent(redeemDecision, { id: "d", action_digest: "x", idempotency_key: "k" })).toContain("safe");
});
