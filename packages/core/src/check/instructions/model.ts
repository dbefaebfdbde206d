import { MEANING_SLOTS, SLOTS } from "./features.ts";
import type { Model, StoredModel } from "./storedModel.ts";
import { WEIGHTS } from "./weights.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Reads a stored model; one whose weights are not one byte a slot is a broken build. */
export function readModel({ data, ...rest }: StoredModel): Model {
  const values = new Uint8Array(128);
  for (let i = 0; i < 64; i += 1) values[ALPHABET.charCodeAt(i)] = i;
  const weights = new Int8Array(SLOTS);
  let size = 0;
  for (let i = 0; i < data.length; i += 4) {
    const held =
      ((values[data.charCodeAt(i)] as number) << 18) |
      ((values[data.charCodeAt(i + 1)] as number) << 12) |
      ((values[data.charCodeAt(i + 2)] as number) << 6) |
      (values[data.charCodeAt(i + 3)] as number);
    weights[size] = held >> 16;
    weights[size + 1] = held >> 8;
    weights[size + 2] = held;
    size += 3;
  }
  if (size < SLOTS || size > SLOTS + 2) throw new Error("the stored weights do not fill the table");
  return { ...rest, weights };
}

let shipped: Model | undefined;

/** The model that comes with this version, read when first asked for. */
export function shippedModel(): Model {
  shipped ??= readModel(WEIGHTS);
  return shipped;
}

export const unitOf = (model: Model, slot: number): number =>
  slot < MEANING_SLOTS ? model.meaningUnit : model.wordUnit;

/** The score of log-odds: rises with them, and is the same to the bit everywhere, for it takes no logarithm and no exponential. */
export function scoreOf({ knots }: Model, logOdds: number): number {
  let [x0, y0] = knots[0] ?? [0, 0];
  if (logOdds <= x0) return y0;
  for (const [x1, y1] of knots) {
    if (logOdds < x1) return round(y0 + ((y1 - y0) * (logOdds - x0)) / (x1 - x0));
    [x0, y0] = [x1, y1];
  }
  return y0;
}

const round = (score: number): number => Math.floor(score * 10000) / 10000;
