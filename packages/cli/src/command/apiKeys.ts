import {
  isTenantId,
  KEY_SCOPES,
  type KeyHolder,
  type KeyScope,
  type LedgerError,
  millisOf,
  type PutKey,
  parseDuration,
  parseInstant,
  type Result,
  type Store,
  scopesBeyond,
} from "@countersign/core";
import { CommandError } from "../exit.ts";
import { drawKey } from "../firstKeys.ts";
import { openStore, type StoreOptions } from "../openStore.ts";
import { paint, print, printJson } from "../output.ts";
import { printable } from "../printable.ts";

interface Options extends StoreOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface CreateOptions extends Options {
  readonly scope: readonly string[];
  readonly agent?: string;
  readonly enforcer?: string;
  readonly speaksFor?: readonly string[];
  readonly person?: string;
  readonly expires?: string;
}

/** Whoever may write the log's own file runs the gate. */
const OPERATOR = { kind: "person", id: "operator" } as const;

/** Makes a key, also where no gate runs. What is printed is kept nowhere. */
export async function create(name: string, options: CreateOptions): Promise<void> {
  const holder = holderOf(options);
  const scopes = scopesOf(options.scope, holder);
  const expiresAt = options.expires === undefined ? null : timeOf(options.expires);
  await withStore(options, async (store) => {
    const drawn = drawKey(options.tenant);
    const { id, hash } = drawn;
    await commit(store, options.tenant, { kind: "key.put", id, hash, name, scopes, holder, expiresAt, by: OPERATOR });
    tell(drawn, options);
  });
}

export async function list(options: Options): Promise<void> {
  await withStore(options, async (store) => {
    const keys = unwrap(await store.keys(options.tenant));
    const rows = keys.map(({ id, name, scopes, holder, createdAt, expiresAt, revokedAt }) => ({
      id,
      name,
      scopes,
      holder,
      created_at: written(createdAt),
      expires_at: written(expiresAt),
      revoked_at: written(revokedAt),
    }));
    if (options.json === true) return printJson({ keys: rows });
    if (rows.length === 0) return print(paint("there are no keys", "dim"));
    for (const row of rows) {
      const state = row.revoked_at !== null ? paint("revoked", "block") : paint(row.expires_at ?? "no expiry", "dim");
      print(`${row.id}  ${printable(row.name)}  ${whose(row.holder)}  ${row.scopes.join(",")}  ${state}`);
    }
  });
}

export async function revoke(id: string, options: Options): Promise<void> {
  await withStore(options, async (store) => {
    await commit(store, options.tenant, { kind: "key.revoke", id, by: OPERATOR });
    if (options.json === true) return printJson({ id });
    print(`${printable(id)}  revoked`);
  });
}

/** A new key with the rights of another, which stays good for the overlap. */
export async function rotate(id: string, options: Options & { readonly overlap: string }): Promise<void> {
  const overlap = parseDuration(options.overlap);
  if (!overlap.ok)
    throw new CommandError(overlap.error.code, overlap.error.message, { at: "--overlap", expected: "such as P1D" });
  await withStore(options, async (store) => {
    const old = unwrap(await store.key(options.tenant, id));
    if (old === null || old.revokedAt !== null)
      throw new CommandError("key.unknown", "there is no such key in use", { at: id });
    const drawn = drawKey(options.tenant);
    const { name, scopes, holder, expiresAt } = old;
    const follows = { id, overlap: overlap.value * 1000 };
    const { id: next, hash } = drawn;
    await commit(store, options.tenant, {
      kind: "key.put",
      id: next,
      hash,
      name,
      scopes,
      holder,
      expiresAt,
      follows,
      by: OPERATOR,
    });
    tell(drawn, options);
  });
}

function tell({ id, key }: { readonly id: string; readonly key: string }, { json }: Options): void {
  if (json === true) printJson({ id, key });
  else {
    print(key);
    process.stderr.write(`${id} is shown this once; the gate keeps a hash of it\n`);
  }
}

function holderOf({ agent, enforcer, speaksFor, person }: CreateOptions): KeyHolder {
  const given = [agent, enforcer, person].filter((one) => one !== undefined);
  if (given.length !== 1 || (speaksFor !== undefined && enforcer === undefined))
    throw new CommandError("usage", "a key has one holder", {
      expected: "--agent NAME, --person NAME, or --enforcer NAME with --speaks-for AGENT…",
    });
  if (agent !== undefined) return { kind: "agent", agent };
  if (person !== undefined) return { kind: "person", person };
  const agents = speaksFor ?? [];
  if (agents.length === 0)
    throw new CommandError("usage", "an enforcer speaks for agents", { expected: "--speaks-for AGENT…, or any" });
  return { kind: "enforcer", id: enforcer ?? "", agents: agents.length === 1 && agents[0] === "any" ? "any" : agents };
}

function scopesOf(given: readonly string[], { kind }: KeyHolder): readonly KeyScope[] {
  const scopes = KEY_SCOPES.filter((scope) => given.includes(scope));
  const [unknown] = given.filter((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
  const beyond = scopesBeyond(kind, scopes);
  if (unknown === undefined && beyond.length === 0) return scopes;
  const message =
    unknown === undefined ? `a key of this holder is never for ${beyond.join(", ")}` : "this is not a scope";
  throw new CommandError("usage", message, { at: `--scope ${unknown ?? beyond[0]}`, expected: KEY_SCOPES.join(", ") });
}

function timeOf(text: string): number {
  const read = parseInstant(text);
  const millis = read.ok ? millisOf(read.value) : 0;
  if (millis > Date.now()) return millis;
  throw new CommandError("usage", read.ok ? "the key would have expired before it was made" : read.error.message, {
    at: "--expires",
    expected: "a time to come, as RFC 3339 has it",
  });
}

const whose = (holder: KeyHolder): string =>
  printable(
    holder.kind === "agent"
      ? `agent ${holder.agent}`
      : holder.kind === "person"
        ? `person ${holder.person}`
        : `enforcer ${holder.id} for ${holder.agents === "any" ? "any" : holder.agents.join(",")}`,
  );

const written = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString());

async function withStore(options: Options, work: (store: Store) => Promise<void>): Promise<void> {
  if (!isTenantId(options.tenant))
    throw new CommandError("usage", "this is not the id of a tenant", { at: "--tenant", expected: "a-z, 0-9 and -" });
  if (options.store === "memory")
    throw new CommandError("usage", "a key in memory would be gone at once", { at: "--store memory" });
  const store = await openStore(options);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function commit(store: Store, tenant: string, change: PutKey | Parameters<Store["commit"]>[1]): Promise<void> {
  unwrap(await store.commit(tenant, change));
}

function unwrap<T>(result: Result<T, LedgerError>): T {
  if (result.ok) return result.value;
  throw new CommandError(result.error.code, result.error.message);
}
