import {
  decodeBase64url,
  encodeBase64url,
  err,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
} from "@countersign/core";
import { type Ed25519Key, ed25519Key } from "./ed25519.ts";
import type { ReceiptError } from "./receiptError.ts";

/** The keys that may have signed, by their `kid`. */
export type KeySet = ReadonlyMap<string, Ed25519Key>;

/** A public key to publish: 32 bytes of Ed25519 and the name its signatures give. */
export interface PublicKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** More keys than any rotation needs; a list is read by verifiers that did not write it. */
const mostKeys = 100;

/**
 * Reads a JSON Web Key Set (RFC 7517). Keys for other algorithms or for encryption are passed over, as the RFC says; an
 * Ed25519 key that is malformed, of low order, without a name, named twice or private makes the whole list refused.
 * Fails with `receipt.keys_malformed`.
 */
export function readJwks(jwks: JsonValue): Result<KeySet, ReceiptError> {
  const list = isObject(jwks) && Object.hasOwn(jwks, "keys") ? jwks["keys"] : undefined;
  if (!Array.isArray(list) || list.length > mostKeys) {
    return refused("/keys", "the key set has no list of keys", `a list of at most ${mostKeys} keys`);
  }
  const keys = new Map<string, Ed25519Key>();
  for (const [index, entry] of (list as readonly JsonValue[]).entries()) {
    const path = `/keys/${index}`;
    if (!isObject(entry)) return refused(path, "a key is not an object", "an object");
    if (Object.hasOwn(entry, "d"))
      return refused(`${path}/d`, "the key set publishes a private key", "public keys only");
    if (!isSigningKey(entry)) continue;
    const { kid, x } = entry;
    if (typeof kid !== "string" || kid === "") return refused(`${path}/kid`, "a key has no name", "a string");
    if (keys.has(kid)) return refused(`${path}/kid`, "two keys have the same name", "one key a name");
    const bytes = typeof x === "string" ? decodeBase64url(x) : undefined;
    const key = bytes === undefined ? undefined : ed25519Key(bytes);
    if (key === undefined) return refused(`${path}/x`, "a key is not a valid Ed25519 key", "32 bytes in base64url");
    keys.set(kid, key);
  }
  return ok(keys);
}

/** The document that `readJwks` and every JWT library read. */
export function writeJwks(keys: readonly PublicKey[]): JsonObject {
  return {
    keys: keys.map(({ kid, bytes }) => ({
      kty: "OKP",
      crv: "Ed25519",
      alg: "EdDSA",
      use: "sig",
      kid,
      x: encodeBase64url(bytes),
    })),
  };
}

/** A key of the mandate dialect: it also says when its signatures may have been made. */
export interface DatedPublicKey extends PublicKey {
  /** RFC 3339. */
  readonly notBefore: string;
  /** RFC 3339; null while the key is in use. */
  readonly notAfter: string | null;
}

/** The key list that the mandate dialect publishes at `/.well-known/hanria-receipt-keys.json`. */
export function writeMandateKeys(keys: readonly DatedPublicKey[]): JsonObject {
  return {
    keys: keys.map(({ kid, bytes, notBefore, notAfter }) => ({
      kid,
      algorithm: "Ed25519",
      public_key: encodeBase64url(bytes),
      not_before: notBefore,
      not_after: notAfter,
    })),
  };
}

/** Whether a key is there to verify Ed25519 signatures, as far as it says. */
function isSigningKey(key: JsonObject): boolean {
  if (key["kty"] !== "OKP" || key["crv"] !== "Ed25519") return false;
  if (Object.hasOwn(key, "use") && key["use"] !== "sig") return false;
  if (Object.hasOwn(key, "alg") && key["alg"] !== "EdDSA" && key["alg"] !== "Ed25519") return false;
  const operations = key["key_ops"];
  return operations === undefined || (Array.isArray(operations) && operations.includes("verify"));
}

const refused = (path: string, message: string, expected: string): Result<never, ReceiptError> =>
  err({ code: "receipt.keys_malformed", path, message, expected });
