import type { JsonObject, Result } from "@countersign/core";
import type { Conflict } from "../dialect/card/conflicts.ts";
import type { CardWarning } from "../dialect/card/unjudged.ts";
import type { ScopeKindWire } from "../native/policies.ts";
import { conditionOf, placeOf, type Replacing } from "./precondition.ts";
import type { RemoteError, Transport } from "./transport.ts";

type Answered<T> = Promise<Result<T, RemoteError>>;

/** A card as the gate gives it back, with what it assigned. */
export type CardAnswerWire = JsonObject & {
  readonly card_id: string;
  readonly issued_at: string;
  readonly version: number;
  readonly content_hash: string;
  /** Of a card that was just written: which of its members change nothing. */
  readonly warnings?: readonly CardWarning[];
};

export interface CardSourcesWire {
  readonly sources: readonly {
    readonly scope: string;
    readonly available: boolean;
    readonly card: CardAnswerWire | null;
  }[];
  /** Of an agent: what they come to. */
  readonly composed: JsonObject | null;
}

export interface CardPreviewWire {
  /** False for what is no card, and for trusted sources outside the platform's ceiling. */
  readonly ok: boolean;
  readonly composed: JsonObject | null;
  /** Every field of the draft that a scope above tightened, and who won. */
  readonly conflicts: readonly Conflict[];
  readonly warnings: readonly CardWarning[];
  readonly errors?: readonly { readonly code: string; readonly path: string; readonly message: string }[];
}

export interface EffectiveCardWire {
  readonly card: JsonObject;
  readonly field_provenance: Readonly<Record<string, { readonly scope: string; readonly version: number | null }>>;
}

/** Protection cards. The platform's id is `default`, that of the organisation is the tenant's. */
export interface CardsClient {
  get(scope: ScopeKindWire, id: string): Answered<CardAnswerWire>;
  /** Every card above it, whether there is one or not. */
  sources(scope: ScopeKindWire, id: string): Answered<CardSourcesWire>;
  /** The card in force for an agent, and where each field comes from. */
  effective(agent: string): Answered<EffectiveCardWire>;
  /** What a draft would come to. Nothing is saved. */
  preview(scope: ScopeKindWire, id: string, card: JsonObject): Answered<CardPreviewWire>;
  /** The next version. A key is made where there is none, so that trying again never writes twice. */
  put(
    scope: ScopeKindWire,
    id: string,
    card: JsonObject,
    options: Replacing & { readonly idempotencyKey?: string },
  ): Answered<CardAnswerWire>;
}

const BASE = "/v1/protection";

export function cardsClient(send: Transport): CardsClient {
  const as = <T>(answer: Promise<Result<JsonObject, RemoteError>>) => answer as unknown as Answered<T>;
  return {
    get: (scope, id) => as(send("GET", placeOf(BASE, scope, id))),
    sources: (scope, id) => as(send("GET", `${placeOf(BASE, scope, id)}?include=sources`)),
    effective: (agent) => as(send("GET", `${placeOf(BASE, "agent", agent)}/effective`)),
    preview: (scope, id, card) => as(send("POST", `${placeOf(BASE, scope, id)}/preview-compose`, card)),
    put: (scope, id, card, { idempotencyKey = globalThis.crypto.randomUUID(), ...condition }) =>
      as(
        send("PUT", placeOf(BASE, scope, id), card, "safe", {
          "idempotency-key": idempotencyKey,
          ...conditionOf(condition),
        }),
      ),
  };
}
