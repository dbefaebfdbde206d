import type { Verdict } from "../decision/finding.ts";
import type { Result } from "../result.ts";
import type { AgentState, Change, KeyHolder, Millis, SpendWindow } from "./ledger/change.ts";
import type { LedgerError, StoreError } from "./ledger/refusal.ts";
import type { Recipient } from "./recipients.ts";

/** `[a-z0-9][a-z0-9-]{0,62}`. Everything below is one tenant's; another tenant's ids answer as if they did not exist. */
export type TenantId = string;

type Reading<T> = Promise<Result<T, StoreError>>;

/** One page of a list, and where the next one starts; null when there is no more. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/**
 * The one way in which anything changes.
 *
 * Order: changes of one tenant happen one after the other, under a lock on the tenant's head; each gets the next leaf
 * indexes and `now = max(clock, time of the head)`, so time never runs backwards in a log.
 * Conflict: every condition of the change is checked again under that lock. One that fails is an error value with the
 * figures of that moment, and nothing of the change was done.
 * Failure: all of a change is durable when it resolves ok, or none of it is. `store.in_doubt` is the one exception, and
 * it never means yes.
 */
export interface Ledger {
  /** What a decision has to know, read in one snapshot. `commit` checks all of it again. */
  facts(tenant: TenantId, query: FactsQuery): Reading<LedgerFacts>;
  commit<C extends Change>(tenant: TenantId, change: C): Promise<Result<Committed<C["kind"]>, LedgerError>>;
}

export interface FactsQuery {
  readonly agent: string;
  readonly credential: string;
  /** A session that the gate gave the credential: marks are those left in it. */
  readonly session?: string;
  /** Where a stop reaches the ask. */
  readonly scopes: readonly string[];
  readonly spent: readonly SpentQuery[];
  /** Grants for exactly this action are looked up; null for material without an action. */
  readonly actionDigest: string | null;
  /** Answered from what was stored, when this key was used before. */
  readonly idempotency?: { readonly key: string; readonly digest: string };
  /** What this credential did within this time is given as marks. */
  readonly marksWithin?: Millis;
  /** What was left on this agent, whatever the credential, within this time is given as agentMarks. */
  readonly agentMarksWithin?: Millis;
}

export interface SpentQuery {
  readonly series: string;
  readonly currency: string;
  readonly window: SpendWindow;
}

export interface LedgerFacts {
  readonly now: Millis;
  /** Committed plus reserved, canonical decimals, in the order asked. */
  readonly spent: readonly string[];
  /** Stops in force in one of the scopes, breakers among them. */
  readonly stops: readonly Stop[];
  /** Usable for this agent and this action digest now. */
  readonly grants: readonly Grant[];
  readonly marks: readonly LeftMark[];
  readonly agentMarks: readonly LeftMark[];
  readonly replay: { readonly answer: string; readonly at: Millis } | "conflict" | null;
}

/** A mark, and when it was left last. */
export interface LeftMark {
  readonly mark: string;
  readonly at: Millis;
}

/** What every durable change answers with. */
export interface Appended {
  /** The ledger's time of it. */
  readonly at: Millis;
  /** The leaf index of its record, from 0. */
  readonly seq: number;
  /** `sha256:<hex>`, the RFC 6962 leaf hash of the record: what a receipt names and an inclusion proof proves. */
  readonly recordHash: string;
  /** Set when the change had been made before, under the same id or idempotency key, and nothing was done now. */
  readonly replayed?: { readonly answer: string | null };
}

interface Answers {
  readonly decide: Appended & {
    readonly hold: string | null;
    /** Sequence number (from 1) and hash in the chain named by `chain`. */
    readonly chain: { readonly seq: number; readonly hash: string } | null;
    /** Until when an allow may be redeemed: what the receipt's expiry must not pass. */
    readonly redeemUntil: Millis | null;
  };
  readonly note: Appended & { readonly chain: { readonly seq: number; readonly hash: string } | null };
  readonly "hold.decide": Appended & { readonly state: HoldState; readonly grant: string | null };
  readonly redeem: Appended & { readonly redeemUntil: Millis };
  readonly outcome: Appended & { readonly money: MoneyState; readonly breaker: string | null };
  readonly "policy.put": Appended & { readonly version: number };
  readonly erase: Appended & { readonly erased: number };
  readonly "claim.open":
    | { readonly at: Millis; readonly state: "new" }
    | { readonly at: Millis; readonly state: "resumed"; readonly progress: string }
    | ClaimAnswered;
  readonly "claim.keep": { readonly at: Millis };
  readonly "claim.answer": { readonly at: Millis };
  readonly "claim.free": { readonly at: Millis };
  readonly sweep: {
    readonly at: Millis;
    readonly released: number;
    readonly expired: number;
    readonly reminded: number;
    readonly purged: number;
  };
}

