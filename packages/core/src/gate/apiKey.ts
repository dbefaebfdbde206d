import { encodeUtf8 } from "../json/utf8.ts";
import { decodeBase64url, encodeBase64url } from "../record/base64url.ts";
import { hex } from "../record/hex.ts";
import type { Sha256 } from "../record/merkle.ts";
import { err, ok, type Result } from "../result.ts";
import type { KeyHolder, Millis } from "./ledger/change.ts";
import type { StoreError } from "./ledger/refusal.ts";
import type { Store, TenantId } from "./ports.ts";
import { isTenantId } from "./tenantId.ts";

/** What a key may be used for. */
export const KEY_SCOPES = ["decide", "enforce", "outcome", "review", "policy", "audit", "admin"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Bytes of a secret: random, so that a plain hash of it is enough and needs no slow one. */
export const SECRET_LENGTH = 32;

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** `key_` and a UUID. */
export const isKeyId = (text: string): boolean => new RegExp(`^key_${ID}$`).test(text);

/**
 * The text a person puts into a client, shown once: `csk_`, tenant, id and secret. The prefix is there for scanners that
 * look for keys in places where none should be.
 */
export function formatApiKey(tenant: TenantId, id: string, secret: Uint8Array): string {
  if (!isTenantId(tenant) || !isKeyId(id) || secret.length !== SECRET_LENGTH)
    throw new Error("an api key is made of a tenant, a key id and a secret of 32 bytes");
  return `csk_${tenant}_${id.slice("key_".length)}_${encodeBase64url(secret)}`;
}

/** What is stored of a secret. */
export const hashSecret = (secret: Uint8Array, sha256: Sha256): string => hex(sha256(secret));

/** Who a credential is. */
export interface KeyIdentity {
  readonly tenant: TenantId;
  /** `key_…` */
  readonly credential: string;
  readonly scopes: readonly KeyScope[];
  readonly holder: KeyHolder;
}

/** One answer for everything that is wrong with a key: unknown, mistyped, revoked, expired or another tenant's. */
export interface KeyRefused {
  readonly code: "key.refused";
  readonly message: string;
}

const refused = err<KeyRefused>({ code: "key.refused", message: "the key is not valid" });

/** Looked up and compared with when there is nothing to find, so that every refusal does the same work. */
const nobody = {
  tenant: "none",
  id: "key_00000000-0000-0000-0000-000000000000",
  secret: new Uint8Array(SECRET_LENGTH),
};

/**
 * Whose key this is. Every refusal is the same and takes the same way, whichever part was wrong. A key that has expired by
 * the time of the log stays so when the clock is set back.
 */
export async function authenticate(
  presented: string,
  keys: Pick<Store, "key" | "now">,
  clock: Millis,
  sha256: Sha256,
): Promise<Result<KeyIdentity, KeyRefused | StoreError>> {
  const { tenant, id, secret } = parse(presented) ?? nobody;
  const found = await keys.key(tenant, id);
  if (!found.ok) return found;
  const [hash, none] = [hashSecret(secret, sha256), hashSecret(nobody.secret, sha256)];
  const same = equalText(hash, found.value?.hash ?? none);
  const key = found.value;
  if (!same || key === null || key.revokedAt !== null) return refused;
  const live = await isBefore(key.expiresAt, clock, tenant, keys);
  if (!live.ok) return live;
  if (!live.value) return refused;
  return ok({ tenant, credential: key.id, scopes: key.scopes.filter(isKeyScope), holder: key.holder });
}

/** Whether this end is still to come, by the clock and by the time of the log. */
export async function isBefore(
  end: Millis | null,
  clock: Millis,
  tenant: TenantId,
  store: Pick<Store, "now">,
): Promise<Result<boolean, StoreError>> {
  if (end === null) return ok(true);
  if (clock >= end) return ok(false);
  const now = await store.now(tenant);
  return now.ok ? ok(now.value < end) : now;
}

function parse(presented: string): { tenant: string; id: string; secret: Uint8Array } | undefined {
  const form = new RegExp(`^csk_([a-z0-9][a-z0-9-]{0,62})_(${ID})_([A-Za-z0-9_-]{43})$`);
  const [, tenant = "", id = "", encoded = ""] = form.exec(presented) ?? [];
  const secret = decodeBase64url(encoded);
  return secret?.length === SECRET_LENGTH ? { tenant, id: `key_${id}`, secret } : undefined;
}

const isKeyScope = (scope: string): scope is KeyScope => (KEY_SCOPES as readonly string[]).includes(scope);

/** Looks at every byte, whatever the first ones are. */
function equalText(a: string, b: string): boolean {
  const left = encodeUtf8(a);
  const right = encodeUtf8(b);
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i += 1) difference |= (left[i] as number) ^ (right[i % right.length] as number);
  return difference === 0;
}
