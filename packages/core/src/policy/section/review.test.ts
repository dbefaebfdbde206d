import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { readPart } from "../readPart.ts";

const HOOK = "hook_01900000-0000-7000-8000-00000000000a";

const read = (review: JsonValue) => readPart({ review }, "org:acme", null);

describe("who is told of a hold", () => {
  test.each([
    { it: "nobody, where nothing is said", review: {}, want: { sse: { only: [] }, webhooks: { only: [] } } },
    {
      it: "everybody",
      review: { notify: { sse: true, webhooks: true } },
      want: { sse: { everyone: true }, webhooks: { everyone: true } },
    },
    {
      it: "people and webhooks by name, each once",
      review: { notify: { sse: ["ann", "bob", "ann"], webhooks: [HOOK], remind_before_seconds: 60 } },
      want: { sse: { only: ["ann", "bob"] }, webhooks: { only: [HOOK] }, remindBefore: 60 },
    },
  ])("$it", ({ review, want }) => {
    const part = read(review);
    expect(part.ok && part.value.sections.review?.notify).toMatchObject(want);
  });

  test.each([
    { it: "a name without a list", notify: { sse: "ann" }, path: "/review/notify/sse", code: "policy.wrong_type" },
    { it: "an empty list", notify: { sse: [] }, path: "/review/notify/sse", code: "policy.out_of_range" },
    { it: "an empty name", notify: { sse: [""] }, path: "/review/notify/sse/0", code: "policy.wrong_type" },
    {
      it: "an address in place of a webhook's id",
      notify: { webhooks: ["https://hooks.example/x"] },
      path: "/review/notify/webhooks/0",
      code: "policy.wrong_value",
    },
    {
      it: "a channel that there is not",
      notify: { email: true },
      path: "/review/notify/email",
      code: "policy.unknown_key",
    },
    {
      it: "a reminder of nobody",
      notify: { sse: false, remind_before_seconds: 60 },
      path: "/review/notify/remind_before_seconds",
      code: "policy.out_of_range",
    },
    {
      it: "a reminder before there is anything to be reminded of",
      notify: { sse: true, remind_before_seconds: 600 },
      path: "/review/notify/remind_before_seconds",
      code: "policy.out_of_range",
    },
    {
      it: "more than 64 names",
      notify: { sse: Array.from({ length: 65 }, (_, n) => `p${n}`) },
      path: "/review/notify/sse",
      code: "policy.out_of_range",
    },
  ])("is refused: $it", ({ notify, path, code }) => {
    const part = read({ sla_seconds: 600, notify });
    expect(!part.ok && part.error.map((one) => [one.code, one.path])).toEqual([[code, path]]);
  });
});
