import fc from "fast-check";
import { expect, test } from "vitest";
import { buildLiterals } from "./literals.ts";

const hits = (words: readonly string[], text: string): string[] => {
  const found: string[] = [];
  buildLiterals(words).scan(text, (word, start) => found.push(`${word}@${start}`));
  return found;
};

test("words inside words, at each other's ends and in any letter case are all found", () => {
  expect(hits(["he", "she", "HERS", "sk-"], "uSHErs sk-")).toEqual(["1@1", "0@2", "2@2", "3@7"]);
});

test("characters beyond ASCII are part of no word", () => {
  expect(hits(["k"], "\u212ak\u212a")).toEqual(["0@1"]);
});

test("the automaton and the obvious search cannot be told apart", () => {
  const letter = fc.constantFrom("a", "b", "A", "-", "é");
  const word = fc.string({ unit: fc.constantFrom("a", "b", "B", "-"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.string({ unit: letter, maxLength: 30 }), (words, text) => {
      const lower = text.toLowerCase();
      const expected = words.flatMap((each, number) =>
        [...lower].flatMap((_, at) => (lower.startsWith(each.toLowerCase(), at) ? [`${number}@${at}`] : [])),
      );
      expect(hits(words, text).sort()).toEqual(expected.sort());
    }),
  );
});
