import { decodeUtf8, encodeUtf8 } from "../json/utf8.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { hmacSha256 } from "./commitment.ts";
import { type Sha256, sameBytes } from "./merkle.ts";

/** Bytes of a nonce, random for each text. */
export const NONCE_LENGTH = 16;
const TAG = 32;
const BLOCK = 32;
const COUNTER = 4;

/** A key for one use, from the one that is kept. */
const keyFor = (use: string, secret: Uint8Array, sha256: Sha256): Uint8Array =>
  hmacSha256(secret, encodeUtf8(`countersign-sealed-v1\n${use}`), sha256);

/**
 * Text that only the holder of `secret` reads, and that nobody else changes unnoticed: mixed with SHA-256 over a key, a
 * nonce of 16 random bytes and a counter, then HMAC-SHA256 over `place`, nonce and cipher text, under keys of their own. `place`
 * says where it is kept, so that one is not put in the place of another. Base64url.
 */
export function sealText(text: string, place: string, secret: Uint8Array, nonce: Uint8Array, sha256: Sha256): string {
  if (nonce.length !== NONCE_LENGTH) throw new Error(`a nonce has ${NONCE_LENGTH} bytes`);
  const cipher = mixed(encodeUtf8(text), nonce, keyFor("encrypt", secret, sha256), sha256);
  return encodeBase64url(joined(nonce, cipher, tagOf(place, nonce, cipher, secret, sha256)));
}

/** Undefined when it was sealed for another place or under another secret, or was changed. */
export function openSealed(sealed: string, place: string, secret: Uint8Array, sha256: Sha256): string | undefined {
  const bytes = decodeBase64url(sealed);
  if (bytes === undefined || bytes.length < NONCE_LENGTH + TAG) return undefined;
  const [nonce, cipher] = [bytes.subarray(0, NONCE_LENGTH), bytes.subarray(NONCE_LENGTH, bytes.length - TAG)];
  if (!sameBytes(bytes.subarray(bytes.length - TAG), tagOf(place, nonce, cipher, secret, sha256))) return undefined;
  return decodeUtf8(mixed(cipher, nonce, keyFor("encrypt", secret, sha256), sha256));
}

function tagOf(place: string, nonce: Uint8Array, cipher: Uint8Array, secret: Uint8Array, sha256: Sha256): Uint8Array {
  const placed = encodeUtf8(`${place.length}\n${place}\n`);
  return hmacSha256(keyFor("authenticate", secret, sha256), joined(placed, nonce, cipher), sha256);
}

function mixed(bytes: Uint8Array, nonce: Uint8Array, key: Uint8Array, sha256: Sha256): Uint8Array {
  const out = new Uint8Array(bytes.length);
  const input = joined(key, nonce, new Uint8Array(COUNTER));
  const counter = new DataView(input.buffer, key.length + nonce.length);
  for (let from = 0, block = 0; from < bytes.length; from += BLOCK, block += 1) {
    // Of fixed length and with a secret in front, so that the hash alone is as good as a keyed one.
    counter.setUint32(0, block);
    const stream = sha256(input);
    for (let i = from; i < Math.min(from + BLOCK, bytes.length); i += 1)
      out[i] = (bytes[i] as number) ^ (stream[i - from] as number);
  }
  return out;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
