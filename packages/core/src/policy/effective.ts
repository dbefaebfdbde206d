import type { Kind, Surface, TextSource } from "../action/action.ts";
import type { PreparedFields } from "../check/fields/fields.ts";
import type { SchemaError } from "../check/schema/bounds.ts";
import type { CompiledSchema } from "../check/schema/compile.ts";
import type { TradeLimits } from "../check/trade/narrowTrade.ts";
import type { UrlPolicy } from "../check/url/urlPolicy.ts";
import type { Finding } from "../decision/finding.ts";
import type { JsonValue } from "../json/value.ts";
import type { Money } from "../money/money.ts";
import type { Seconds } from "../time/duration.ts";
import type { CalendarUnit } from "../time/window.ts";
import type { Zone } from "../time/zone.ts";
import type { ClauseMatch, Mandate, Names, Until } from "./mandate.ts";

/** Where a rule was written: `platform:default`, `org:acme`, `team:ops`, `agent:shopper`, or `caller` for advice. */
export type Scope = string;

export interface Ceiling {
  readonly max: Money;
  /** Which limit this is, as the finding names it. */
  readonly code: "spend.ceiling_exceeded" | "spend.budget_exceeded";
}

export type BudgetWindow = { readonly rolling: Seconds } | { readonly calendar: CalendarUnit; readonly zone: Zone };

/** How much may go out in a window, summed over all that share the subject. The proposed amount counts too. */
export interface Budget {
  readonly id: string;
  readonly per: "agent" | "team" | "org" | "tool" | "counterparty";
  readonly window: BudgetWindow;
  readonly max: Money;
}

export interface SpendRules {
  readonly scope: Scope;
  readonly ceilings: readonly Ceiling[];
  readonly budgets: readonly Budget[];
  readonly counterparties: Names;
  readonly deniedCounterparties: readonly string[];
  /** Kinds of action that must name an amount. */
  readonly amountRequired: readonly Kind[];
  /** Currencies the ceilings and budgets do not speak of: a ceiling in USD says nothing about EUR. */
  readonly otherCurrencies: "block" | "allow";
  readonly expires?: Until;
}

export interface EvidenceRules {
  /** Whether at least one label has to be there. */
  readonly required: boolean;
  readonly trusted: Names;
  /** How old data of a source may be; a source without an entry has no bound. */
  readonly maxAge: { readonly [source: string]: Seconds };
}

/** A data contract over `material.data`. */
export interface Contract {
  readonly scope: Scope;
  readonly id: string;
  readonly fields: PreparedFields;
  /** For actions of these kinds the data has to be there; otherwise it is judged where it is. */
  readonly requiredFor: readonly Kind[];
}

/** A data contract as a JSON Schema. Compiled where facts are gathered; one that is not compiled judges nothing, and blocks. */
export interface SchemaContract {
  readonly scope: Scope;
  readonly id: string;
  readonly schema: JsonValue;
  readonly compiled: CompiledSchema | SchemaError | null;
  readonly requiredFor: readonly Kind[];
}

export interface Screening {
  /** `off` not scored, `observe` scored only, `nudge` warns only, `enforce` stops. */
  readonly mode: "off" | "observe" | "nudge" | "enforce";
  readonly thresholds: { readonly warn: number; readonly quarantine: number; readonly block: number };
  readonly surfaces: {
    readonly incoming: boolean;
    readonly outgoing: boolean;
    readonly tool_calls: boolean;
    readonly tool_responses: boolean;
  };
}

/** Whose words are not searched for instructions, when an enforcer has seen that they are theirs. */
export interface TrustedSources {
  readonly agents: readonly string[];
  /** Host names in lower case, with a port where one is part of the name. Exact. */
  readonly domains: readonly string[];
  /** Ranges in CIDR form. */
  readonly addresses: readonly string[];
}

export interface ProtectedAsset {
  readonly scope: Scope;
  readonly kind: string;
  readonly selector: string;
  readonly label?: string;
  readonly reason?: string;
}

/** An operation that a pattern names. `appliesTo` holds `kind:selector`; everything where it is null. */
export interface EscalatedOperation {
  readonly scope: Scope;
  readonly pattern: string;
  readonly reason?: string;
  readonly appliesTo: readonly string[] | null;
}

export const OPERATION_SEVERITIES = ["low", "medium", "high", "critical"] as const;

export interface ForbiddenOperation extends EscalatedOperation {
  readonly severity: (typeof OPERATION_SEVERITIES)[number];
}

export interface ProtectedSurface {
  readonly assets: readonly ProtectedAsset[];
  readonly forbidden: readonly ForbiddenOperation[];
  readonly escalations: readonly EscalatedOperation[];
}

export const GATE_BANDS = ["off", "warn", "quarantine", "block"] as const;
export type GateBand = (typeof GATE_BANDS)[number];

/** Who is told that something waits, and when again. */
export interface Notify {
  /** The people whom the event on the stream names. */
  readonly sse: Names;
  /** The webhooks that are told whatever kinds of events they ask for. What is limited to some agents hears of no others. */
  readonly webhooks: Names;
  /** How long before the end of a hold they are told once more; null for not at all. */
  readonly remindBefore: Seconds | null;
}

