import type { Verdict } from "../../decision/finding.ts";
import type { HoldState, MoneyLine, MoneyState } from "../ports.ts";
import type { Recipient } from "../recipients.ts";
import type { AgentState, KeyHolder, Millis } from "./change.ts";

export interface DecisionRow {
  readonly id: string;
  readonly seq: number;
  readonly at: Millis;
  readonly recordHash: string;
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
  readonly lines: readonly MoneyLine[];
  /** Base64url; opens the record's commitment to `lines`. Goes when the content is erased and the money is closed. */
  readonly moneySalt: string | null;
  readonly erasedAt: Millis | null;
  /** When reserved money goes free by itself; null when it does not. */
  readonly releaseAt: Millis | null;
  readonly grantId: string | null;
  readonly holdId: string | null;
}

export interface HoldRow {
  readonly id: string;
  readonly decision: string;
  readonly agent: string;
  readonly about: "action" | "text" | "appeal";
  readonly state: HoldState;
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
  readonly grantFor: Millis | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Millis | null;
  readonly reason: string | null;
  readonly grantId: string | null;
  readonly recipients: readonly Recipient[];
  /** When they are told once more; null when they are not, or were. */
  readonly remindAt: Millis | null;
}

export interface GrantRow {
  readonly id: string;
  readonly hold: string;
  readonly agent: string;
  readonly actionDigest: string;
  readonly codes: readonly string[];
  readonly approvedBy: readonly string[];
  readonly expiresAt: Millis;
  readonly usedBy: string | null;
  readonly revokedAt: Millis | null;
}

export interface StopRow {
  readonly id: string;
  readonly scope: string;
  readonly reason: string;
  readonly cause: "person" | "breaker";
  readonly since: Millis;
  readonly until: Millis | null;
  readonly by: string;
  readonly liftedAt: Millis | null;
}

export interface IdempotencyRow {
  readonly key: string;
  /** What the change was about: goes with its content. */
  readonly ref: string;
  readonly digest: string;
  readonly answer: string;
  /** What the commit answered, to answer it again. */
  readonly committed: Readonly<Record<string, unknown>>;
  readonly at: Millis;
  readonly expiresAt: Millis;
}

export interface MarkRow {
  readonly id: string;
  readonly credential: string;
  readonly mark: string;
  readonly at: Millis;
}

export interface ContentRow {
  readonly ref: string;
  readonly fields: string;
  readonly salts: string;
  readonly subjects: readonly string[];
  readonly keepUntil: Millis | null;
  /** JSON text of the fields and salts that stand in place of these while a hold is open; null without such a hold. */
  readonly held: string | null;
}

/** Whom kept content is about. Goes when the content goes. */
export interface SubjectRow {
  readonly id: string;
  readonly subject: string;
  readonly ref: string;
}

/** What erased decisions still count in one series: only the holder of a secret kept elsewhere reads which, and what. */
export interface SealedRow {
  readonly id: string;
  /** When no window reaches back to any of it. */
  readonly until: Millis;
  readonly text: string;
}

export interface ChainRow {
  /** A keyed hash of the subject. */
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
}

export interface PolicyRow {
  readonly scope: string;
  readonly version: number;
  readonly digest: string;
}

export interface PolicyVersionRow {
  readonly id: string;
  readonly scope: string;
  readonly version: number;
  readonly digest: string;
  readonly text: string;
  readonly by: string;
  readonly at: Millis;
  readonly reason: string | null;
}

export interface AgentRow {
  readonly id: string;
  readonly org: string | null;
  readonly teams: readonly string[];
  readonly state: AgentState;
  readonly display: string | null;
}

export interface KeyRow {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly holder: KeyHolder;
  readonly createdAt: Millis;
  readonly expiresAt: Millis | null;
  readonly revokedAt: Millis | null;
}

export interface ClaimRow {
  readonly key: string;
  readonly digest: string;
  /** forgotten: it was answered, and the answer is no longer kept. */
  readonly state: "open" | "answered" | "forgotten";
  readonly holder: string;
  /** Of an open claim, until when it is its holder's alone; of an answered one, until when the answer is kept. */
  readonly heldUntil: Millis;
  readonly progress: string;
  readonly answer: string | null;
  readonly at: Millis;
}

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly string[];
  readonly agents: readonly string[] | null;
  readonly secretVersion: number;
  readonly state: "active" | "disabled";
  /** Events up to this index have deliveries. */
  readonly cursor: number;
}

/** What changes under the lock, beside the log itself and its sums. */
export interface Rows {
  readonly decisions: DecisionRow;
  readonly holds: HoldRow;
  readonly grants: GrantRow;
  readonly stops: StopRow;
  readonly idempotency: IdempotencyRow;
  readonly marks: MarkRow;
  readonly contents: ContentRow;
  readonly subjects: SubjectRow;
  readonly chains: ChainRow;
  readonly sealed: SealedRow;
  readonly policies: PolicyRow;
  readonly policyVersions: PolicyVersionRow;
  readonly agents: AgentRow;
  readonly keys: KeyRow;
  readonly claims: ClaimRow;
  readonly webhooks: WebhookRow;
}

export type TableName = keyof Rows;

