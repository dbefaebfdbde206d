import type { JsonObject, JsonValue } from "../json/value.ts";
import type { Money } from "../money/money.ts";

/** What an action is, at the coarsest. `unspecified` is what nobody mapped: no permit matches it. */
export const KINDS = [
  "file",
  "process",
  "package",
  "network",
  "device",
  "credential_use",
  "transaction",
  "administrative",
  "unspecified",
] as const;
export type Kind = (typeof KINDS)[number];

/** What an agent is about to do. */
export interface Action {
  readonly kind: Kind;
  /** `[A-Za-z0-9._:-]{1,64}` */
  readonly verb: string;
  /** As written by the agent; checks that compare it use its normal form too (`target.ts`). */
  readonly target: string;
  readonly counterparty?: string;
  readonly amount?: Money;
  /** Everything else the executor will be given. All of it is in the digest. */
  readonly parameters?: JsonObject;
  /** `kind:selector`. Absent: unknown, so every rule about assets applies. */
  readonly assets?: readonly string[];
  readonly labels?: readonly string[];
  /** Read by people, never judged as permission and not in the digest. */
  readonly justification?: string;
}

/** Where a text comes from, seen from the agent. */
export const SURFACES = ["incoming", "outgoing", "tool_calls", "tool_responses"] as const;
export type Surface = (typeof SURFACES)[number];

/** What kind of thing carried a text: it changes what counts as an injected instruction. */
export const TEXT_SOURCES = ["user", "tool", "mail", "web", "tool_description", "document"] as const;
export type TextSource = (typeof TEXT_SOURCES)[number];

export interface MaterialText {
  readonly surface: Surface;
  readonly text: string;
  readonly source?: TextSource;
  /** Whose words these are, as an enforcer observed it. A face takes it from nobody else. */
  readonly from?: TextOrigin;
}

/** Where a text came from: who or what, not what kind of thing. */
export interface TextOrigin {
  readonly agent?: string;
  /** Host name, with the port where one is part of it. */
  readonly domain?: string;
  readonly address?: string;
}

/** A label that says where data came from and when. Labels are claims, not proofs. */
export interface Evidence {
  readonly source: string;
  /** RFC 3339. */
  readonly observed_at?: string;
}

/** A transaction that is about to be signed. */
export interface Calldata {
  /** CAIP-2, `eip155:1`. */
  readonly chain: string;
  readonly to: string;
  /** `0x` and an even number of hex digits. */
  readonly data: string;
  /** Native value in atomic units, decimal digits. */
  readonly value?: string;
  readonly from?: string;
  /** EIP-7702: contracts whose code the signer's account would run, as the transaction lists them. */
  readonly authorizations?: readonly { readonly chain_id: string; readonly address: string; readonly nonce?: string }[];
}

/** What came with an action, or stands alone to be judged. */
export interface Material {
  readonly texts?: readonly MaterialText[];
  readonly urls?: readonly string[];
  readonly data?: JsonValue;
  readonly evidence?: readonly Evidence[];
  readonly calldata?: Calldata;
  /** EIP-712: `{domain, types, primaryType, message}`. */
  readonly typed_data?: JsonObject;
}

/** Who asks, taken from the credential, never from what the request says of itself. */
export interface Asker {
  readonly tenant: string;
  readonly agent: string;
  readonly teams: readonly string[];
}

/** One question to the gate. At least one of `action` and `material` is there. */
export interface Ask {
  readonly asker: Asker;
  readonly action?: Action;
  readonly material?: Material;
  /** Issued by the gate or by the caller; only the former narrows `sequence`. */
  readonly session?: string;
}
