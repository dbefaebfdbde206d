import { type Address, type Hex, keccak256, stringToBytes } from "viem";

/** A 20-byte address in lower case, or undefined. Checksums are not judged: addresses compare as bytes. */
export function readAddress(value: unknown): Address | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value.toLowerCase() as Address) : undefined;
}

/** Whole bytes in hex, at most `maxBytes` of them, or undefined. */
export function readBytes(value: unknown, maxBytes: number): Hex | undefined {
  if (typeof value !== "string" || value.length > 2 + 2 * maxBytes) return undefined;
  return /^0x(?:[0-9a-fA-F]{2})*$/.test(value) ? (value.toLowerCase() as Hex) : undefined;
}

/** A JSON-RPC quantity of at most 256 bits, or undefined. */
export function readQuantity(value: unknown): bigint | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined;
}

export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
export const addressOfWord = (value: bigint): Address => `0x${value.toString(16).padStart(40, "0").slice(-40)}`;

/** The 32-byte word number `index` of `data`, or undefined when the data ends before it. */
export function wordAt(data: Hex, index: number): bigint | undefined {
  const digits = data.slice(2 + index * 64, 2 + (index + 1) * 64);
  return digits.length === 64 ? BigInt(`0x${digits}`) : undefined;
}

/**
 * Throw-away addresses, made from a seed so that recorded traffic can be replayed. The seed is secret until the check
 * is over: a token that knew the addresses could behave for them alone.
 */
export const derivedAddress = (seed: string, label: string): Address =>
  `0x${keccak256(stringToBytes(`${seed}:${label}`)).slice(-40)}`;

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
