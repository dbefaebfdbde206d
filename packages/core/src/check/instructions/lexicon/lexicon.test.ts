import { describe, expect, test } from "vitest";
import { CLASSES } from "../shape.ts";
import { CONCEPTS } from "./concept.ts";
import { english } from "./english.ts";
import { LEXICONS, phrasesOf } from "./lexicon.ts";

test("every concept has English words, and every class fits a byte", () => {
  expect(CONCEPTS.filter((concept) => english[concept] === undefined)).toEqual([]);
  expect(CLASSES).toBeLessThan(256);
});

test("folding leaves no word of any language empty", () => {
  for (const lexicon of LEXICONS)
    for (const words of Object.values(lexicon)) expect(words.split(",").map((word) => word.trim())).not.toContain("");
});

describe("no language says one thing twice", () => {
  test.each(LEXICONS.map((lexicon, number) => ({ number, lexicon })))("lexicon $number", ({ lexicon }) => {
    const seen = new Map<string, number>();
    const twice: string[] = [];
    for (const { text, open, value } of phrasesOf([lexicon])) {
      const key = `${text}${open ? "*" : ""}`;
      if (seen.has(key)) twice.push(`${key}: ${CONCEPTS[(seen.get(key) ?? 1) - 1]} and ${CONCEPTS[value - 1]}`);
      seen.set(key, value);
    }
    expect(twice).toEqual([]);
  });
});
