import type { TextSource } from "../../action/action.ts";
import { judgeTokens, lengthOf } from "./judge.ts";
import { conceptVocabulary } from "./lexicon/lexicon.ts";
import { scoreOf, shippedModel } from "./model.ts";
import { findRules, RULES, type RuleHit } from "./rules.ts";
import type { Model } from "./storedModel.ts";
import { bandOf, MAX_SIGNALS, type Scan, type Signal } from "./types.ts";
import { spanOf, type View, viewsOf } from "./views.ts";

export interface ScanOptions {
  /** Where the text came from: what a user may ask is an intrusion in a tool's answer. Without it nothing is assumed. */
  readonly source?: TextSource;
}

/**
 * How likely it is that `text` carries instructions for the agent that reads it. Deterministic, offline, linear in the length of the text;
 * any UTF-16 is accepted and nothing throws.
 */
export function scanText(text: string, options: ScanOptions = {}): Scan {
  return scanWith(shippedModel(), text, options);
}

/** Log-odds that a source adds: a user speaks to the agent by right, a tool's answer never does. */
const SOURCE: Readonly<Record<TextSource, number>> = {
  user: -0.6,
  tool: 0.2,
  mail: 0,
  web: 0,
  tool_description: 0,
  document: 0,
};

/** The same with a model of one's own. */
export function scanWith(model: Model, text: string, options: ScanOptions = {}): Scan {
  const offset = options.source === undefined ? 0 : SOURCE[options.source];
  let best: { logOdds: number; view: View; hits: readonly RuleHit[]; from: number; to: number } | undefined;
  let windows = 0;
  for (const view of viewsOf(text, conceptVocabulary())) {
    const hits = findRules(view.tokens);
    const judged = judgeTokens(model, view.tokens, hits);
    windows += judged.windows;
    if (best === undefined || judged.logOdds > best.logOdds) best = { ...judged, view, hits };
  }
  if (best === undefined || windows === 0) return { score: 0, band: "pass", signals: [] };
  const logOdds = best.logOdds + offset - model.lengthShare * lengthOf(windows);
  const score = scoreOf(model, logOdds);
  return { score, band: bandOf(score), signals: signalsOf(best.view, best.hits, best.from, best.to, best.logOdds) };
}

/** The window itself, then the rules met in it, the strongest first. */
function signalsOf(view: View, hits: readonly RuleHit[], from: number, to: number, logOdds: number): Signal[] {
  const seen = new Set<number>();
  const signals: Signal[] = [];
  const put = (rule: string, first: number, last: number, weight: number): void => {
    const [start, end] = spanOf(view, view.tokens.from[first] as number, view.tokens.to[last] as number);
    signals.push({ rule, view: view.name, start, end, weight: Math.round(weight * 1000) / 1000 });
  };
  for (const hit of hits) {
    const rule = RULES[hit.rule];
    if (rule === undefined || hit.first < from || hit.last >= to || seen.has(hit.rule)) continue;
    seen.add(hit.rule);
    put(rule.id, hit.first, hit.last, rule.weight);
  }
  signals.sort((a, b) => b.weight - a.weight || a.start - b.start || (a.rule < b.rule ? -1 : 1));
  if (logOdds > 0 && to > from) put("window", from, to - 1, logOdds);
  const window = signals.length > 0 && signals[signals.length - 1]?.rule === "window" ? signals.pop() : undefined;
  return [...(window === undefined ? [] : [window]), ...signals].slice(0, MAX_SIGNALS);
}
