import { expect, test } from "vitest";
import { suggest } from "./suggest.ts";

test.each([
  { wrong: "clauses_", want: "clauses" },
  { wrong: "cluases", want: "clauses" },
  { wrong: "requires-human", want: "requires_human" },
  { wrong: "Default", want: "default" },
  { wrong: "id", want: undefined },
  { wrong: "colour", want: undefined },
  { wrong: "x".repeat(10_000), want: undefined },
])("for $wrong suggests $want", ({ wrong, want }) => {
  expect(suggest(wrong, ["clauses", "requires_human", "default"])).toBe(want);
});
