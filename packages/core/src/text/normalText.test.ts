import fc from "fast-check";
import { expect, test } from "vitest";
import { type NormalForm, normalText } from "./normalText.ts";

const FORMS: readonly NormalForm[] = ["NFC", "NFD", "NFKC", "NFKD"];
const MARKS = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{M}\uff9e\uff9f]/u.test(one),
);

test.each(FORMS)("%s of runs of any marks is what the engine makes of them", (form) => {
  const mark = fc.constantFrom(...MARKS);
  // A few marks over and over, and all there are.
  const run = fc.oneof(
    fc.array(mark, { minLength: 1_100, maxLength: 1_500 }),
    fc
      .array(mark, { minLength: 2, maxLength: 5 })
      .map((few) => Array.from({ length: 1_500 }, (_, at) => few[at % few.length])),
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), run, fc.string({ unit: "binary" }), (before, marks, after) => {
      const text = before + marks.join("") + after;
      expect(normalText(text, form)).toBe(text.normalize(form));
    }),
    { numRuns: 60 },
  );
});

test.each(FORMS)("%s of every mark once, backwards, and of every mark before and after every class", (form) => {
  const text = `a${[...MARKS].reverse().join("")}${MARKS.join("")}\u00e1${MARKS.map((one) => `${one}\u0334\u0345`).join("")}`;
  expect(normalText(text, form)).toBe(text.normalize(form));
});

test.each(FORMS)("%s of half a megabyte of marks out of order ends", (form) => {
  // The engine alone needs minutes: this test ends, or it does not.
  const text = `a${"\u0301\u0327".repeat(250_000)}`;
  const marks = normalText(text, form);
  expect(marks.lastIndexOf("\u0327")).toBeLessThan(marks.indexOf("\u0301"));
  expect(marks.length).toBeGreaterThanOrEqual(499_999);
});
