import type { Kind } from "../action/action.ts";
import type { PreparedFields } from "../check/fields/fields.ts";
import type { UrlPolicy } from "../check/url/urlPolicy.ts";
import type { Finding } from "../decision/finding.ts";
import type { Money } from "../money/money.ts";
import type { Seconds } from "../time/duration.ts";
import type { CalendarUnit } from "../time/window.ts";
import type { Zone } from "../time/zone.ts";
import type { Mandate, Names, Until } from "./mandate.ts";

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
  readonly screening: Screening | null;
  /** How URLs in the material are judged; null leaves them to the shipped rules. */
  readonly network: UrlPolicy | null;
  /** What reading the documents or the request already found, such as a section that had to be there. */
  readonly given: readonly Finding[];
}
