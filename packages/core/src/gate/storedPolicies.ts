import type { Asker } from "../action/action.ts";
import { parseJson } from "../json/parseJson.ts";
import type { JsonValue } from "../json/value.ts";
import { composeParts } from "../policy/compose.ts";
import { documentLimits } from "../policy/documentLimits.ts";
import type { EffectivePolicy, Scope } from "../policy/effective.ts";
import { type Exemption, isLive, readExemptions, withExemptions } from "../policy/exemption.ts";
import type { PolicyProblem } from "../policy/problem.ts";
import { type PolicyPart, readPart } from "../policy/readPart.ts";
import { isAgentScope, isPlatform, kindOf, scopesOf } from "../policy/scope.ts";
import type { PolicySource, PolicySourceError, ScopeVersion, VersionedPolicy } from "../policy/source.ts";
import { err, ok, type Result } from "../result.ts";
import { instantFromMillis, millisOf } from "../time/instant.ts";
import type { Millis } from "./ledger/change.ts";
import type { Policies, PolicyHead, PolicyVersion, TenantId } from "./ports.ts";

/** Reads one stored document as a part of a policy. */
export type PartReader = (
  document: JsonValue,
  scope: Scope,
  version: number | null,
) => Result<PolicyPart, readonly PolicyProblem[]>;

export interface StoredPoliciesOptions {
  readonly store: Policies;
  /** The tenant that the platform's documents are kept in: the operator's. */
  readonly operator: TenantId;
  /** How protection cards are read; null where there are none. */
  readonly cards: PartReader | null;
  readonly clock: () => Millis;
  /** How many documents, and how many compositions, are kept ready. What is pushed out is read again. */
  readonly keep?: number;
}

/** The documents that have a say for an agent, in the order of composition, and what loosens them. */
export interface InForce {
  readonly parts: readonly PolicyPart[];
  readonly exemptions: readonly Exemption[];
}

export interface StoredPolicies extends Required<PolicySource> {
  inForce(asker: Asker): Promise<Result<InForce, PolicySourceError>>;
  /** The documents above a scope, those of the same scope in another language included. */
  above(
    tenant: TenantId,
    scope: Scope,
    teams: readonly string[],
  ): Promise<Result<readonly PolicyPart[], PolicySourceError>>;
}

/** Where the documents of a scope are kept: the native one under the scope's own name. */
export const cardScope = (scope: Scope): string => `card:${scope}`;
export const exemptionScope = (agent: string): string => `exemptions:${agent}`;

const KEPT = 20_000;

/**
 * Policies out of the store. Before every decision the heads of the scopes are read, so that a change made through any
 * gate counts from the next decision on; documents are read, and composed, once for each version.
 */
