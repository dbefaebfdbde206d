import type { SchemaCache } from "../check/schema/cache.ts";
import { canonicalize } from "../json/canonical.ts";
import { parseJson } from "../json/parseJson.ts";
import type { JsonValue } from "../json/value.ts";
import { contradictionsOf } from "../policy/contradictions.ts";
import { documentLimits } from "../policy/documentLimits.ts";
import type { Scope } from "../policy/effective.ts";
import { folded } from "../policy/fold.ts";
import type { PolicyProblem } from "../policy/problem.ts";
import type { PolicyPart } from "../policy/readPart.ts";
import type { PolicySourceError } from "../policy/source.ts";
import { err, ok, type Result } from "../result.ts";
import { newId, type RandomBytes } from "./ids.ts";
import type { Actor, Idempotency, Millis, PutPolicy } from "./ledger/change.ts";
import type { LedgerError, StoreError } from "./ledger/refusal.ts";
import { deafTargets, type NotifyTargets } from "./notifyTargets.ts";
import type { Agents, Ledger, Policies, TenantId } from "./ports.ts";
import { cardScope, type PartReader, type StoredPolicies } from "./storedPolicies.ts";

/** Why a document was not saved. Nothing of it was. */
export type SaveError =
  | { readonly code: "policy.twin"; readonly message: string }
  | { readonly code: "policy.malformed"; readonly message: string; readonly problems: readonly PolicyProblem[] }
  | PolicySourceError
  | LedgerError;

export interface Saved {
  readonly version: number;
  readonly digest: string;
  readonly id: string;
  /** What of the document does not bite below the scopes above it. */
  readonly warnings: readonly PolicyProblem[];
  /** Set when the same request had been answered before: what it was answered with. */
  readonly replayed?: string;
}

export interface SaveRequest {
  readonly tenant: TenantId;
  readonly scope: Scope;
  readonly kind: "policy" | "card";
  readonly read: PartReader;
  readonly document: JsonValue;
  /** As `policy.put` has it. */
  readonly replaces: string | null;
  readonly by: Actor;
  readonly reason?: string;
  readonly event?: NonNullable<PutPolicy["event"]>;
  readonly idempotency?: (saved: Omit<Saved, "replayed">) => Idempotency;
}

export interface SavePorts {
  readonly ledger: Ledger;
  readonly agents: Agents;
  readonly policies: StoredPolicies;
  readonly heads: Pick<Policies, "policyHeads" | "policyScopes">;
  readonly schemas: SchemaCache;
  readonly targets: NotifyTargets;
  readonly clock: () => Millis;
  readonly random: RandomBytes;
}

/** What a document is, and what it clashes with, without saving anything. */
export interface Examined {
  readonly part: PolicyPart;
  readonly above: readonly PolicyPart[];
  readonly warnings: readonly PolicyProblem[];
}

/** Reads a document, compiles its schemas, looks whether whom it names is there, and compares it with the documents above it. */
export async function examinePolicy(
  ports: Pick<SavePorts, "agents" | "policies" | "schemas" | "targets" | "clock">,
  { tenant, scope, read, document }: Pick<SaveRequest, "tenant" | "scope" | "read" | "document">,
): Promise<Result<Examined, SaveError>> {
  const part = read(document, scope, null);
  if (!part.ok) return err(malformed(part.error));
  const schemas = await schemaProblems(part.value, ports.schemas);
  if (schemas.length > 0) return err(malformed(schemas));
  const deaf = await deafTargets(ports.targets, tenant, part.value, ports.clock());
  if (!deaf.ok) return deaf;
  if (deaf.value.length > 0) return err(malformed(deaf.value));
  const agent = scope.startsWith("agent:") ? await ports.agents.agent(tenant, scope.slice("agent:".length)) : ok(null);
  if (!agent.ok) return agent;
  const above = await ports.policies.above(tenant, scope, agent.value?.teams ?? []);
  if (!above.ok) return above;
  const { errors, warnings } = contradictionsOf(part.value, above.value);
  return errors.length > 0 ? err(malformed(errors)) : ok({ part: part.value, above: above.value, warnings });
}

/** Saves a document as the next version of its scope, whole or not at all. */
export async function savePolicy(ports: SavePorts, request: SaveRequest): Promise<Result<Saved, SaveError>> {
  const examined = await examinePolicy(ports, request);
  if (!examined.ok) return examined;
  const { part, warnings } = examined.value;
  const text = canonicalize(request.document);
  if (!parseJson(text, documentLimits, "plain").ok) return err(TOO_LARGE);
  const id = newId("pol", ports.clock(), ports.random);
  const { scope, reason, event } = request;
  const stored = request.kind === "card" ? cardScope(scope) : scope;
  const heads = await ports.heads.policyHeads(request.tenant, [stored]);
  if (!heads.ok) return heads;
  if (heads.value.length === 0) {
    const twin = await findTwin(ports.heads, request.tenant, stored);
    if (!twin.ok) return twin;
    if (twin.value) return err(TWIN);
  }
  // What replaces the version that is in force is the next one; where it is not in force, nothing is saved.
  const answer = { version: (heads.value[0]?.version ?? 0) + 1, digest: part.digest, id, warnings };
  const committed = await ports.ledger.commit(request.tenant, {
    kind: "policy.put",
    scope: stored,
    id,
    digest: part.digest,
    text,
    replaces: request.replaces,
    by: request.by,
    ...(reason === undefined ? {} : { reason }),
    ...(event === undefined ? {} : { event }),
    ...(request.idempotency === undefined ? {} : { idempotency: request.idempotency(answer) }),
  });
  if (!committed.ok) return committed;
  const { version, replayed } = committed.value;
  const before = replayed?.answer ?? undefined;
  return ok({ ...answer, version, ...(before === undefined ? {} : { replayed: before }) });
}

const malformed = (problems: readonly PolicyProblem[]): SaveError => ({
  code: "policy.malformed",
  message: problems[0]?.message ?? "the policy cannot be read",
  problems,
});

/** A document that does not read when it is in force blocks everybody it is for. */
const TOO_LARGE: SaveError = malformed([
  {
    code: "policy.too_large",
    path: "",
    message: "the document is larger, or nested more deeply, than what is kept",
    expected: `at most ${documentLimits.bytes} bytes as JSON, and ${documentLimits.depth} levels`,
  },
]);

const TWIN: SaveError = {
  code: "policy.twin",
  message: "another scope has this id in another letter case, and people would take one for the other",
};

/** The native document and the card of a scope stand beside each other. */
const withoutCard = (stored: string): string => stored.replace(/^card:/, "");

async function findTwin(
  { policyScopes }: Pick<Policies, "policyScopes">,
  tenant: TenantId,
  stored: string,
): Promise<Result<boolean, StoreError>> {
  const scopes = await policyScopes(tenant);
  if (!scopes.ok) return scopes;
  const own = withoutCard(stored);
  return ok(scopes.value.map(withoutCard).some((scope) => scope !== own && folded(scope) === folded(own)));
}

async function schemaProblems(part: PolicyPart, cache: SchemaCache): Promise<readonly PolicyProblem[]> {
  const problems: PolicyProblem[] = [];
  const contracts = (part.document["contracts"] ?? []) as readonly { readonly id?: JsonValue }[];
  for (const { id, schema } of part.sections.contracts?.schemas ?? []) {
    const compiled = await cache.compile(schema);
    if (compiled.ok) continue;
    const index = contracts.findIndex((contract) => contract.id === id);
    const { code, path, message } = compiled.error;
    problems.push({ code, path: `/contracts/${index}/schema${path}`, message });
  }
  return problems;
}
