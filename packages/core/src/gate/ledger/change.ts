import type { Verdict } from "../../decision/finding.ts";
import type { ScopeVersion } from "../../policy/source.ts";
import type { HoldNotice } from "../recipients.ts";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number;

/** Who did it, taken from the credential or login and never from the body of a request. */
export interface Actor {
  readonly kind: "person" | "agent" | "enforcer" | "clock" | "chain";
  readonly id: string;
  /** The credential it came with (`key_…`), for the record. */
  readonly credential?: string;
}

/**
 * The stretch of time a budget looks at, in the ledger's own time. Rolling is half-open, `(now - ms, now]`; a calendar
 * window is `[from, until)`, and a commit outside it is refused as `window.moved`, so that midnight frees nothing twice.
 */
export type SpendWindow = { readonly rolling: Millis } | { readonly from: Millis; readonly until: Millis };

/**
 * Money that will be spent if this decision is used. It counts in every series named, whether or not a budget looks at
 * them today, so that a budget written tomorrow knows what was spent before it.
 */
export interface Reservation {
  /** Canonical decimal, more than zero. */
  readonly amount: string;
  readonly currency: string;
  /** What it counts towards, in the caller's words: `agent:a`, `team:t`, `agent:a/counterparty:c`. At most 32. */
  readonly series: readonly string[];
  readonly budgets: readonly BudgetCondition[];
}

/** Committed plus reserved in the window, this amount counted, must stay at or below `limit`. */
export interface BudgetCondition {
  /** Names the budget in a refusal: scope, section and index, or the operator's own name for it. */
  readonly budget: string;
  /** One of the reservation's series. */
  readonly series: string;
  readonly window: SpendWindow;
  readonly limit: string;
}

/** What may be forgotten later. The record holds only commitments to it. */
export interface NewContent {
  /** JSON text: one member a field. */
  readonly fields: string;
  /** JSON text: one base64url salt a field, the key of the commitment in the record. */
  readonly salts: string;
  /** Whom it is about; `erase` finds it by these. At most 16. */
  readonly subjects: readonly string[];
  /** How long it is kept; null until it is erased. Content of an open hold is kept until the hold closes. */
  readonly keepFor: Millis | null;
  /** All of it, where `fields` are less: kept in their place while the hold is open, for the person who decides it. */
  readonly whileHeld?: { readonly fields: string; readonly salts: string };
}

export interface NewHold {
  /** `hold_…` */
  readonly id: string;
  /** What is held: an action, a text that was screened, or a refusal that its agent appeals. */
  readonly about: "action" | "text" | "appeal";
  /** Higher is looked at first. An integer from 0 to 100. */
  readonly risk: number;
  /** How many different people must approve: 1 or 2. */
  readonly approvers: number;
  /** The codes the person is shown; a grant covers these and no others. */
  readonly codes: readonly string[];
  /** Until the hold closes itself. */
  readonly expiresIn: Millis;
  /** Release is for `about: "text"` only; the ledger refuses it for anything else. */
  readonly onTimeout: "reject" | "release";
  /** How long the grant may be used after approval; null when approving permits nothing (an appeal). */
  readonly grantFor: Millis | null;
  readonly notify?: HoldNotice;
}

/** A key of the caller's choosing that makes asking twice safe. */
export interface Idempotency {
  readonly key: string;
  /** Of the request. The same key with another digest is `idempotency.conflict`. */
  readonly digest: string;
  /** What a repetition is answered from. */
  readonly answer: string;
  readonly keepFor: Millis;
}

interface Common {
  readonly idempotency?: Idempotency;
}

/** A mark of the credential, or one of its agent. */
export interface AwaitedMark {
  readonly of: "credential" | "agent";
  readonly mark: string;
}

