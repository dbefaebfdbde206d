import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SLOTS } from "./features.ts";
import { readModel, scoreOf, shippedModel } from "./model.ts";
import { bandOf, THRESHOLDS } from "./types.ts";
import { WEIGHTS } from "./weights.ts";

test("the shipped weights fill the table, byte for byte", () => {
  const { weights } = shippedModel();
  expect(weights.length).toBe(SLOTS);
  expect(Buffer.from(WEIGHTS.data, "base64").equals(Buffer.from(weights.buffer))).toBe(true);
});

test("the model and its file stay below one MiB", () => {
  expect(WEIGHTS.data.length).toBeLessThan(1024 * 1024);
});

test("weights of another size are a broken build", () => {
  expect(() => readModel({ ...WEIGHTS, data: WEIGHTS.data.slice(4) })).toThrow("do not fill the table");
});

describe("the score", () => {
  const model = shippedModel();
  const ends = model.knots.map(([logOdds]) => logOdds);

  test("has the default thresholds as fixed points", () => {
    for (const threshold of Object.values(THRESHOLDS))
      expect(model.knots.map(([, score]) => score)).toContain(threshold);
    for (const [logOdds, score] of model.knots) expect(scoreOf(model, logOdds)).toBeCloseTo(score, 3);
  });

  test("lies in [0, 1] and rises with the log-odds", () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        const [low, high] = [scoreOf(model, Math.min(a, b)), scoreOf(model, Math.max(a, b))];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low);
      }),
    ));

  test("ends in 0 and 1", () => {
    expect(scoreOf(model, Math.min(...ends) - 1)).toBe(0);
    expect(scoreOf(model, Math.max(...ends) + 1)).toBe(1);
  });
});

describe("bands", () => {
  test.each([
    { score: 0.5999, band: "pass" },
    { score: 0.6, band: "warn" },
    { score: 0.8, band: "quarantine" },
    { score: 0.95, band: "block" },
  ])("$score is $band", ({ score, band }) => {
    expect(bandOf(score)).toBe(band);
  });

  test("thresholds of one's own are kept", () => {
    expect(bandOf(0.5, { warn: 0.3, quarantine: 0.4, block: 0.5 })).toBe("block");
  });
});
