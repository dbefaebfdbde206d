import { createHmac } from "node:crypto";
import { boundChain, type Means } from "@countersign/core";
import type { RawRow } from "./codec.ts";
import type { Task } from "./tasks.ts";

/** What a database is told of the secret that is kept elsewhere: enough to know it again, and nothing to find it by. */
const markOf = (secret: Uint8Array): string => createHmac("sha256", secret).update("countersign-mark-v1").digest("hex");

/**
 * Binds a database to the secret that is first used with it. Gives what its ledger works with, or `other` when it is bound
 * to another secret: under that one lies what its erasures left. `asTenant` says whose rows the statements after it see.
 */
export function* bind(
  secret: Uint8Array | null,
  asTenant: (tenant: string) => { readonly sql: string; readonly values: readonly string[] } | null,
  everyTenant: string,
  sha256: Means["sha256"],
): Task<Means["secret"] | "other"> {
  const [bound] = yield { sql: `select mark from bindings where id = 'secret'`, values: [] };
  if (bound !== undefined && secret === null) return "missing";
  if (secret === null) return null;
  const mark = markOf(secret);
  if (bound !== undefined) return bound["mark"] === mark ? secret : "other";
  yield* become(everyTenant);
  const tenants = yield { sql: `select tenant from heads`, values: [] };
  for (const tenant of tenants.map((row) => String(row["tenant"]))) {
    yield* become(tenant);
    const chains = yield { sql: `select id from chains where tenant = ?`, values: [tenant] };
    for (const id of chains.map((row) => String(row["id"]))) {
      const named = boundChain(id, secret, sha256);
      yield { sql: `update chains set id = ? where tenant = ? and id = ?`, values: [named, tenant, id] };
      yield { sql: `update entries set chain = ? where tenant = ? and chain = ?`, values: [named, tenant, id] };
    }
  }
  yield { sql: `insert into bindings (id, mark) values ('secret', ?)`, values: [mark] };
  return secret;

  function* become(tenant: string): Generator<{ sql: string; values: readonly string[] }, void, readonly RawRow[]> {
    const told = asTenant(tenant);
    if (told !== null) yield told;
  }
}