interface ClaimAnswered {
  readonly at: Millis;
  readonly state: "answered";
  readonly answer: string;
}

export type Committed<K extends Change["kind"]> = K extends keyof Answers ? Answers[K] : Appended;

/**
 * none: no money. reserved: counted, unredeemed. redeemed: counted, executor has it, also called unclosed. spent:
 * counted for good. released: not counted.
 */
export type MoneyState = "none" | "reserved" | "redeemed" | "spent" | "released";

export interface DecisionSummary {
  readonly id: string;
  readonly seq: number;
  readonly at: Millis;
  readonly agent: string;
  readonly credential: string;
  readonly verdict: Verdict;
  readonly codes: readonly string[];
  readonly actionDigest: string | null;
  readonly policyDigest: string | null;
  readonly scopes: readonly string[];
  readonly redeemUntil: Millis | null;
  readonly redeemedAt: Millis | null;
  readonly redeemedBy: string | null;
  readonly outcome: "executed" | "failed" | "unknown" | null;
  readonly money: MoneyState;
  readonly grant: string | null;
  readonly hold: string | null;
  /** When its content was destroyed; the action digest is null from then on. */
  readonly erasedAt: Millis | null;
}

export interface Decisions {
  decision(tenant: TenantId, id: string): Reading<DecisionSummary | null>;
  /** Newest first. `agents` null for all. `unclosed` keeps those redeemed and without a final outcome. */
  decisions(
    tenant: TenantId,
    query: {
      readonly agents: readonly string[] | null;
      readonly verdict?: Verdict;
      readonly unclosed?: boolean;
      readonly after?: string;
      readonly limit: number;
    },
  ): Reading<Page<DecisionSummary>>;
  /** What was kept beside the record: JSON text of fields and salts; null when nothing was, or it was erased. */
  content(tenant: TenantId, ref: string): Reading<KeptContent | null>;
}

export interface KeptContent {
  readonly fields: string;
  readonly salts: string;
  readonly keepUntil: Millis | null;
}

export type HoldState = "open" | "approved" | "rejected" | "expired" | "released";

export interface Hold {
  readonly id: string;
  readonly decision: string;
  readonly agent: string;
  readonly about: "action" | "text" | "appeal";
  readonly state: HoldState;
  /** Changes with every approval; an answer names the version it saw. */
  readonly version: number;
  readonly risk: number;
  readonly approvers: number;
  readonly approvals: readonly { readonly person: string; readonly at: Millis; readonly reason: string }[];
  readonly codes: readonly string[];
  readonly actionDigest: string | null;
  readonly scopes: readonly string[];
  readonly openedAt: Millis;
  readonly expiresAt: Millis;
  readonly onTimeout: "reject" | "release";
  readonly decidedBy: string | null;
  readonly decidedAt: Millis | null;
  readonly reason: string | null;
  readonly grant: string | null;
  readonly recipients: readonly Recipient[];
  /** When they are told that its end is near; null when they are not, or were. */
  readonly remindAt: Millis | null;
}

export interface Holds {
  hold(tenant: TenantId, id: string): Reading<Hold | null>;
  /** `risk`: highest first, among equals the oldest; `age`: oldest first. Holds past their time count as not open. */
  holds(
    tenant: TenantId,
    query: {
      readonly state: HoldState | "any";
      readonly agents: readonly string[] | null;
      readonly order: "risk" | "age";
      readonly after?: string;
      readonly limit: number;
    },
  ): Reading<Page<Hold>>;
}

/** Permission for one action digest, one agent, one use. */
export interface Grant {
  readonly id: string;
  readonly hold: string;
  readonly agent: string;
  readonly actionDigest: string;
  /** The codes the person saw. A new review code opens a new hold; a block blocks. */
  readonly codes: readonly string[];
  readonly approvedBy: readonly string[];
  readonly expiresAt: Millis;
  readonly usedBy: string | null;
  readonly revokedAt: Millis | null;
}

export interface Grants {
  grant(tenant: TenantId, id: string): Reading<Grant | null>;
}

export interface Stop {
  readonly id: string;
  readonly scope: string;
  readonly reason: string;
  /** `breaker`: tripped by an outcome unlike its approval. */
  readonly cause: "person" | "breaker";
  readonly since: Millis;
  readonly until: Millis | null;
  readonly by: string;
  readonly liftedAt: Millis | null;
}

