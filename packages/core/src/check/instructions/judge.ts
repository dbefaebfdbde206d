import { featuresOf } from "./features.ts";
import { unitOf } from "./model.ts";
import type { RuleHit } from "./rules.ts";
import type { Model } from "./storedModel.ts";
import type { Tokens } from "./tokens.ts";
import { type Windows, windowsOf } from "./windows.ts";

/** The window of a view that looks most like an attack. */
export interface Judged {
  readonly logOdds: number;
  readonly windows: number;
  /** Tokens [from, to); both 0 in a text without tokens. */
  readonly from: number;
  readonly to: number;
}

/** Tokens that every window is thought to have besides its own: short windows need more evidence. */
export const EXTRA_TOKENS = 4;

/** Judges every window of a view and gives the worst; `written` has the rules' weights. */
export function judgeTokens(model: Model, tokens: Tokens, hits: readonly RuleHit[], written: Float64Array): Judged {
  const sums = tokenSums(model, tokens, hits);
  const windows = windowsOf(tokens);
  const rules = new RuleSums(hits, written);
  let best = model.bias;
  let at = -1;
  for (let w = 0; w < windows.count; w += 1) {
    const logOdds = windowLogOdds(model, sums, windows, w, rules);
    if (at === -1 || logOdds > best) {
      best = logOdds;
      at = w;
    }
  }
  const [from, to] = at === -1 ? [0, 0] : [windows.from[at] as number, windows.to[at] as number];
  return { logOdds: best, windows: windows.count, from, to };
}

function windowLogOdds(model: Model, sums: Float64Array, windows: Windows, w: number, rules: RuleSums): number {
  const from = windows.from[w] as number;
  const to = windows.to[w] as number;
  const learned = ((sums[to] as number) - (sums[from] as number)) / Math.sqrt(to - from + EXTRA_TOKENS);
  return model.bias + learned + model.writtenShare * rules.within(from, to);
}

/** Running sums of what each token's features weigh: a window's sum is a difference. */
function tokenSums(model: Model, tokens: Tokens, hits: readonly RuleHit[]): Float64Array {
  const { starts, slots } = featuresOf(tokens, hits);
  const sums = new Float64Array(tokens.count + 1);
  let sum = 0;
  for (let token = 0; token < tokens.count; token += 1) {
    const end = starts[token + 1] as number;
    for (let k = starts[token] as number; k < end; k += 1) {
      const slot = slots[k] as number;
      sum += (model.weights[slot] as number) * unitOf(model, slot);
    }
    sums[token + 1] = sum;
  }
  return sums;
}

/** Sums the written weights of the different rules met inside a window; windows come in order of where they start. */
class RuleSums {
  private readonly hits: readonly RuleHit[];
  private readonly written: Float64Array;
  private readonly stamps: Int32Array;
  private stamp = 0;
  private first = 0;

  constructor(hits: readonly RuleHit[], written: Float64Array) {
    this.hits = hits;
    this.written = written;
    this.stamps = new Int32Array(written.length);
  }

  within(from: number, to: number): number {
    const { hits, stamps } = this;
    while (this.first < hits.length && (hits[this.first] as RuleHit).last < from) this.first += 1;
    this.stamp += 1;
    let sum = 0;
    for (let k = this.first; k < hits.length; k += 1) {
      const hit = hits[k] as RuleHit;
      if (hit.last >= to) break;
      if (hit.first < from || stamps[hit.rule] === this.stamp) continue;
      stamps[hit.rule] = this.stamp;
      sum += this.written[hit.rule] as number;
    }
    return sum;
  }
}

/** Windows that cost nothing, about 10 kB: text around an attack must not hide it. */
const FREE_WINDOWS = 1024;

/** Doublings in the number of windows beyond those, straight between powers of two: what chance gains with length. */
export function lengthOf(windows: number): number {
  const ratio = windows / FREE_WINDOWS;
  if (ratio <= 1) return 0;
  const whole = 31 - Math.clz32(ratio);
  return whole + ratio / 2 ** whole - 1;
}
