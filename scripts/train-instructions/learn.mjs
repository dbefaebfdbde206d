// Logistic regression over windows: AdaGrad in a fixed order, so that the same corpora give the same weights to the bit on every machine.
import { SLOTS } from "../../packages/core/dist/check/instructions/features.js";
import { EXTRA_TOKENS } from "../../packages/core/dist/check/instructions/judge.js";
import { writtenWeights } from "../../packages/core/dist/check/instructions/ruleTable.js";

/** A linear congruential generator: the order of examples is part of the recipe. */
export function sequence(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const norm = (tokens) => Math.sqrt(tokens + EXTRA_TOKENS);

/**
 * Share of the rules' written weights that is added to what is learned. The learned part sees the rules too, but through the corpora; the
 * written weights hold for attacks that are in none.
 */
export const WRITTEN_SHARE = 0.6;

const WEIGHTS = writtenWeights(undefined);

export function written(x, w) {
  let sum = 0;
  for (const rule of x.rules[w]) sum += WEIGHTS[rule];
  return sum;
}

export function windowScore(x, model, w) {
  let sum = 0;
  for (let k = x.from[w]; k < x.to[w]; k += 1) sum += model.weights[x.slots[k]];
  return model.bias + sum / norm(x.tokens[w]) + written(x, w) * WRITTEN_SHARE;
}

/** `examples` is a list of {w, y, weight}. Slots below `border` decay by `decayMeaning`. */
export function regress(x, examples, { epochs, rate, decayMeaning, decayWord, border, seed }) {
  const weights = new Float32Array(SLOTS);
  const sums = new Float32Array(SLOTS).fill(1e-2);
  let bias = 0;
  let biasSum = 1e-2;
  const order = Int32Array.from({ length: examples.length }, (_, i) => i);
  const random = sequence(seed);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      const held = order[i];
      order[i] = order[j];
      order[j] = held;
    }
    const step = rate / (1 + epoch * 0.5);
    for (let i = 0; i < order.length; i += 1) {
      const { w, y, weight } = examples[order[i]];
      const from = x.from[w];
      const to = x.to[w];
      const scale = 1 / norm(x.tokens[w]);
      let sum = 0;
      for (let k = from; k < to; k += 1) {
        sum += weights[x.slots[k]];
      }
      const p = 1 / (1 + Math.exp(-(bias + sum * scale)));
      const error = (p - y) * weight;
      biasSum += error * error;
      bias -= (step * error) / Math.sqrt(biasSum);
      const g = error * scale;
      if (g < 1e-5 && g > -1e-5) continue;
      for (let k = from; k < to; k += 1) {
        const slot = x.slots[k];
        const held = weights[slot];
        const gradient = g + (slot < border ? decayMeaning : decayWord) * held;
        const total = sums[slot] + gradient * gradient;
        sums[slot] = total;
        weights[slot] = held - (step * gradient) / Math.sqrt(total);
      }
    }
  }
  return { weights, bias };
}