/** How people look at what was held. */
export interface Review {
  /** Whether screened text opens holds at all; an action that needs a person always does. */
  readonly enabled: boolean;
  /** The lowest band that opens a hold on a screened text. */
  readonly gateOn: Readonly<Record<Surface, GateBand>>;
  readonly onTimeout: "reject" | "release";
  /** How long a person has; null leaves it to the gate. */
  readonly sla: Seconds | null;
  /** Told to whoever waits. */
  readonly notice: string | null;
  readonly notify: Notify;
  /** How many different people have to approve. */
  readonly approvers: 1 | 2;
}

/** What leaves a mark on a credential: an action, or a text of certain sources on certain surfaces. */
export interface MarkRule {
  readonly mark: string;
  readonly match?: ClauseMatch;
  readonly texts?: { readonly surfaces: readonly Surface[]; readonly sources: readonly TextSource[] | null };
}

/** What may not come after all of the marks, within a time. */
export interface SequenceRule {
  readonly id: string;
  readonly after: readonly string[];
  readonly match: ClauseMatch;
  readonly effect: "review" | "block";
  readonly within: Seconds;
}

export interface SequenceRules {
  readonly scope: Scope;
  readonly marks: readonly MarkRule[];
  readonly rules: readonly SequenceRule[];
}

/** How much one agent may ask, and how large. */
export interface Limits {
  readonly scope: Scope;
  readonly asks: readonly { readonly max: number; readonly within: Seconds }[];
  readonly texts?: number;
  /** Of one text, in UTF-16 units. */
  readonly textLength?: number;
  readonly urls?: number;
  /** Of the parameters of an action, as JSON without spaces, in UTF-16 units. */
  readonly parametersLength?: number;
}

/** How much of what was asked is kept beside its record; the stricter last. */
export const KEEPINGS = ["full", "redacted", "none"] as const;
export type Keeping = (typeof KEEPINGS)[number];

/** What is kept of what was asked, and how long; null leaves that to the gate. A gate never keeps more than it is set to. */
export interface ContentRules {
  readonly keep: Keeping;
  readonly for: Seconds | null;
}

/** What a call of a tool is, in the words of an action. Templates take values from the arguments by JSON Pointer. */
export interface ToolMapping {
  readonly scope: Scope;
  /** `server/tool` */
  readonly tool: string;
  readonly kind: Kind;
  readonly verb: string;
  readonly target: string;
  readonly counterparty?: string;
  readonly amount?: { readonly value: string; readonly currency: string };
  readonly assets?: readonly string[];
  readonly labels?: readonly string[];
}

/** One document that is in force for the agent. */
export interface PolicySourceRef {
  readonly scope: Scope;
  /** The version of the document in its scope; null for a document that is no version of any. */
  readonly version: number | null;
  readonly digest: string;
}

/** What is in force for one agent: the composition of every scope, made before any ask. */
export interface EffectivePolicy {
  /** `sha256:<hex>` of the documents it was made of. */
  readonly digest: string;
  /** Written by the operator, or handed over by the caller for advice. */
  readonly origin: "operator" | "caller";
  readonly enforcement: "enforce" | { readonly observe: Until };
  readonly mandates: readonly { readonly scope: Scope; readonly mandate: Mandate }[];
  /** A dialect's rule that permits where there is no mandate; an operator's policy has none. */
  readonly rule: string | null;
  readonly spend: readonly SpendRules[];
  readonly evidence: EvidenceRules | null;
  readonly contracts: readonly Contract[];
  readonly schemas: readonly SchemaContract[];
  readonly screening: Screening | null;
  readonly trusted: TrustedSources;
  readonly protection: ProtectedSurface;
  readonly review: Review | null;
  readonly sequence: readonly SequenceRules[];
  readonly limits: readonly Limits[];
  /** Null leaves it to the gate. */
  readonly content: ContentRules | null;
  readonly tools: readonly ToolMapping[];
  /** Limits of trades: all apply to the settings that the gate has for them. */
  readonly trade: readonly TradeLimits[];
  /** How URLs in the material are judged; null leaves them to the shipped rules. */
  readonly network: UrlPolicy | null;
  /** Documents that stop to count, and with them everything: what has ended is not quietly left out. */
  readonly expiries: readonly { readonly scope: Scope; readonly until: Until }[];
  /** The documents it was made of, in the order of composition. */
  readonly sources: readonly PolicySourceRef[];
  /** Ids of the exemptions that loosened it. */
  readonly exemptions: readonly string[];
  /** What reading the documents or the request already found, such as a section that had to be there. */
  readonly given: readonly Finding[];
}

export const NOBODY_TRUSTED: TrustedSources = { agents: [], domains: [], addresses: [] };
export const NOTHING_PROTECTED: ProtectedSurface = { assets: [], forbidden: [], escalations: [] };

/** A policy that says nothing: it permits nothing, and what a policy does not mention is as it is here. */
export const BLANK_POLICY: Omit<EffectivePolicy, "digest" | "origin"> = {
  enforcement: "enforce",
  mandates: [],
  rule: null,
  spend: [],
  evidence: null,
  contracts: [],
  schemas: [],
  screening: null,
  trusted: NOBODY_TRUSTED,
  protection: NOTHING_PROTECTED,
  review: null,
  sequence: [],
  limits: [],
  content: null,
  tools: [],
  trade: [],
  network: null,
  expiries: [],
  sources: [],
  exemptions: [],
  given: [],
};
