import { canonicalize } from "../json/canonical.ts";
import { encodeUtf8 } from "../json/utf8.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { hex } from "./hex.ts";
import { type Sha256, sameBytes } from "./merkle.ts";

/**
 * `hmac-sha256:<hex>`: HMAC-SHA256 with a salt of its own over the SHA-256 of the canonical bytes of a value. Whoever
 * has the salt can check the value; once the salt is destroyed, no guess of the value can be confirmed.
 */
export type Commitment = `hmac-sha256:${string}`;

/** Bytes of a salt. As long as the hash, so that guessing salts is no way in. */
export const SALT_LENGTH = 32;

const blockLength = 64;

export function commitTo(value: JsonValue, salt: Uint8Array, sha256: Sha256): Commitment {
  if (salt.length !== SALT_LENGTH) throw new Error(`a salt has ${SALT_LENGTH} bytes`);
  const digest = sha256(encodeUtf8(canonicalize(value)));
  return `hmac-sha256:${hex(hmacSha256(salt, digest, sha256))}`;
}

/** A commitment a field, each with a salt of its own. */
export function commitToFields(
  fields: JsonObject,
  salts: ReadonlyMap<string, Uint8Array>,
  sha256: Sha256,
): Record<string, Commitment> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const salt = salts.get(name);
      if (salt === undefined) throw new Error("a field has no salt");
      return [name, commitTo(value, salt, sha256)];
    }),
  );
}

/** RFC 2104 over the SHA-256 that is handed in. */
export function hmacSha256(key: Uint8Array, message: Uint8Array, sha256: Sha256): Uint8Array {
  const block = new Uint8Array(blockLength);
  block.set(key.length > blockLength ? sha256(key) : key);
  const inner = sha256(joined(block, 0x36, message));
  return sha256(joined(block, 0x5c, inner));
}

function joined(block: Uint8Array, pad: number, message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(blockLength + message.length);
  for (let i = 0; i < blockLength; i += 1) bytes[i] = (block[i] as number) ^ pad;
  bytes.set(message, blockLength);
  return bytes;
}

export function opensCommitment(commitment: string, value: JsonValue, salt: Uint8Array, sha256: Sha256): boolean {
  return salt.length === SALT_LENGTH && sameBytes(encodeUtf8(commitTo(value, salt, sha256)), encodeUtf8(commitment));
}