export function createStoredPolicies(options: StoredPoliciesOptions): StoredPolicies {
  const { store, operator, cards, clock, keep: most = KEPT } = options;
  const documents = kept<Loaded>(most);
  const composed = kept<Composition>(most);
  let latest = 0;
  /** An exemption that has ended does not come back when the clock is set back. */
  const time = (): Millis => {
    latest = Math.max(latest, clock());
    return latest;
  };

  async function headsOf(tenant: TenantId, scopes: readonly Scope[]): Promise<Result<Heads, PolicySourceError>> {
    const wanted: Wanted[] = [];
    for (const scope of scopes) {
      const of = isPlatform(scope) ? operator : tenant;
      wanted.push({ name: scope, scope, tenant: of }, { name: cardScope(scope), scope, tenant: of });
    }
    const last = scopes.at(-1) ?? "";
    if (isAgentScope(last)) wanted.push({ name: exemptionScope(last.slice("agent:".length)), scope: "", tenant });
    const reads = await Promise.all([...new Set(wanted.map((one) => one.tenant))].map((of) => readHeads(of, wanted)));
    const heads = new Map<string, PolicyHead>();
    for (const read of reads) {
      if (read === null) return err(UNAVAILABLE);
      for (const { of, head } of read) heads.set(`${of}\n${head.scope}`, head);
    }
    const located: Located[] = [];
    const versions: ScopeVersion[] = [];
    for (const one of wanted) {
      const head = heads.get(`${one.tenant}\n${one.name}`);
      if (head !== undefined) located.push({ ...one, head });
      // The operator's own log has a lock of its own.
      if (one.tenant === tenant) versions.push({ scope: one.name, version: head?.version ?? 0 });
    }
    return ok({ located, versions });
  }

  async function readHeads(of: TenantId, wanted: readonly Wanted[]) {
    const names = wanted.filter((one) => one.tenant === of).map(({ name }) => name);
    const read = await store.policyHeads(of, names);
    return read.ok ? read.value.map((head) => ({ of, head })) : null;
  }

  /** Documents whose version is not at hand are read, at the version that is in force then. */
  async function load(located: readonly Located[]): Promise<Result<readonly Loaded[], PolicySourceError>> {
    // Taken out first: what is kept may be pushed out while others are read, and no document is ever left out.
    const loaded = new Map<Located, Loaded>();
    for (const one of located) {
      const known = documents.get(keyOf(one));
      if (known !== undefined) loaded.set(one, known);
    }
    const missing = located.filter((one) => !loaded.has(one));
    for (const tenant of new Set(missing.map((one) => one.tenant))) {
      const wanted = missing.filter((one) => one.tenant === tenant);
      const names = wanted.map(({ name }) => name);
      const read = await store.policies(tenant, names);
      if (!read.ok) return err(UNAVAILABLE);
      for (const one of wanted) {
        const version = read.value.find(({ scope }) => scope === one.name);
        const fresh = version === undefined ? err(UNAVAILABLE) : readVersion(one, version);
        if (!fresh.ok) return fresh;
        loaded.set(one, fresh.value);
        if (version !== undefined) documents.set(keyOf({ ...one, head: version }), fresh.value);
      }
    }
    return ok(located.map((one) => loaded.get(one) ?? broken()));
  }

  function readVersion(
    { name, scope }: Located,
    { text, version, digest }: PolicyVersion,
  ): Result<Loaded, PolicySourceError> {
    const document = parseJson(text, documentLimits, "plain");
    if (!document.ok) return err(UNREADABLE);
    if (scope === "") {
      const read = readExemptions(document.value);
      return read.ok ? ok({ exemptions: read.value }) : err(UNREADABLE);
    }
    const reader = name === scope ? readPart : cards;
    const part = reader?.(document.value, scope, version);
    // A document that is not the one that was saved, by a damaged page perhaps, permits nothing.
    return part?.ok && part.value.digest === digest ? ok({ part: part.value, exemptions: [] }) : err(UNREADABLE);
  }

  async function documentsOf(located: readonly Located[]): Promise<Result<InForce, PolicySourceError>> {
    const loaded = await load(located);
    if (!loaded.ok) return loaded;
    return ok({
      parts: loaded.value.flatMap(({ part }) => part ?? []),
      exemptions: loaded.value.flatMap((one) => one.exemptions),
    });
  }

  async function read(tenant: TenantId, scopes: readonly Scope[]): Promise<Result<InForce, PolicySourceError>> {
    const heads = await headsOf(tenant, scopes);
    return heads.ok ? documentsOf(heads.value.located) : heads;
  }

  async function versioned(asker: Asker): Promise<Result<VersionedPolicy, PolicySourceError>> {
    const heads = await headsOf(asker.tenant, scopesOf(asker));
    if (!heads.ok) return heads;
    const { located, versions } = heads.value;
    if (located.length === 0) return ok({ policy: null, versions });
    const key = located.map(keyOf).join("\n\n");
    const millis = time();
    const known = composed.get(key);
    if (known !== undefined && millis < known.until) return ok({ policy: known.policy, versions });
    const found = await documentsOf(located);
    if (!found.ok) return found;
    const { parts: all, exemptions: granted } = found.value;
    if (all.length === 0) return ok({ policy: null, versions });
    const now = instantFromMillis(millis);
    const live = granted.filter((one) => isLive(one, now));
    const { parts: left, applied } = withExemptions(all, live, now);
    const policy = composeParts(left, applied);
    const ends = live.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [millisOf(expiresAt)]));
    // A version that came in between is under its own heads the next time.
    composed.set(key, { policy, until: Math.min(...ends) });
    return ok({ policy, versions });
  }

  return {
    inForce: (asker) => read(asker.tenant, scopesOf(asker)),
    async above(tenant, scope, teams) {
      const all = scopesOf({ tenant, agent: "none", teams });
      const count = { platform: 0, org: 1, team: 2, agent: all.length - 1 }[kindOf(scope) ?? "platform"];
      const found = await read(tenant, all.slice(0, count));
      return found.ok ? ok(found.value.parts) : found;
    },
    versioned,
    async effective(asker) {
      const read = await versioned(asker);
      return read.ok ? ok(read.value.policy) : read;
    },
  };
}

/** A composition, and when an exemption in it ends. */
interface Composition {
  readonly policy: EffectivePolicy;
  readonly until: Millis;
}

/** One stored document: where it is kept, and the scope it speaks for ("" for exemptions). */
interface Wanted {
  readonly name: string;
  readonly scope: Scope;
  readonly tenant: TenantId;
}

/** The documents that there are, and the versions of all that there could be. */
interface Heads {
  readonly located: readonly Located[];
  readonly versions: readonly ScopeVersion[];
}

interface Located extends Wanted {
  readonly head: Pick<PolicyHead, "version" | "digest">;
}

interface Loaded {
  readonly part?: PolicyPart;
  readonly exemptions: readonly Exemption[];
}

const keyOf = ({ tenant, name, head }: Located): string => `${tenant}\n${name}\n${head.version}\n${head.digest}`;

function broken(): never {
  throw new Error("a document in force was not loaded");
}

const UNAVAILABLE: PolicySourceError = { code: "policy.unavailable", message: "the policy in force cannot be read" };
const UNREADABLE: PolicySourceError = {
  code: "policy.unavailable",
  message: "a document of the policy in force does not read as one",
};

/** The last so many that were used. */
function kept<T>(most: number) {
  const all = new Map<string, T>();
  return {
    get(key: string): T | undefined {
      const found = all.get(key);
      if (found === undefined) return undefined;
      all.delete(key);
      all.set(key, found);
      return found;
    },
    set(key: string, value: T): void {
      all.set(key, value);
      for (const oldest of all.keys()) {
        if (all.size <= most) break;
        all.delete(oldest);
      }
    },
  };
}