export interface Stops {
  /** In force now, newest first. */
  stops(tenant: TenantId): Reading<readonly Stop[]>;
}

export interface Agent {
  readonly id: string;
  readonly org: string | null;
  readonly teams: readonly string[];
  readonly state: AgentState;
  readonly display: string | null;
}

export interface Agents {
  agent(tenant: TenantId, id: string): Reading<Agent | null>;
  agents(tenant: TenantId, query: { readonly after?: string; readonly limit: number }): Reading<Page<Agent>>;
}

export interface PolicyVersion {
  readonly scope: string;
  /** From 1, without gaps. */
  readonly version: number;
  readonly id: string;
  readonly digest: string;
  readonly text: string;
  readonly by: string;
  readonly at: Millis;
  readonly reason: string | null;
}

/** Which version is in force in a scope. */
export interface PolicyHead {
  readonly scope: string;
  readonly version: number;
  readonly digest: string;
}

export interface Policies {
  /** As `policies`, without the documents: what a gate reads before every decision. */
  policyHeads(tenant: TenantId, scopes: readonly string[]): Reading<readonly PolicyHead[]>;
  /** The version in force in each of the scopes that have one, in the order asked. */
  policies(tenant: TenantId, scopes: readonly string[]): Reading<readonly PolicyVersion[]>;
  policyByDigest(tenant: TenantId, digest: string): Reading<PolicyVersion | null>;
  /** Newest first; where a version is given, those before it. */
  policyHistory(tenant: TenantId, scope: string, limit: number, before?: number): Reading<readonly PolicyVersion[]>;
  policyScopes(tenant: TenantId): Reading<readonly string[]>;
}

export interface StoredKey {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly holder: KeyHolder;
  readonly createdAt: Millis;
  readonly expiresAt: Millis | null;
  readonly revokedAt: Millis | null;
}

export interface Keys {
  key(tenant: TenantId, id: string): Reading<StoredKey | null>;
  keys(tenant: TenantId): Reading<readonly StoredKey[]>;
}

/** The head of a tenant's log. */
export interface LogHead {
  readonly size: number;
  /** RFC 6962 root over the records, 32 bytes. */
  readonly root: Uint8Array;
  readonly at: Millis;
}

export interface LogEntry {
  readonly seq: number;
  readonly at: Millis;
  readonly kind: string;
  /** The decision, hold, grant, stop or key it is about. */
  readonly ref: string;
  readonly agent: string | null;
  readonly codes: readonly string[];
  /** Canonical JSON text: the leaf. */
  readonly record: string;
  readonly leafHash: Uint8Array;
}

/** A signed checkpoint, as C2SP tlog-checkpoint spells it. */
export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
}

export interface Log {
  /** Runs reads that all see one and the same moment, for as long as they take. Writers are not held up. */
  snapshot<T>(tenant: TenantId, read: (log: Log) => Promise<T>): Reading<T>;
  head(tenant: TenantId): Reading<LogHead>;
  /** From index `from` on, in order, at most `limit` (and at most 1,000). */
  entries(tenant: TenantId, from: number, limit: number): Reading<readonly LogEntry[]>;
  /** Every entry about one id, oldest first: a decision, its redemption, its outcome. */
  entriesAbout(tenant: TenantId, ref: string): Reading<readonly LogEntry[]>;
  /**
   * Hashes of the full subtrees of 2^level leaves with indexes `from` to `to` (not included). Only levels divisible by
   * 8 are kept; record/merkle.ts makes the others from them.
   */
  nodes(tenant: TenantId, level: number, from: number, to: number): Reading<readonly Uint8Array[]>;
  /** Newest first, entries of one subject's chain. */
  chain(tenant: TenantId, subject: string, limit: number): Reading<readonly LogEntry[]>;
  /** The entry that is number `seq` of one subject's chain, counted from 1, however long ago it was written. */
  link(tenant: TenantId, subject: string, seq: number): Reading<LogEntry | null>;
  putCheckpoint(tenant: TenantId, checkpoint: StoredCheckpoint): Reading<void>;
  /** Newest first; `upTo` leaves out larger ones. */
  checkpoints(
    tenant: TenantId,
    query: { readonly upTo?: number; readonly limit: number },
  ): Reading<readonly StoredCheckpoint[]>;
  /** The money tables as they stand, for verification against the records. */
  money(tenant: TenantId, query: { readonly after?: string; readonly limit: number }): Reading<Page<MoneyRow>>;
  sums(tenant: TenantId, query: { readonly after?: string; readonly limit: number }): Reading<Page<SumRow>>;
}

