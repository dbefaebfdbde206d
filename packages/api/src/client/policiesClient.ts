import type { JsonObject, Result } from "@countersign/core";
import {
  type EffectivePolicyWire,
  effectivePolicy,
  getPolicy,
  listPolicies,
  type PolicyDocumentWire,
  type PolicyHistoryWire,
  type PolicyListWire,
  type PolicyPreviewWire,
  type PolicySavedWire,
  policyHistory,
  type ScopeKindWire,
} from "../native/policies.ts";
import { callOperation } from "./callOperation.ts";
import { conditionOf, placeOf, type Replacing } from "./precondition.ts";
import type { RemoteError, Transport } from "./transport.ts";

type Answered<T> = Promise<Result<T, RemoteError>>;

/** Policies by scope. The platform's id is `default`, that of the organisation is the tenant's. */
export interface PoliciesClient {
  /** Every scope of the tenant that has a document. */
  list(): Answered<PolicyListWire>;
  /** The document in force in a scope, or an earlier version of it. */
  get(scope: ScopeKindWire, id: string, version?: number): Answered<PolicyDocumentWire>;
  /** Every version, newest first: 100 unless told otherwise, and only those before one. */
  history(
    scope: ScopeKindWire,
    id: string,
    part?: { readonly limit?: number; readonly before?: number },
  ): Answered<PolicyHistoryWire>;
  /** What is in force for an agent, and where each value comes from. */
  effective(agent: string): Answered<EffectivePolicyWire>;
  /** What would be said of a document. Nothing is saved. */
  preview(scope: ScopeKindWire, id: string, document: JsonObject): Answered<PolicyPreviewWire>;
  /** The next version, whole or not at all. Sent once: after an answer that was lost, read what is in force. */
  put(
    scope: ScopeKindWire,
    id: string,
    document: JsonObject,
    options: Replacing & { readonly reason?: string },
  ): Answered<PolicySavedWire>;
  /** Writes an earlier version as the next one. Sent once, as `put` is. */
  rollBack(
    scope: ScopeKindWire,
    id: string,
    version: number,
    options: Replacing & { readonly reason: string },
  ): Answered<PolicySavedWire>;
}

const BASE = "/v1/policies";

export function policiesClient(send: Transport): PoliciesClient {
  // What comes back is the gate's own; its members are not looked through again.
  const as = <T>(answer: Promise<Result<JsonObject, RemoteError>>) => answer as unknown as Answered<T>;
  return {
    list: () => as(callOperation(send, listPolicies, {})),
    get: (scope, id, version) => as(callOperation(send, getPolicy, { scope, id, version })),
    history: (scope, id, part = {}) => as(callOperation(send, policyHistory, { scope, id, ...part })),
    effective: (agent) => as(callOperation(send, effectivePolicy, { agent })),
    preview: (scope, id, document) => as(send("POST", `${placeOf(BASE, scope, id)}/preview`, document)),
    put: (scope, id, document, { reason, ...condition }) => {
      const why = reason === undefined ? "" : `?${new URLSearchParams({ reason })}`;
      return as(send("PUT", placeOf(BASE, scope, id) + why, document, "unsafe", conditionOf(condition)));
    },
    rollBack: (scope, id, version, { reason, ...condition }) =>
      as(send("POST", `${placeOf(BASE, scope, id)}/rollback`, { version, reason }, "unsafe", conditionOf(condition))),
  };
}
