import type { Asker } from "../action/action.ts";
import { jsonLimits, parseJson } from "../json/parseJson.ts";
import type { JsonValue } from "../json/value.ts";
import { composeParts } from "../policy/compose.ts";
import type { EffectivePolicy, Scope } from "../policy/effective.ts";
import { type Exemption, isLive, readExemptions, withExemptions } from "../policy/exemption.ts";
import type { PolicyProblem } from "../policy/problem.ts";
import { type PolicyPart, readPart } from "../policy/readPart.ts";
import { isPlatform, scopesOf } from "../policy/scope.ts";
import type { PolicySource, PolicySourceError } from "../policy/source.ts";
import { err, ok, type Result } from "../result.ts";
import { instantFromMillis } from "../time/instant.ts";
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
}

/** The documents that have a say for an agent, in the order of composition, and what loosens them. */
export interface InForce {
  readonly parts: readonly PolicyPart[];
  readonly exemptions: readonly Exemption[];
}

export interface StoredPolicies extends PolicySource {
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

/** How many documents and compositions are kept ready. What is pushed out is read again. */
const KEPT = 20_000;

/**
 * Policies out of the store. Before every decision the heads of the scopes are read, so that a change made through any
 * gate counts from the next decision on; documents are read, and composed, once for each version.
 */
export function createStoredPolicies({ store, operator, cards, clock }: StoredPoliciesOptions): StoredPolicies {
  const parts = kept<PolicyPart>();
  const exemptions = kept<readonly Exemption[]>();
  const composed = kept<EffectivePolicy>();

  async function headsOf(
    tenant: TenantId,
    scopes: readonly Scope[],
  ): Promise<Result<readonly Located[], PolicySourceError>> {
    const stored = scopes.flatMap((scope) =>
      [scope, cardScope(scope)].map((name) => ({ name, scope, tenant: isPlatform(scope) ? operator : tenant })),
    );
    const agent = scopes.at(-1)?.startsWith("agent:") ? scopes.at(-1)?.slice("agent:".length) : undefined;
    if (agent !== undefined) stored.push({ name: exemptionScope(agent), scope: "", tenant });
    const tenants = [...new Set(stored.map((one) => one.tenant))];
    const reads = await Promise.all(
      tenants.map(async (of) => ({
        of,
        read: await store.policyHeads(
          of,
          stored.filter((one) => one.tenant === of).map(({ name }) => name),
        ),
      })),
    );
    if (reads.some(({ read }) => !read.ok)) return err(UNAVAILABLE);
    const heads = new Map(
      reads.flatMap(({ of, read }) =>
        read.ok ? read.value.map((head) => [`${of}\n${head.scope}`, head] as const) : [],
      ),
    );
    return ok(
      stored.flatMap((one) => {
        const head = heads.get(`${one.tenant}\n${one.name}`);
        return head === undefined ? [] : [{ ...one, head }];
      }),
    );
  }

  /** Documents whose version is not at hand are read, at the version that is in force then. */
  async function load(located: readonly Located[]): Promise<Result<readonly Loaded[], PolicySourceError>> {
    const missing = located.filter((one) => !parts.has(keyOf(one)) && !exemptions.has(keyOf(one)));
    const fresh = new Map<string, Loaded>();
    for (const tenant of new Set(missing.map((one) => one.tenant))) {
      const wanted = missing.filter((one) => one.tenant === tenant);
      const read = await store.policies(
        tenant,
        wanted.map(({ name }) => name),
      );
      if (!read.ok) return err(UNAVAILABLE);
      for (const one of wanted) {
        const version = read.value.find(({ scope }) => scope === one.name);
        if (version === undefined) return err(UNAVAILABLE);
        const loaded = readVersion(one, version);
        if (!loaded.ok) return loaded;
        fresh.set(nameOf(one), loaded.value);
        const key = keyOf({ ...one, head: version });
        if (loaded.value.part !== undefined) parts.set(key, loaded.value.part);
        else exemptions.set(key, loaded.value.exemptions);
      }
    }
    return ok(
      located.map((one) => {
        const part = parts.get(keyOf(one));
        const known = exemptions.get(keyOf(one));
        return fresh.get(nameOf(one)) ?? (part === undefined ? { exemptions: known ?? [] } : { part, exemptions: [] });
      }),
    );
  }

  function readVersion({ name, scope }: Located, { text, version }: PolicyVersion): Result<Loaded, PolicySourceError> {
    const document = parseJson(text, jsonLimits, "plain");
    if (!document.ok) return err(UNREADABLE);
    if (scope === "") {
      const read = readExemptions(document.value);
      return read.ok ? ok({ exemptions: read.value }) : err(UNREADABLE);
    }
    const reader = name === scope ? readPart : cards;
    const part = reader?.(document.value, scope, version);
    return part?.ok ? ok({ part: part.value, exemptions: [] }) : err(UNREADABLE);
  }

  async function read(tenant: TenantId, scopes: readonly Scope[]): Promise<Result<InForce, PolicySourceError>> {
    const heads = await headsOf(tenant, scopes);
    if (!heads.ok) return heads;
    const loaded = await load(heads.value);
    if (!loaded.ok) return loaded;
    return ok({
      parts: loaded.value.flatMap(({ part }) => part ?? []),
      exemptions: loaded.value.flatMap((one) => one.exemptions),
    });
  }

  const inForce = (asker: Asker) => read(asker.tenant, scopesOf(asker));

  return {
    inForce,
    above(tenant, scope, teams) {
      const all = scopesOf({ tenant, agent: "none", teams });
      const kind = scope.slice(0, scope.indexOf(":"));
      const count = { platform: 0, org: 1, team: 2, agent: all.length - 1 }[kind] ?? 0;
      return read(tenant, all.slice(0, count)).then((found) => (found.ok ? ok(found.value.parts) : found));
    },
    async effective(asker) {
      const found = await inForce(asker);
      if (!found.ok) return found;
      if (found.value.parts.length === 0) return ok(null);
      const now = instantFromMillis(clock());
      const live = found.value.exemptions.filter((one) => isLive(one, now));
      const key = [
        ...found.value.parts.map(({ scope, version, digest }) => `${scope}@${version}@${digest}`),
        ...live.map(({ id }) => id),
      ].join("\n");
      const known = composed.get(key);
      if (known !== undefined) return ok(known);
      const { parts: left, applied } = withExemptions(found.value.parts, live, now);
      const policy = composeParts(left, applied);
      composed.set(key, policy);
      return ok(policy);
    },
  };
}

/** One stored document: where it is kept, the scope it speaks for ("" for exemptions), and the version in force. */
interface Located {
  readonly name: string;
  readonly scope: Scope;
  readonly tenant: TenantId;
  readonly head: Pick<PolicyHead, "version" | "digest">;
}

interface Loaded {
  readonly part?: PolicyPart;
  readonly exemptions: readonly Exemption[];
}

const nameOf = ({ tenant, name }: Located): string => `${tenant}\n${name}`;
const keyOf = (located: Located): string => `${nameOf(located)}\n${located.head.version}\n${located.head.digest}`;

const UNAVAILABLE: PolicySourceError = { code: "policy.unavailable", message: "the policy in force cannot be read" };
const UNREADABLE: PolicySourceError = {
  code: "policy.unavailable",
  message: "a document of the policy in force does not read as one",
};

/** The last so many that were used. */
function kept<T>(most = KEPT) {
  const all = new Map<string, T>();
  return {
    has: (key: string): boolean => all.has(key),
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
