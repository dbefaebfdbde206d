import { randomBytes } from "node:crypto";

const POOL = 4096;
let pool = new Uint8Array();
let used = 0;

/** Secure random bytes, fetched from the system many at a time: a decision takes four small pieces. Each is given once. */
export function random(length: number): Uint8Array {
  if (length > POOL) return new Uint8Array(randomBytes(length));
  if (used + length > pool.length) {
    pool = new Uint8Array(randomBytes(POOL));
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  // What was a salt or a key does not stay in memory after it is destroyed elsewhere.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
