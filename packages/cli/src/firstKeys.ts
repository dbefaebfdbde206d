import { join } from "node:path";
import {
  formatApiKey,
  hashSecret,
  type KeyScope,
  type Keys,
  type Ledger,
  newId,
  type PutKey,
  type TenantId,
} from "@countersign/core";
import { writePrivateFile } from "@countersign/server";
import { CommandError } from "./exit.ts";
import { sha256 } from "./localGate.ts";
import { random } from "./random.ts";

/** Where the first start writes the keys of the operator. */
export const firstKeysFile = (home: string): string => join(home, "api-keys.json");

/** Whoever runs the gate, and whoever reviews: two keys, so that they can be two people. */
const FIRST: readonly { readonly name: "admin" | "reviewer"; readonly scopes: readonly KeyScope[] }[] = [
  { name: "admin", scopes: ["admin", "policy", "audit"] },
  { name: "reviewer", scopes: ["review", "audit"] },
];

/** A key with its secret: the one time that both are together. */
export function drawKey(tenant: TenantId): { readonly id: string; readonly hash: string; readonly key: string } {
  const id = newId("key", Date.now(), random);
  const secret = random(32);
  return { id, hash: hashSecret(secret, sha256), key: formatApiKey(tenant, id, secret) };
}

/** Makes the first keys of a tenant that has none, and gives the file that they are in; null when there are keys already. */
export async function makeFirstKeys(store: Ledger & Keys, tenant: TenantId, home: string): Promise<string | null> {
  const before = await store.keys(tenant);
  if (!before.ok) throw new CommandError(before.error.code, before.error.message);
  if (before.value.length > 0) return null;
  const drawn = FIRST.map((first) => ({ ...first, ...drawKey(tenant) }));
  const file = firstKeysFile(home);
  const text = `${JSON.stringify(Object.fromEntries(drawn.map(({ name, key }) => [name, key])), null, 2)}\n`;
  // First the file: keys that nobody has are of no use, and a file without keys is written anew at the next start.
  const written = await writePrivateFile(file, text, "replace");
  if (!written.ok) throw new CommandError(written.error.code, written.error.message, { at: file });
  for (const { id, hash, name, scopes } of drawn) {
    const change: PutKey = {
      kind: "key.put",
      id,
      hash,
      name,
      scopes,
      holder: { kind: "person", person: name },
      expiresAt: null,
      by: { kind: "person", id: "first-start" },
    };
    const made = await store.commit(tenant, change);
    if (!made.ok) throw new CommandError(made.error.code, made.error.message);
  }
  return file;
}
