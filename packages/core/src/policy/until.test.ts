import { expect, test } from "vitest";
import { hasEnded } from "./until.ts";

const at = (epochSeconds: number, fraction = "") => ({ epochSeconds, fraction });

test.each([
  { inclusive: true, now: at(9, "999"), want: false },
  { inclusive: true, now: at(10), want: false },
  { inclusive: true, now: at(10, "001"), want: true },
  { inclusive: false, now: at(9, "999"), want: false },
  { inclusive: false, now: at(10), want: true },
])("until 10, inclusive $inclusive, at $now: ended is $want", ({ inclusive, now, want }) => {
  expect(hasEnded({ until: at(10), inclusive }, now)).toBe(want);
});