/**
 * `json` columns hold lists and objects, as JSON text where the engine has rows. `packed` columns are never looked for:
 * an engine keeps all of a row's together, as one JSON text, since each column costs at every commit.
 */
export type ColumnType = "text" | "integer" | "json" | "packed";

export interface Table<T extends TableName = TableName> {
  /** The column that names a row within its tenant. */
  readonly key: keyof Rows[T] & string;
  readonly columns: Readonly<Record<keyof Rows[T] & string, ColumnType>>;
}

/** The shape of every table of rows: the adapters write their statements from it. */
export const TABLES: { readonly [T in TableName]: Table<T> } = {
  decisions: {
    key: "id",
    columns: {
      id: "text",
      seq: "integer",
      agent: "text",
      verdict: "text",
      redeemedAt: "integer",
      outcome: "text",
      money: "text",
      releaseAt: "integer",
      at: "packed",
      recordHash: "packed",
      credential: "packed",
      codes: "packed",
      actionDigest: "packed",
      policyDigest: "packed",
      scopes: "packed",
      redeemUntil: "packed",
      redeemedBy: "packed",
      lines: "packed",
      moneySalt: "packed",
      erasedAt: "packed",
      grantId: "packed",
      holdId: "packed",
    },
  },
  holds: {
    key: "id",
    columns: {
      id: "text",
      decision: "text",
      agent: "text",
      about: "text",
      state: "text",
      version: "integer",
      risk: "integer",
      approvers: "integer",
      approvals: "json",
      codes: "json",
      actionDigest: "text",
      scopes: "json",
      openedAt: "integer",
      expiresAt: "integer",
      onTimeout: "text",
      grantFor: "integer",
      decidedBy: "text",
      decidedAt: "integer",
      reason: "text",
      grantId: "text",
      recipients: "json",
      remindAt: "integer",
    },
  },
  grants: {
    key: "id",
    columns: {
      id: "text",
      hold: "text",
      agent: "text",
      actionDigest: "text",
      codes: "json",
      approvedBy: "json",
      expiresAt: "integer",
      usedBy: "text",
      revokedAt: "integer",
    },
  },
  stops: {
    key: "id",
    columns: {
      id: "text",
      scope: "text",
      reason: "text",
      cause: "text",
      since: "integer",
      until: "integer",
      by: "text",
      liftedAt: "integer",
    },
  },
  idempotency: {
    key: "key",
    columns: {
      key: "text",
      ref: "text",
      digest: "text",
      answer: "text",
      committed: "json",
      at: "integer",
      expiresAt: "integer",
    },
  },
  marks: { key: "id", columns: { id: "text", credential: "text", mark: "text", at: "integer" } },
  contents: {
    key: "ref",
    columns: {
      ref: "text",
      fields: "text",
      salts: "text",
      subjects: "json",
      keepUntil: "integer",
      held: "text",
    },
  },
  subjects: { key: "id", columns: { id: "text", subject: "text", ref: "text" } },
  chains: { key: "id", columns: { id: "text", seq: "integer", hash: "text" } },
  sealed: { key: "id", columns: { id: "text", until: "integer", text: "text" } },
  policies: { key: "scope", columns: { scope: "text", version: "integer", digest: "text" } },
  policyVersions: {
    key: "id",
    columns: {
      id: "text",
      scope: "text",
      version: "integer",
      digest: "text",
      text: "text",
      by: "text",
      at: "integer",
      reason: "text",
    },
  },
  agents: { key: "id", columns: { id: "text", org: "text", teams: "json", state: "text", display: "text" } },
  keys: {
    key: "id",
    columns: {
      id: "text",
      hash: "text",
      name: "text",
      scopes: "json",
      holder: "json",
      createdAt: "integer",
      expiresAt: "integer",
      revokedAt: "integer",
    },
  },
  claims: {
    key: "key",
    columns: {
      key: "text",
      digest: "text",
      state: "text",
      holder: "text",
      heldUntil: "integer",
      progress: "text",
      answer: "text",
      at: "integer",
    },
  },
  webhooks: {
    key: "id",
    columns: {
      id: "text",
      url: "text",
      kinds: "json",
      agents: "json",
      secretVersion: "integer",
      state: "text",
      cursor: "integer",
    },
  },
};

/** The head of a tenant's log, the row that is locked. */
export interface Head {
  readonly size: number;
  readonly at: Millis;
  /** Roots of the full subtrees, largest first. */
  readonly peaks: readonly Uint8Array[];
  /** Leaf hash of the last record, in hex as the next one names it. */
  readonly last: string;
  /** Key of the hashes that stand for names in counters and chains. Random, made with the tenant. */
  readonly nameKey: string;
  /** Whether there is money of erased decisions that counts on. */
  readonly sealed: boolean;
}

/** One leaf as it is stored. */
export interface EntryRow {
  readonly seq: number;
  readonly at: Millis;
  readonly kind: string;
  readonly ref: string;
  readonly agent: string | null;
  readonly codes: readonly string[];
  readonly record: string;
  readonly leafHash: Uint8Array;
  /** Key of the chain it is in. */
  readonly chain: string | null;
}

export interface NodeRow {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}
