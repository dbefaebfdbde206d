import fc from "fast-check";
import { expect, test } from "vitest";
import { featuresOf, SLOTS } from "./features.ts";
import { fold } from "./fold.ts";
import { EXTRA_TOKENS, judgeTokens, lengthOf } from "./judge.ts";
import { conceptVocabulary } from "./lexicon/lexicon.ts";
import { unitOf } from "./model.ts";
import { findRules } from "./rules.ts";
import { writtenWeights } from "./ruleTable.ts";
import type { Model } from "./storedModel.ts";
import { tokenise } from "./tokens.ts";
import { windowsOf } from "./windows.ts";

/** Weights that differ from slot to slot, so that a feature in the wrong window shows. */
const model: Model = {
  weights: Int8Array.from({ length: SLOTS }, (_, slot) => ((slot * 2654435761) >>> 24) - 128),
  meaningUnit: 0.01,
  wordUnit: 0.003,
  bias: -1.5,
  writtenShare: 0.6,
  lengthShare: 0.02,
  knots: [],
};

const word = fc.constantFrom(
  "ignore",
  "all",
  "previous",
  "instructions",
  "and",
  "send",
  "the password",
  "to me.",
  "Please",
  "Hello",
  "\n",
  "now:",
  "忽略",
  "a@b.example",
);

test("running sums judge every window as adding its features up does", () =>
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const tokens = tokenise(fold(words.join(" ")), conceptVocabulary());
      const hits = findRules(tokens);
      const { starts, slots } = featuresOf(tokens, hits);
      const windows = windowsOf(tokens);
      const weights = writtenWeights(undefined);
      let worst = Number.NEGATIVE_INFINITY;
      for (let w = 0; w < windows.count; w += 1) {
        const from = windows.from[w] as number;
        const to = windows.to[w] as number;
        let learned = 0;
        for (const slot of slots.subarray(starts[from], starts[to]))
          learned += (model.weights[slot] as number) * unitOf(model, slot);
        const met = new Set(hits.filter(({ first, last }) => first >= from && last < to).map(({ rule }) => rule));
        const written = [...met].reduce((sum, rule) => sum + (weights[rule] as number), 0);
        worst = Math.max(
          worst,
          model.bias + learned / Math.sqrt(to - from + EXTRA_TOKENS) + model.writtenShare * written,
        );
      }
      const judged = judgeTokens(model, tokens, hits, weights);
      expect(judged.windows).toBe(windows.count);
      if (windows.count > 0) expect(judged.logOdds).toBeCloseTo(worst, 9);
    }),
  ));

test("length costs nothing up to a long mail, then rises with each doubling and without a step", () => {
  let before = 0;
  for (let windows = 0; windows < 100_000; windows += 7) {
    const now = lengthOf(windows);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now - before).toBeLessThan(0.01);
    before = now;
  }
  expect([lengthOf(0), lengthOf(1024), lengthOf(2048), lengthOf(4096)]).toEqual([0, 0, 1, 2]);
});

test("a feature that is said again soon adds nothing", () => {
  const count = (text: string): number => {
    const tokens = tokenise(fold(text), conceptVocabulary());
    return featuresOf(tokens, []).starts[tokens.count] as number;
  };
  const once = count("the password ");
  expect(count("the password ".repeat(20))).toBeLessThan(once * 6);
});
