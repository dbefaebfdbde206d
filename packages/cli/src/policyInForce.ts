import { readStoredCard } from "@countersign/api";
import {
  createSchemaCache,
  createStoredPolicies,
  type JsonValue,
  readPart,
  type SchemaCache,
  type Store,
  type StoredPolicies,
  savePolicy,
} from "@countersign/core";
import { LOCAL } from "@countersign/server";
import { CommandError, refuse } from "./exit.ts";
import { nameOf } from "./input.ts";
import { LOCAL_SCOPE, readDocument } from "./policyFile.ts";
import { random } from "./random.ts";
import { STARTER_POLICY } from "./starterPolicy.ts";
import { parseYaml } from "./yaml.ts";

const SCHEMAS_KEPT = 1_000;

export interface PoliciesInForce {
  readonly policies: StoredPolicies;
  readonly schemas: SchemaCache;
}

/** The policies in a store, as every face of this program reads them. */
export const storedPolicies = (store: Store): StoredPolicies =>
  createStoredPolicies({ store, operator: LOCAL.tenant, cards: readStoredCard, clock: Date.now });

/**
 * The policies that a running gate goes by: those in its store. A file becomes the next version of its scope, unless it
 * is what is in force; where there is no policy at all, the starter policy is the first.
 */
export async function openPolicies(store: Store, file: string | undefined): Promise<PoliciesInForce> {
  const policies = storedPolicies(store);
  const inForce = { policies, schemas: createSchemaCache(SCHEMAS_KEPT) };
  if (file !== undefined) await save(store, inForce, await readDocument(file), nameOf(file));
  else {
    const scopes = await store.policyScopes(LOCAL.tenant);
    if (!scopes.ok) throw new CommandError(scopes.error.code, scopes.error.message);
    if (scopes.value.length === 0) await save(store, inForce, starterPolicy(), "the starter policy");
  }
  return inForce;
}

async function save(
  store: Store,
  { policies, schemas }: PoliciesInForce,
  document: JsonValue,
  name: string,
): Promise<void> {
  const part = readPart(document, LOCAL_SCOPE);
  if (!part.ok) {
    const [first, ...rest] = part.error;
    return refuse(first ?? { code: "policy.malformed", message: "the policy cannot be read" }, name, rest.length);
  }
  const [current] = unwrap(await store.policies(LOCAL.tenant, [LOCAL_SCOPE]));
  if (current?.digest === part.value.digest) return;
  const ports = {
    ledger: store,
    agents: store,
    heads: store,
    targets: store,
    policies,
    schemas,
    clock: Date.now,
    random,
  };
  const saved = await savePolicy(ports, {
    tenant: LOCAL.tenant,
    scope: LOCAL_SCOPE,
    kind: "policy",
    read: readPart,
    document,
    replaces: "any",
    by: { kind: "person", id: "start" },
    reason: "given at start",
  });
  if (saved.ok) return;
  const { code, message } = saved.error;
  const problems = "problems" in saved.error ? saved.error.problems : [];
  const [first, ...rest] = problems;
  refuse(first ?? { code, message }, name, rest.length);
}

function unwrap<T>(read: { ok: true; value: T } | { ok: false; error: { code: string; message: string } }): T {
  if (read.ok) return read.value;
  throw new CommandError(read.error.code, read.error.message);
}

/** Small, and blocking what it does not name. */
function starterPolicy(): JsonValue {
  const document = parseYaml(STARTER_POLICY);
  if (!document.ok) throw new Error("the starter policy cannot be read");
  return document.value;
}
