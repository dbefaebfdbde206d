import type { Millis } from "./change.ts";

/** Why the store could not do it at all. The answer to the asker is block; nothing was permitted. */
export interface StoreError {
  readonly code:
    | "store.unavailable"
    | "store.busy"
    | "store.full"
    | "store.read_only"
    | "store.corrupt"
    /** The connection broke while committing: it may or may not be durable. Committing the same id again settles it. */
    | "store.in_doubt"
    /** The database was written by a later version of this program. */
    | "store.newer"
    /** The database is bound to another secret than the one that was given. */
    | "store.other_secret"
    | "store.closed"
    | "store.refused_input";
  readonly message: string;
}

/**
 * A condition that did not hold under the lock. Nothing of the change was done. The caller gathers again and decides
 * again from what it says.
 */
export type Refusal =
  | {
      readonly code: "budget.exceeded";
      readonly message: string;
      readonly budget: string;
      readonly series: string;
      readonly currency: string;
      readonly limit: string;
      /** Committed plus reserved in the window, without this amount. */
      readonly spent: string;
      readonly amount: string;
    }
  | { readonly code: "stopped"; readonly message: string; readonly stop: string; readonly scope: string }
  | { readonly code: "window.moved"; readonly message: string; readonly now: Millis }
  | { readonly code: PlainRefusal; readonly message: string };

/** Refusals that say all there is to say in their code. `X.unknown` also stands for what belongs to another tenant. */
export type PlainRefusal =
  | "idempotency.conflict"
  /** No agent approves, reports money free, or edits its own guard. */
  | "actor.not_allowed"
  | "decision.unknown"
  | "decision.conflict"
  | "grant.unknown"
  | "grant.used"
  | "grant.expired"
  | "grant.revoked"
  | "grant.other_agent"
  | "grant.other_action"
  | "hold.unknown"
  | "hold.closed"
  | "hold.expired"
  | "hold.frozen"
  | "hold.changed"
  | "hold.same_person"
  | "hold.exists"
  | "appeal.not_blocked"
  | "redeem.not_allowed"
  | "redeem.used"
  | "redeem.expired"
  | "redeem.closed"
  | "redeem.other_action"
  | "policy.changed"
  | "marks.moved"
  | "policy.stale"
  | "policy.exists"
  | "outcome.not_allowed"
  | "outcome.closed"
  | "stop.unknown"
  | "stop.exists"
  | "key.unknown"
  | "key.exists"
  | "claim.pending"
  | "claim.conflict"
  | "claim.unknown"
  | "webhook.unknown"
  /** Erased money counts under a secret that is not here. */
  | "secret.missing"
  | "input.malformed";

export type LedgerError = StoreError | Refusal;
