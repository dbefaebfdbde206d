import { hex } from "../record/hex.ts";

/** Random bytes, from the runtime's secure source. Handed in: core has no randomness of its own. */
export type RandomBytes = (length: number) => Uint8Array;

export type IdPrefix = "dec" | "adv" | "hold" | "grant" | "pol" | "key" | "stop" | "hook" | "exm" | "ses";

/** `dec_` and a UUIDv7 (RFC 9562): sorts by time, and says nothing but the time. */
export function newId(prefix: IdPrefix, millis: number, random: RandomBytes): string {
  const bytes = new Uint8Array(16);
  bytes.set(random(10), 6);
  for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(millis / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const text = hex(bytes);
  return `${prefix}_${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}
