import type { Kind } from "../action/action.ts";
import type { Money } from "../money/money.ts";
import type { Instant } from "../time/instant.ts";

/** When something stops to count. Dialects differ in whether the instant itself still counts, so they say it. */
export interface Until {
  readonly until: Instant;
  readonly inclusive: boolean;
}

/** Which names may pass. Dialects differ in what an empty list means, so they say it. */
export type Names = { readonly everyone: true } | { readonly only: readonly string[] };

/** What has to hold for a clause to decide. All stated conditions must hold; a list holds when one entry does. */
export interface ClauseMatch {
  readonly kind: readonly Kind[];
  readonly verb?: readonly string[];
  readonly targetPrefix?: readonly string[];
  readonly counterparty?: readonly string[];
  /** Holds for an amount of the same currency that is at most this. No amount, or another currency: does not hold. */
  readonly maxAmount?: Money;
}

export interface Clause {
  readonly id: string;
  readonly effect: "allow" | "review" | "block";
  readonly match: ClauseMatch;
  readonly note?: string;
}

/**
 * How a target prefix is compared.
 * - `native`: block and review clauses match the target as written or in normal form; an allow clause only when both
 *   forms match, else the outcome is review, `target.ambiguous`.
 * - `decoded`: after NFC, literally; block and review clauses match the fully percent-decoded target too.
 */
export type TargetMatching = "native" | "decoded";

/** Clauses in order, the first match decides. */
export interface Mandate {
  readonly id: string;
  readonly clauses: readonly Clause[];
  /** Kinds that always need a person: allow becomes review, the clause stays. */
  readonly requiresHuman: readonly Kind[];
  readonly otherwise: "review" | "block";
  readonly matching: TargetMatching;
  /** Native verbs compare exactly; the mandate dialect folds case. */
  readonly verbs: "exact" | "fold";
  readonly expires?: Until;
}
