import fc from "fast-check";
import { expect, test } from "vitest";
import { isMultipleOf } from "./multipleOf.ts";

test.each([
  { value: 0.3, step: 0.1, want: true },
  { value: 0.00000005, step: 0.01, want: false },
  { value: 19.99, step: 0.01, want: true },
  { value: 19.999, step: 0.01, want: false },
  { value: 0, step: 0.01, want: true },
  { value: -0, step: 7, want: true },
  { value: -4.5, step: 1.5, want: true },
  { value: 1e308, step: 0.123456789, want: false },
  { value: 1e308, step: 1e-308, want: true },
  { value: 5e-324, step: 5e-324, want: true },
  { value: 9007199254740992, step: 2, want: true },
  { value: 9007199254740994, step: 4, want: false },
])("$value is a multiple of $step: $want", ({ value, step, want }) => {
  expect(isMultipleOf(value, step)).toBe(want);
});

test("agrees with whole numbers of the smallest unit", () => {
  const unit = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 1e6 }), unit, (value, step, decimals) => {
      // Divided by a power of ten, each is the double nearest to the decimal it is written as.
      const scale = 10 ** decimals;
      expect(isMultipleOf(value / scale, step / scale)).toBe(value % step === 0);
    }),
  );
});

test("takes any finite numbers", () => {
  const step = fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), step, (value, by) => {
      expect(typeof isMultipleOf(value, by)).toBe("boolean");
    }),
  );
});
