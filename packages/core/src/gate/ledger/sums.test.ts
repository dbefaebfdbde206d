import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDecimal, parseDecimal, zero } from "../../money/decimal.ts";
import { exact, rangesAt, rangesSince, SHIFTS, Sums } from "./sums.ts";

const instant = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 40 * 86_400_000 });
const near = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 40_000 });
const at = fc.oneof(instant, near);

test("the sum since any instant is that of the payments since then, as if each were looked at", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ at, cents: fc.nat(100_000), freed: fc.boolean() }), { maxLength: 40 }),
      at,
      (payments, from) => {
        const sums = new Sums();
        for (const payment of payments) {
          const amount = exact(formatCents(payment.cents));
          sums.add("s", payment.at, amount);
          if (payment.freed) sums.subtract("s", payment.at, amount);
        }
        const counted = payments.filter((payment) => payment.at >= from && !payment.freed);
        const expected = counted.reduce((sum, { cents }) => sum + cents, 0);
        expect(formatDecimal(sums.since("s", from))).toBe(formatCents(expected));
      },
    ),
  );
});

test("the stretches since an instant hold every later instant once, and no earlier one", () => {
  fc.assert(
    fc.property(at, at, (from, asked) => {
      const ranges = rangesSince("s", from);
      const holding = ranges.filter((range) => {
        const [own] = rangesAt("s", asked).filter(({ shift }) => shift === range.shift);
        return own !== undefined && own.from >= range.from && own.from <= range.to;
      });
      expect(holding).toHaveLength(asked >= from ? 1 : 0);
    }),
  );
});

test("a sum reads few stretches, however long ago it begins", () => {
  fc.assert(
    fc.property(at, (from) => {
      const ranges = rangesSince("s", from);
      expect(ranges.length).toBeLessThanOrEqual(SHIFTS.length);
      for (const { from: first, to, shift } of ranges) if (shift !== 28) expect(to - first).toBeLessThan(128);
    }),
  );
});

test("a sum that would need more digits than are kept does not fit", () => {
  const sums = new Sums();
  const most = exact("9".repeat(78));
  sums.add("s", 1, most);
  expect(sums.fits("s", 1, exact("1"))).toBe(false);
  expect(sums.fits("other", 1, most)).toBe(true);
  expect(formatDecimal(sums.since("s", 2))).toBe(formatDecimal(zero));
});

test("an amount in the ledger that is none is a broken invariant", () => {
  expect(() => exact("1e3")).toThrow("is not a decimal");
});

function formatCents(cents: number): string {
  const parsed = parseDecimal(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`);
  return parsed.ok ? formatDecimal(parsed.value) : "";
}
