import { randomFillSync } from "node:crypto";

const POOL = 4096;
const pool = new Uint8Array(POOL);
let used = POOL;

/** Secure random bytes, fetched from the system many at a time: a decision takes four small pieces. Each is given once. */
export function random(length: number): Uint8Array {
  if (length > POOL) return randomFillSync(new Uint8Array(length));
  if (used + length > pool.length) {
    // Into the pool itself: a copy of it elsewhere would keep what is wiped here.
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + length);
  // What was a salt or a key does not stay in memory after it is destroyed elsewhere.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
