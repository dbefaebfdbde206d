import { expect, test } from "vitest";
import type { Ask } from "../action/action.ts";
import { factsOf, NO_FACTS } from "../fact/fact.ts";
import type { JsonObject } from "../json/value.ts";
import { readPolicy } from "../policy/readPolicy.ts";
import type { Seconds } from "../time/duration.ts";
import { instantFromMillis } from "../time/instant.ts";
import { asksWithin, limits } from "./limits.ts";

const NOW = instantFromMillis(1_800_000_000_000);
const asker = { tenant: "acme", agent: "a", teams: [] };

function codes(section: JsonObject, ask: Partial<Ask>, count?: number) {
  const read = readPolicy({ limits: section }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const facts =
    count === undefined
      ? NO_FACTS
      : factsOf([
          {
            key: asksWithin("a", 60 as Seconds),
            fact: { state: "known", value: count, source: "test", at: "2027-01-15T08:00:00Z" },
          },
        ]);
  return limits.judge({ asker, ...ask }, read.value, facts, NOW).map(({ code, path }) => `${code} ${path}`);
}

const RATE = { asks: [{ max: 3, within: "PT1M" }] };
const texts = (...all: string[]) => ({
  material: { texts: all.map((text) => ({ surface: "incoming" as const, text })) },
});

test.each<{ it: string; section: JsonObject; ask: Partial<Ask>; count?: number; want: readonly string[] }>([
  { it: "exactly as often as allowed passes", section: RATE, ask: {}, count: 3, want: [] },
  { it: "once more does not", section: RATE, ask: {}, count: 4, want: ["limits.rate "] },
  { it: "an unknown number blocks", section: RATE, ask: {}, want: ["limits.unknown "] },
  { it: "as many texts as allowed pass", section: { texts: 2 }, ask: texts("a", "b"), want: [] },
  { it: "one more does not", section: { texts: 1 }, ask: texts("a", "b"), want: ["limits.size /material/texts"] },
  {
    it: "a text too long",
    section: { text_length: 3 },
    ask: texts("abc", "abcd"),
    want: ["limits.size /material/texts/1/text"],
  },
  {
    it: "too many URLs",
    section: { urls: 0 },
    ask: { material: { urls: ["https://a.example/"] } },
    want: ["limits.size /material/urls"],
  },
  {
    it: "parameters too long",
    section: { parameters_length: 8 },
    ask: { action: { kind: "file", verb: "write", target: "/a", parameters: { a: "1234" } } },
    want: ["limits.size /action/parameters"],
  },
])("$it", ({ section, ask, count, want }) => {
  expect(codes(section, ask, count)).toEqual(want);
});
