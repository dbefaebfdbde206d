export type Band = "pass" | "warn" | "quarantine" | "block";

/** One reason. `start` and `end` count UTF-16 code units of the scanned text; in a decoded view they cover what was decoded. */
export interface Signal {
  readonly rule: string;
  /** `text`, or the way the words were hidden, outermost first: `base64`, `html>entities`. */
  readonly view: string;
  readonly start: number;
  readonly end: number;
  /** Share of the rule in the score, in log-odds. */
  readonly weight: number;
}

export interface Scan {
  /** Risk in [0, 1], calibrated so that `THRESHOLDS` are the shipped operating points. */
  readonly score: number;
  readonly band: Band;
  /** The strongest reasons first, at most `MAX_SIGNALS`. */
  readonly signals: readonly Signal[];
}

export const THRESHOLDS = { warn: 0.6, quarantine: 0.8, block: 0.95 } as const;

export const MAX_SIGNALS = 24;

/** The band of a score at the given thresholds; equality belongs to the higher band. */
export function bandOf(
  score: number,
  thresholds: { readonly warn: number; readonly quarantine: number; readonly block: number } = THRESHOLDS,
): Band {
  if (score >= thresholds.block) return "block";
  if (score >= thresholds.quarantine) return "quarantine";
  return score >= thresholds.warn ? "warn" : "pass";
}
