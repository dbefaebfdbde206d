import type { Action, Asker, Material } from "../action/action.ts";
import type { Band } from "../check/instructions/types.ts";
import type { Basis } from "../decision/decision.ts";
import type { Finding, Verdict } from "../decision/finding.ts";
import type { Remedy } from "../decision/remedy.ts";

/** Who asks, with the credential that says so. */
export interface Principal extends Asker {
  /** `key_…` of the credential, or `loopback` for the anonymous agent `local`. */
  readonly credential: string;
}

export interface DecisionRequest {
  readonly principal: Principal;
  readonly action?: Action;
  readonly material?: Material;
  readonly session?: string;
  /** Asking twice under one key answers as the first time did; the same key for another ask is a conflict. */
  readonly idempotencyKey?: string;
  /** Who will act on the receipt; the gate's own name when nobody is named. */
  readonly audience?: string;
}

/** What was decided. Durable, and signed where there is an action to bind to, before anyone hears of it. */
export interface Answer {
  readonly id: string;
  readonly verdict: Verdict;
  /** `observe`: the verdict is the true one, and the operator has asked that nothing be stopped by it for a time. */
  readonly enforcement: "enforce" | "observe";
  readonly basis: Basis;
  readonly findings: readonly Finding[];
  readonly action_digest: string | null;
  readonly policy_digest: string | null;
  readonly engine: string;
  readonly receipt?: string;
  /** `notice` is what the operator has told to whoever waits. */
  readonly hold?: { readonly id: string; readonly expires_at: string; readonly notice?: string };
  /** Of a block: the smallest change that would pass, if one was found. */
  readonly remedy?: Remedy;
  /** The scores of the texts that were screened, in their order. */
  readonly screening?: readonly ScreeningScore[];
}

export interface ScreeningScore {
  /** JSON Pointer into the ask. */
  readonly path: string;
  /** How the operator has this text screened. */
  readonly mode: "observe" | "nudge" | "enforce";
  readonly score: number;
  readonly posture_score: number;
  readonly band: Band;
  /** The entry by which the source of the text is trusted, so that it was not scored. */
  readonly trusted?: { readonly bucket: string; readonly matched: string };
}

/** No answer could be given. Whoever asked has to treat it as block. */
export interface GateFault {
  readonly code: string;
  readonly message: string;
}
