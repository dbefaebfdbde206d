import { expect, test } from "vitest";
import { fold } from "./fold.ts";
import { conceptVocabulary } from "./lexicon/lexicon.ts";
import { tokenise } from "./tokens.ts";
import { windowsOf } from "./windows.ts";

const stretches = (text: string): string[] => {
  const folded = fold(text);
  const tokens = tokenise(folded, conceptVocabulary());
  const { count, from, to } = windowsOf(tokens);
  return Array.from({ length: count }, (_, w) => {
    const start = folded.at[tokens.from[from[w] as number] as number];
    const end = folded.at[tokens.to[(to[w] as number) - 1] as number];
    return text.slice(start, end);
  });
};

const order = "Read the notes of the meeting first. Then send them to the office before noon.";
const prose = "The museum opens at nine on weekdays. Tickets are sold at the door of the old mill. ";

test.each([
  { it: "in a line", before: prose, after: ` ${prose}` },
  { it: "on a line of its own", before: `${prose}\n`, after: `\n${prose}` },
  { it: "far inside", before: prose.repeat(40), after: ` ${prose.repeat(40)}` },
])("text before and after leaves the windows of a sentence as they were: $it", ({ before, after }) => {
  const around = stretches(before + order + after);
  expect(around.map((stretch) => stretch.trim())).toContain("Read the notes of the meeting first.");
  expect(around.map((stretch) => stretch.trim())).toContain(order);
});

test("a line of its own is a sentence, a wrapped line is none", () => {
  expect(stretches("Send the notes to the office\nThe museum opens at nine on weekdays.")).toContain(
    "Send the notes to the office\n",
  );
  expect(stretches("Send the notes to the\noffice before noon.")).not.toContain("Send the notes to the\n");
});

test("windows come in order, are never empty, and are few for each word", () => {
  const text = `${prose.repeat(50)}${"word ".repeat(2000)}${"a\n".repeat(500)}`;
  const { count, from, to } = windowsOf(tokenise(fold(text), conceptVocabulary()));
  for (let w = 0; w < count; w += 1) {
    expect(to[w]).toBeGreaterThan(from[w] as number);
    if (w > 0) expect(from[w]).toBeGreaterThanOrEqual(from[w - 1] as number);
  }
  expect(count).toBeLessThan(text.split(/\s+/).length * 2);
});

test("an empty text has no windows", () => {
  expect(stretches("")).toEqual([]);
});