/** A decision, with all that must be durable before anyone hears of it. */
export interface Decide extends Common {
  readonly kind: "decide";
  /** `dec_…`. Committing the same id again answers as the first time did. */
  readonly id: string;
  readonly agent: string;
  /** The credential it came with; `marks` are kept by it. */
  readonly credential: string;
  readonly verdict: Verdict;
  /** `sha256:…`; null for material without an action. */
  readonly actionDigest: string | null;
  /** Of the effective policy; null when there was none. */
  readonly policyDigest: string | null;
  /** What that policy was made from: where something else is in force by now, only a block is committed. */
  readonly policyVersions?: readonly ScopeVersion[];
  /** Canonical JSON text of the body: what was decided and from what, without index and commit time. */
  readonly record: string;
  /** The codes of the findings, for lists and events. */
  readonly codes: readonly string[];
  /** Where a stop reaches it: `tenant`, `org:o`, `team:t`, `agent:a`. */
  readonly scopes: readonly string[];
  /** How long an allow may be redeemed, and how long its money stays reserved unredeemed. */
  readonly redeemFor: Millis;
  readonly reservations: readonly Reservation[];
  /** The grant that lifts review to allow: used up by this commit. */
  readonly grant?: string;
  readonly hold?: NewHold;
  readonly content?: NewContent;
  /** What this credential did, for rules over a sequence: `read_private`, `saw_untrusted`. */
  readonly marks?: readonly string[];
  /** A session that the gate gave this credential: its marks are left there too, and the verdict rests on those there. */
  readonly session?: string;
  /** Texts that came close to being stopped, at most three: remembered of the agent, whatever the credential. */
  readonly nearMisses?: number;
  /** What the verdict rests on not having been left: one of these since then, and it is `marks.moved`. */
  readonly notLeft?: { readonly since: Millis; readonly marks: readonly AwaitedMark[] };
  /** The subject whose hash chain this record extends (a wallet). */
  readonly chain?: string;
}

/** A record without further effect: advice that is signed or chained, an exemption granted, a pin changed. */
export interface Note extends Common {
  readonly kind: "note";
  /** What the record is: `advice`, `exemption.grant`. Becomes the entry's kind and the event's. */
  readonly type: string;
  /** What it is about: an id, for finding the entry again. */
  readonly ref: string;
  readonly agent: string | null;
  readonly record: string;
  readonly codes?: readonly string[];
  readonly content?: NewContent;
  readonly chain?: string;
}

export interface DecideHold extends Common {
  readonly kind: "hold.decide";
  readonly hold: string;
  readonly by: Actor;
  readonly answer: "approve" | "reject";
  readonly reason: string;
  /** The version the person saw; any other is `hold.changed`. */
  readonly version: number;
  /** `grant_…`, used when this approval is the last one needed. */
  readonly grant: string;
}

/** An agent says that a refusal was wrong: a person looks, and approving permits nothing by itself. */
export interface Appeal extends Common {
  readonly kind: "appeal";
  readonly decision: string;
  readonly by: Actor;
  readonly reason: string;
  readonly hold: NewHold;
}

export interface RevokeGrant extends Common {
  readonly kind: "grant.revoke";
  readonly grant: string;
  readonly by: Actor;
  readonly reason: string;
}

/** What the policy in force for an agent was made from, so that a change of it in the meantime is noticed. */
export interface ReadUnder {
  readonly agent: string;
  /** Of an agent that is active, or that the directory does not know. */
  readonly teams: readonly string[];
  readonly versions: readonly ScopeVersion[];
}

/** An executor claims the allow just before it executes. One time. */
export interface Redeem extends Common {
  readonly kind: "redeem";
  readonly decision: string;
  readonly by: Actor;
  /** Of the action in the executor's hand; another one is `redeem.other_action`. */
  readonly actionDigest: string;
  /** Of the policy in force for the agent now; another one is `policy.changed`: decide again. */
  readonly policyDigest: string | null;
  /** What that digest was made from. */
  readonly readUnder: ReadUnder;
}

/** What really happened. */
export interface Outcome extends Common {
  readonly kind: "outcome";
  readonly decision: string;
  readonly by: Actor;
  readonly result: "executed" | "failed" | "unknown";
  /** Digests of what was sent and what came back. */
  readonly sent?: string;
  readonly received?: string;
  /** Whether what ran is what was approved; `false` trips the agent's breaker. */
  readonly asApproved: boolean;
  /** `stop_…`, used when the breaker trips. */
  readonly breaker: string;
}

export interface PutStop extends Common {
  readonly kind: "stop.put";
  /** `stop_…` */
  readonly id: string;
  readonly scope: string;
  readonly reason: string;
  /** When it lifts itself; null when only a person lifts it. */
  readonly until: Millis | null;
  readonly by: Actor;
}

export interface LiftStop extends Common {
  readonly kind: "stop.lift";
  readonly id: string;
  readonly by: Actor;
  readonly reason: string;
}

export interface PutPolicy extends Common {
  readonly kind: "policy.put";
  /** `platform`, `org:o`, `team:t`, `agent:a`. */
  readonly scope: string;
  /** `pol_…`, of this version. */
  readonly id: string;
  readonly digest: string;
  /** The document as it was written. */
  readonly text: string;
  /** The digest of the version it replaces, null when there must be none, `any` when it does not matter. */
  readonly replaces: string | null;
  readonly by: Actor;
  /** Why, for whoever reads the history. */
  readonly reason?: string;
  /** What the log calls it; a change of a policy where nothing is said. */
  readonly event?: "policy.put" | "policy.rollback" | "card.put" | "exemption.grant" | "exemption.revoke";
}