/** What the ledger holds about the money of one decision. */
export interface MoneyRow {
  readonly decision: string;
  readonly seq: number;
  readonly at: Millis;
  readonly state: MoneyState;
  readonly lines: readonly MoneyLine[];
  /** Base64url; opens the commitment to the lines in the record. Null without money, and after erasure. */
  readonly salt: string | null;
}

/** One amount and the series it counts in; series are keyed hashes, so that the table confirms no guess of a name. */
export interface MoneyLine {
  readonly amount: string;
  readonly currency: string;
  readonly series: readonly string[];
}

/** The sum of what counts in one series in one stretch of 2^shift milliseconds. */
export interface SumRow {
  readonly series: string;
  readonly shift: number;
  readonly bucket: number;
  readonly amount: string;
}

/** Ids, codes and digests; never content. `id` is the log index, so a stream resumes by it. */
export interface GateEvent {
  readonly id: number;
  readonly at: Millis;
  readonly kind: string;
  readonly ref: string;
  readonly agent: string | null;
  readonly codes: readonly string[];
  readonly recordHash: string;
  /** What was decided; null where the event is no decision. */
  readonly verdict: Verdict | null;
  /** The hold that the decision opened. */
  readonly hold: string | null;
  /** Who is to be told of it: of a hold that opened, whose end is near, or that time has closed. */
  readonly recipients: readonly Recipient[];
}

export interface Events {
  /** After `after`, oldest first, filtered where the rows are. */
  events(
    tenant: TenantId,
    query: {
      readonly after: number;
      readonly agents: readonly string[] | null;
      readonly kinds: readonly string[] | null;
      readonly limit: number;
    },
  ): Reading<readonly GateEvent[]>;
  /** Calls back when there may be more, from whichever gate. The call may come late (a second) or for nothing. */
  watch(tenant: TenantId, onChange: () => void): () => void;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly string[];
  readonly agents: readonly string[] | null;
  readonly secretVersion: number;
  readonly state: "active" | "disabled";
}

export interface Delivery {
  readonly id: string;
  readonly webhook: Webhook;
  readonly event: GateEvent;
  /** How often it was tried before, this try not counted. */
  readonly attempts: number;
}

/** How long a delivery that arrived can be replayed. The event itself stays in the log. */
export const DELIVERED_FOR: Millis = 30 * 86_400_000;

export interface Webhooks {
  webhooks(tenant: TenantId): Reading<readonly Webhook[]>;
  /**
   * Takes deliveries that are due, for `leaseFor`: no other gate gets them until then. One that is not settled in time
   * is due again, so an endpoint may see an event twice and never not at all.
   */
  takeDeliveries(query: {
    readonly limit: number;
    readonly leaseFor: Millis;
  }): Reading<readonly (Delivery & { readonly tenant: TenantId })[]>;
  settleDelivery(
    tenant: TenantId,
    id: string,
    result:
      | { readonly state: "delivered" }
      | { readonly state: "due"; readonly after: Millis; readonly error: string }
      | { readonly state: "dead"; readonly error: string },
  ): Reading<void>;
  /** Dead deliveries, newest first. */
  deadDeliveries(tenant: TenantId, limit: number): Reading<readonly (Delivery & { readonly error: string })[]>;
  /** Makes one delivery, or every one since an event, due again. */
  replayDeliveries(
    tenant: TenantId,
    what: { readonly delivery: string } | { readonly webhook: string; readonly since: number },
  ): Reading<number>;
}

/** Counts for rate limits. Not part of the log, and a crash may forget them. */
export interface Rates {
  /** Counts one more and gives how many there were in the `window` up to now, this one included. */
  hit(tenant: TenantId, key: string, window: Millis): Reading<number>;
}

/** Everything one store offers. A caller asks for the part it needs. */
export interface Store
  extends Ledger,
    Decisions,
    Holds,
    Grants,
    Stops,
    Agents,
    Policies,
    Keys,
    Log,
    Events,
    Webhooks,
    Rates {
  /** Whether what was committed is still there when the process has ended. */
  readonly durable: boolean;
  /** Every tenant that has a log, in order of their ids: for what is done to all of them, such as sweeping. */
  tenants(): Reading<readonly TenantId[]>;
  /** The ledger's clock for a tenant: `max(clock, time of the head)`. */
  now(tenant: TenantId): Reading<Millis>;
  /** Whether a commit would be taken now. */
  health(): Reading<void>;
  close(): Promise<void>;
}
