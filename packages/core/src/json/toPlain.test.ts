import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLimits, parseJson } from "./parseJson.ts";
import { toPlain } from "./toPlain.ts";

const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(40)).map(([n, zeros]) => `${n}.${"0".repeat(zeros)}1`),
  fc.constantFrom("1.0", "-0", "1e2", "1E+2", "9007199254740993", "0.1000"),
);

test("agrees with reading the text plainly, refusals included", () => {
  fc.assert(
    fc.property(fc.array(numberText), fc.string(), (numbers, key) => {
      const text = `{${JSON.stringify(key)}:[${numbers.join(",")}],"__proto__":1}`;
      const plain = parseJson(text, jsonLimits, "plain");
      const exact = parseJson(text, jsonLimits, "exact");
      if (!exact.ok) {
        expect(plain.ok).toBe(false);
        return;
      }
      const made = toPlain(exact.value);
      expect(made.ok).toBe(plain.ok);
      if (made.ok && plain.ok) expect(made.value).toEqual(plain.value);
      if (!made.ok && !plain.ok)
        expect([made.error.code, made.error.path]).toEqual([plain.error.code, plain.error.path]);
    }),
  );
});