export type AgentState = "active" | "disabled" | "removed";

export interface PutAgent extends Common {
  readonly kind: "agent.put";
  readonly id: string;
  readonly org: string | null;
  readonly teams: readonly string[];
  /** A removed agent keeps its place, so that its credentials do not fall back to being an agent that nobody knows. */
  readonly state: AgentState;
  readonly display?: string;
  readonly by: Actor;
  readonly reason?: string;
}

export interface PutKey extends Common {
  readonly kind: "key.put";
  /** `key_…` */
  readonly id: string;
  /** Hex SHA-256 of the secret. The secret itself is shown once and kept nowhere. */
  readonly hash: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly holder: KeyHolder;
  readonly expiresAt: Millis | null;
  /** A rotation: the key that this one follows, and how long both are good. */
  readonly follows?: { readonly id: string; readonly overlap: Millis };
  readonly by: Actor;
}

export type KeyHolder =
  | { readonly kind: "agent"; readonly agent: string }
  | { readonly kind: "enforcer"; readonly id: string; readonly agents: readonly string[] | "any" }
  | { readonly kind: "person"; readonly person: string };

export interface RevokeKey extends Common {
  readonly kind: "key.revoke";
  readonly id: string;
  readonly by: Actor;
}

/**
 * Destroys content and salts. Records, proofs and money stay as they are. Of a subject the first `ERASED_AT_ONCE` are
 * erased; `eraseSubject` goes on until nothing is left, also of what was not kept.
 */
export interface Erase extends Common {
  readonly kind: "erase";
  readonly what:
    | { readonly subject: string }
    | { readonly decision: string }
    /** At most `ERASED_AT_ONCE`. */
    | { readonly decisions: readonly string[] };
  readonly reason: string;
  readonly by: Actor;
}

/**
 * One payment buys one answer: taken before the work, kept with what the work has come to, answered or freed after it.
 * Claims are no records of the log.
 */
export interface OpenClaim {
  readonly kind: "claim.open";
  readonly key: string;
  /** Of all that the claim is for. The same key with another digest is `claim.conflict`. */
  readonly digest: string;
  /** Who works on it: an id made for this one try. Nobody else moves the claim. */
  readonly holder: string;
  /** How long it is this holder's alone. After that, whoever claims the same goes on from where it stands. */
  readonly holdFor: Millis;
  /** Where the work stands, in the caller's words; kept when the claim is new. */
  readonly progress: string;
}

/** How far the work has come, durable before the next step is taken. */
export interface KeepClaim {
  readonly kind: "claim.keep";
  readonly key: string;
  readonly holder: string;
  readonly progress: string;
  /** From now; 0 lets go of it. */
  readonly holdFor: Millis;
}

export interface AnswerClaim {
  readonly kind: "claim.answer";
  readonly key: string;
  readonly holder: string;
  readonly answer: string;
  /** How long whoever claims the same is answered. After that the answer is forgotten, and the claim is not. */
  readonly keepFor: Millis;
}

/** Only when it is proven that nothing was paid. */
export interface FreeClaim {
  readonly kind: "claim.free";
  readonly key: string;
  readonly holder: string;
}

export interface PutWebhook extends Common {
  readonly kind: "webhook.put";
  readonly id: string;
  readonly url: string;
  /** Which events; empty for all. */
  readonly kinds: readonly string[];
  /** Only events about these agents; null for all. */
  readonly agents: readonly string[] | null;
  /** Raised to rotate the secret, which is derived from it and stored nowhere. */
  readonly secretVersion: number;
  readonly state: "active" | "disabled";
  /** Changes one that is there, and makes none: what was removed in the meantime stays removed. */
  readonly onlyChange?: boolean;
  readonly by: Actor;
}

export interface RemoveWebhook extends Common {
  readonly kind: "webhook.remove";
  readonly id: string;
  readonly by: Actor;
}

/**
 * What time alone brings: holds past their time close, reservations whose receipt has expired unredeemed are released,
 * content past its time goes. Every group of commits does the releases that are due; `sweep` does all of it when idle.
 */
export interface Sweep {
  readonly kind: "sweep";
}

export type Change =
  | Decide
  | Note
  | DecideHold
  | Appeal
  | RevokeGrant
  | Redeem
  | Outcome
  | PutStop
  | LiftStop
  | PutPolicy
  | PutAgent
  | PutKey
  | RevokeKey
  | Erase
  | OpenClaim
  | KeepClaim
  | AnswerClaim
  | FreeClaim
  | PutWebhook
  | RemoveWebhook
  | Sweep;
