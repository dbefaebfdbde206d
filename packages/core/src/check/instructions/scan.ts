import { TEXT_SOURCES, type TextSource } from "../../action/action.ts";
import { judgeTokens, lengthOf } from "./judge.ts";
import { conceptVocabulary } from "./lexicon/lexicon.ts";
import { scoreOf, shippedModel } from "./model.ts";
import { findRules, type RuleHit } from "./rules.ts";
import { RULES, writtenWeights } from "./ruleTable.ts";
import type { Model } from "./storedModel.ts";
import { bandOf, MAX_SIGNALS, type Scan, type Signal } from "./types.ts";
import { spanOf, type View, viewsOf } from "./views.ts";

export interface ScanOptions {
  /** Where the text came from: what a user may ask is an intrusion in a tool's answer. Without it nothing is assumed. */
  readonly source?: TextSource;
}

/**
 * How likely it is that `text` carries instructions for the agent that reads it. Deterministic, offline, linear in the length of the text;
 * any UTF-16 is accepted and nothing throws. The signals are those of the stretch of text, in whichever view, that looks most like an attack.
 */
export function scanText(text: string, options: ScanOptions = {}): Scan {
  return scanWith(shippedModel(), text, options);
}

/** Log-odds that a source adds, besides what it takes from the rules: a user speaks to the agent by right, a tool's answer never does. */
const SOURCE: Readonly<Record<TextSource, number>> = {
  user: -0.6,
  tool: 0.2,
  mail: 0,
  web: 0,
  tool_description: 0,
  document: 0,
};

const WRITTEN = new Map([undefined, ...TEXT_SOURCES].map((source) => [source, writtenWeights(source)]));

interface Worst {
  readonly logOdds: number;
  readonly from: number;
  readonly to: number;
  readonly view: View;
  readonly hits: readonly RuleHit[];
}

/** The same with a model of one's own. */
export function scanWith(model: Model, text: string, { source }: ScanOptions = {}): Scan {
  const written = WRITTEN.get(source) ?? writtenWeights(source);
  let worst: Worst | undefined;
  let windows = 0;
  for (const view of viewsOf(text, conceptVocabulary())) {
    const hits = findRules(view.tokens);
    const judged = judgeTokens(model, view.tokens, hits, written);
    if (judged.windows > 0 && (worst === undefined || judged.logOdds > worst.logOdds))
      worst = { ...judged, view, hits };
    windows += judged.windows;
  }
  if (worst === undefined) return { score: 0, band: "pass", signals: [] };
  const offset = source === undefined ? 0 : SOURCE[source];
  const score = scoreOf(model, worst.logOdds + offset - model.lengthShare * lengthOf(windows));
  return { score, band: bandOf(score), signals: signalsOf(worst, written) };
}

/** The window as a whole when it speaks for an attack, then the rules that were met in it, the strongest first. */
function signalsOf({ logOdds, from, to, view, hits }: Worst, written: Float64Array): Signal[] {
  const signalAt = (rule: string, first: number, last: number, weight: number): Signal => {
    const [start, end] = spanOf(view, view.tokens.from[first] as number, view.tokens.to[last] as number);
    return { rule, view: view.name, start, end, weight: Math.round(weight * 1000) / 1000 };
  };
  const met = new Map<string, Signal>();
  for (const { rule, first, last } of hits) {
    const id = RULES[rule]?.id ?? "";
    const weight = written[rule] as number;
    if (first >= from && last < to && weight > 0 && !met.has(id)) met.set(id, signalAt(id, first, last, weight));
  }
  const rules = [...met.values()].sort(
    (a, b) => b.weight - a.weight || a.start - b.start || (a.rule < b.rule ? -1 : 1),
  );
  return [...(logOdds > 0 ? [signalAt("window", from, to - 1, logOdds)] : []), ...rules].slice(0, MAX_SIGNALS);
}
