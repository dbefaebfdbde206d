import type { Finding, Verdict } from "./finding.ts";

/**
 * What permits. A clause of every scope that has a mandate, the default of a mandate that sends to a person, or the
 * rule of a dialect. Null permits nothing and adds the block finding `basis.none`.
 */
export type BasisEntry =
  | { readonly by: "clause"; readonly scope: string; readonly id: string }
  | { readonly by: "default"; readonly scope: string }
  | { readonly by: "rule"; readonly id: string };

export type Basis = readonly BasisEntry[] | null;

export interface Decided {
  readonly kind: "decided";
  readonly verdict: Verdict;
  readonly basis: Basis;
  /** Strictest first, each once: the order in which they were found does not show. */
  readonly findings: readonly Finding[];
}

/** No verdict could be reached. Weighs as block and is never signed. */
export interface Fault {
  readonly kind: "fault";
  readonly code: string;
  readonly message: string;
}

export type Outcome = Decided | Fault;
