import type { TextSource } from "../../action/action.ts";
import { conceptVocabulary } from "./lexicon/lexicon.ts";
import { findRules, RULES, type RuleHit } from "./rules.ts";
import { bandOf, MAX_SIGNALS, type Scan, type Signal } from "./types.ts";
import { spanOf, type View, viewsOf } from "./views.ts";

export interface ScanOptions {
  /** Where the text came from; without it the text is judged as a tool's answer would be. */
  readonly source?: TextSource;
}

const REACH = 160;
const BIAS = -3.6;
const HIDDEN = 1.2;

/**
 * How likely it is that `text` carries instructions for the agent that reads it. Deterministic, offline, linear in the length of the text;
 * any UTF-16 is accepted and nothing throws.
 */
export function scanText(text: string, _options: ScanOptions = {}): Scan {
  let best = BIAS;
  let signals: Signal[] = [];
  for (const view of viewsOf(text, conceptVocabulary())) {
    const hits = findRules(view.tokens);
    const [sum, from, to] = densest(view, hits);
    const logit = BIAS + sum + (view.depth > 0 && sum > 0 ? HIDDEN : 0);
    if (logit <= best) continue;
    best = logit;
    signals = signalsOf(view, hits.slice(from, to));
  }
  const score = 1 / (1 + Math.exp(-best));
  return { score, band: bandOf(score), signals };
}

/** The stretch of hits within reach of each other whose different rules weigh most. */
function densest(view: View, hits: readonly RuleHit[]): [sum: number, from: number, to: number] {
  const counts = new Uint16Array(RULES.length);
  const place = (hit: RuleHit): number => view.tokens.places[hit.last] as number;
  let best: [number, number, number] = [0, 0, 0];
  let sum = 0;
  let from = 0;
  hits.forEach((hit, index) => {
    if (counts[hit.rule] === 0) sum += RULES[hit.rule]?.weight ?? 0;
    counts[hit.rule] = (counts[hit.rule] as number) + 1;
    while (place(hit) - place(hits[from] as RuleHit) > REACH) {
      const old = (hits[from] as RuleHit).rule;
      counts[old] = (counts[old] as number) - 1;
      if (counts[old] === 0) sum -= RULES[old]?.weight ?? 0;
      from += 1;
    }
    if (sum > best[0]) best = [sum, from, index + 1];
  });
  return best;
}

function signalsOf(view: View, hits: readonly RuleHit[]): Signal[] {
  const seen = new Set<number>();
  const signals: Signal[] = [];
  for (const hit of hits) {
    const rule = RULES[hit.rule];
    if (rule === undefined || seen.has(hit.rule)) continue;
    seen.add(hit.rule);
    const [start, end] = spanOf(view, view.tokens.from[hit.first] as number, view.tokens.to[hit.last] as number);
    signals.push({ rule: rule.id, view: view.name, start, end, weight: rule.weight });
  }
  return signals.sort((a, b) => b.weight - a.weight || a.start - b.start).slice(0, MAX_SIGNALS);
}
