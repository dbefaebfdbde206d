import { addressesOf, type HostResolver } from "@countersign/core";
import { expect, test } from "vitest";
import { addressFacts } from "./addressFacts.ts";

const asked: string[] = [];
const resolver: HostResolver = {
  async resolve(name) {
    asked.push(name);
    return { state: "known", value: ["8.8.8.8"], source: "a table", at: "2026-01-01T00:00:00Z" };
  },
};
const ask = { asker: { tenant: "t", agent: "a", teams: [] } };
const now = { epochSeconds: 0, fraction: "" };

test("looks every name up once", async () => {
  asked.length = 0;
  const keys = ["a.example", "b.example", "a.example"].map(addressesOf);
  const facts = await addressFacts(resolver).gather(ask, keys, now);
  expect(facts.map(({ key, fact }) => [key.of, fact.state])).toEqual([
    ["a.example", "known"],
    ["b.example", "known"],
  ]);
  expect(asked).toEqual(["a.example", "b.example"]);
});

test("an ask with a thousand names makes 64 look-ups", async () => {
  asked.length = 0;
  const keys = Array.from({ length: 1_000 }, (_, at) => addressesOf(`n${at}.example`));
  expect(await addressFacts(resolver).gather(ask, keys, now)).toHaveLength(64);
  expect(asked).toHaveLength(64);
});
