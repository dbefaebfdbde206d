import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "./fold.ts";
import { tokenise } from "./tokens.ts";
import { buildVocabulary, type Phrase } from "./vocabulary.ts";

const word = fc.constantFrom("ab", "abc", "b", "ba", "cab", "忽", "略");
const phrase: fc.Arbitrary<Phrase> = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  open: fc.boolean(),
  value: fc.integer({ min: 1, max: 60 }),
});
const cellsOf = (text: string): string[] => text.split(" ").filter((cell) => cell !== "");

/** What the trie must find: at each cell the longest phrase, the first of equals; its cells are then used up. */
function obvious(phrases: readonly Phrase[], text: string): number[] {
  const cells = cellsOf(text);
  const found: number[] = [];
  for (let i = 0; i < cells.length; ) {
    let best = 0;
    let value = 0;
    for (const whole of [false, true]) {
      for (const { text: words, open, value: meaning } of phrases) {
        const parts = cellsOf(words);
        const stem = open && /^[a-z]{2,}$/.test(parts.at(-1) ?? "");
        if (stem === whole) continue;
        const fits = parts.every((part, k) => {
          const cell = cells[i + k];
          return k === parts.length - 1 && stem
            ? cell?.startsWith(part) === true && isLongestStem(phrases, cells, i, parts)
            : cell === part;
        });
        if (fits && (parts.length > best || (parts.length === best && whole && !(value !== 0 && wholeSeen)))) {
          best = parts.length;
          value = meaning;
          wholeSeen = whole;
        }
      }
    }
    wholeSeen = false;
    if (best > 0) found.push(value);
    i += Math.max(best, 1);
  }
  return found;
}
let wholeSeen = false;

/** Of the stems that a word begins with the longest one counts, whichever phrase it belongs to. */
function isLongestStem(
  phrases: readonly Phrase[],
  cells: readonly string[],
  i: number,
  parts: readonly string[],
): boolean {
  const cell = cells[i + parts.length - 1] ?? "";
  const stems = phrases.flatMap(({ text, open }) => {
    const last = cellsOf(text).at(-1) ?? "";
    return open && /^[a-z]{2,}$/.test(last) && cell.startsWith(last) ? [last.length] : [];
  });
  return (parts.at(-1) ?? "").length === Math.max(...stems);
}

test("finds what reading every phrase at every word finds", () =>
  fc.assert(
    fc.property(
      fc.array(phrase, { minLength: 1, maxLength: 8 }),
      fc.array(word, { maxLength: 12 }),
      (phrases, words) => {
        const text = words.join(" ");
        const { count, classes } = tokenise(fold(text), buildVocabulary(phrases));
        const found = [...classes.subarray(0, count)].filter((kind) => kind >= 1 && kind <= 60);
        expect(found).toEqual(obvious(phrases, text));
      },
    ),
    { numRuns: 500 },
  ));

describe("phrases", () => {
  const vocabulary = buildVocabulary([
    { text: "ignore", open: false, value: 1 },
    { text: "instruktion", open: true, value: 2 },
    { text: "system prompt", open: false, value: 3 },
    { text: "忽略", open: false, value: 4 },
    { text: "تعليمات", open: true, value: 5 },
  ]);
  const meanings = (text: string): number[] => {
    const { count, classes } = tokenise(fold(text), vocabulary);
    return [...classes.subarray(0, count)].filter((kind) => kind >= 1 && kind <= 5);
  };

  test.each([
    { it: "a whole word", text: "please ignore it", want: [1] },
    { it: "not a longer word", text: "ignored ignorance", want: [] },
    { it: "a stem that goes on", text: "Instruktionen", want: [2] },
    { it: "words over a line's end", text: "the system\nprompt", want: [3] },
    { it: "words with markup between", text: "system</b> prompt", want: [] },
    { it: "words in quotes", text: '"system" "prompt"', want: [3] },
    { it: "not over a sentence's end", text: "the system. Prompt answers help", want: [] },
    { it: "letters of an unspaced script", text: "请忽略它", want: [4] },
    { it: "an Arabic word behind its article and conjunction", text: "والتعليمات بتعليماتك", want: [5, 5] },
  ])("$it", ({ text, want }) => {
    expect(meanings(text)).toEqual(want);
  });
});
