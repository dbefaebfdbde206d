import { expect, test } from "vitest";
import { random } from "./random.ts";

test("random bytes are of the length that was asked for, and never the same ones again", () => {
  const seen = new Set<string>();
  for (const length of [16, 32, 10, 4095, 32, 4096, 5000, 32]) {
    for (let count = 0; count < 200; count += 1) {
      const bytes = random(length);
      expect(bytes).toHaveLength(length);
      seen.add(Buffer.from(bytes).toString("hex"));
    }
  }
  expect(seen.size).toBe(8 * 200);
});

test("a piece that was given is the caller's alone", () => {
  const [first, second] = [random(32), random(32)];
  const before = second.slice();
  first.fill(0);
  expect(second).toEqual(before);
  expect(first.buffer.byteLength).toBe(32);
});

test("every byte is as likely as another, and none is left at zero", () => {
  const counts = new Array<number>(256).fill(0);
  for (let count = 0; count < 4_000; count += 1) for (const byte of random(64)) counts[byte] = (counts[byte] ?? 0) + 1;
  // A thousand are expected of each; one in 10^12 runs would leave this range.
  expect(Math.min(...counts)).toBeGreaterThan(740);
  expect(Math.max(...counts)).toBeLessThan(1260);
});
