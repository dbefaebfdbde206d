import ipaddr from "ipaddr.js";
import { GLOBAL_UNICAST, SPECIAL_IPV4, SPECIAL_IPV6, type SpecialRange } from "./addressRanges.ts";

/** An IP address as a number. Two spellings of one address are one value. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** The usual spelling: four decimal parts, or RFC 5952 without brackets. */
  readonly text: string;
}

export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Whether the public internet leads to an address. `what` completes "the address is …". */
export type Reach = { readonly reach: "public" } | { readonly reach: "internal"; readonly what: string };

/** Strict: four decimal parts without leading zeros, or IPv6 without brackets and zone. Null for anything else. */
export function parseAddress(text: string): Address | null {
  if (text.length > 45) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return addressOf(ipaddr.IPv4.parse(text).toByteArray());
  const colons = withoutDots(text);
  if (colons === null || colons.includes("%") || !ipaddr.IPv6.isValid(colons)) return null;
  return addressOf(ipaddr.IPv6.parse(colons).toByteArray());
}

/** "::1.2.3.4" as "::102:304". The library reads the first as "::ffff:1.2.3.4", which is another address. */
function withoutDots(text: string): string | null {
  if (!text.includes(".")) return text;
  const tail = text.lastIndexOf(":") + 1;
  const dotted = text.slice(tail);
  if (tail === 0 || !ipaddr.IPv4.isValidFourPartDecimal(dotted)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(dotted).toByteArray();
  return `${text.slice(0, tail)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function addressOf(bytes: readonly number[]): Address {
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  if (bytes.length === 4) return { family: 4, value, text: bytes.join(".") };
  return { family: 6, value, text: new ipaddr.IPv6([...bytes]).toRFC5952String() };
}

const fromIpv4 = (value: bigint): Address =>
  addressOf([24n, 16n, 8n, 0n].map((bits) => Number((value >> bits) & 0xffn)));

/** `10.0.0.0/8`, `fd00::/8`, or one address. Bits beyond the prefix must be zero: a slip there is a different range. */
export function parseRange(text: string): AddressRange | null {
  const [before = "", length, ...rest] = text.split("/");
  const address = parseAddress(before);
  if (address === null || rest.length > 0) return null;
  const width = address.family === 4 ? 32 : 128;
  if (length !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(length)) return null;
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return null;
  const size = 1n << BigInt(width - prefix);
  if (address.value % size !== 0n) return null;
  return { family: address.family, first: address.value, last: address.value + size - 1n };
}

export const inRange = (address: Address, range: AddressRange): boolean =>
  address.family === range.family && address.value >= range.first && address.value <= range.last;

interface Named extends AddressRange {
  readonly what: string;
}

const named = ({ cidr, what }: SpecialRange): Named => ({ ...knownRange(cidr), what });

function knownRange(cidr: string): AddressRange {
  const range = parseRange(cidr);
  if (range === null) throw new Error(`${cidr} is not a range`);
  return range;
}

interface Ranges {
  readonly special: readonly Named[];
  readonly publicIpv6: AddressRange;
  readonly mapped: AddressRange;
  readonly nat64: AddressRange;
  /** IPv4 addresses stand in the last 32 bits. */
  readonly low32: readonly AddressRange[];
  readonly sixToFour: AddressRange;
  readonly teredo: AddressRange;
}

let known: Ranges | undefined;

/** Read at the first question: a program that starts for one ask, which names no address, must not wait for it. */
const ranges = (): Ranges => {
  known ??= readRanges();
  return known;
};

function readRanges(): Ranges {
  const mapped = knownRange("::ffff:0:0/96");
  const nat64 = knownRange("64:ff9b::/96");
  return {
    special: [...SPECIAL_IPV4, ...SPECIAL_IPV6].map(named),
    publicIpv6: knownRange(GLOBAL_UNICAST),
    mapped,
    nat64,
    low32: [mapped, nat64, ...["::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48"].map(knownRange)],
    sixToFour: knownRange("2002::/16"),
    teredo: knownRange("2001::/32"),
  };
}

/**
 * The IPv4 addresses an IPv6 address carries: mapped, compatible and translated (RFC 4291, RFC 2765), NAT64 (RFC 6052,
 * RFC 8215), 6to4 (RFC 3056), Teredo's server and client (RFC 4380), ISATAP's host (RFC 5214).
 */
export function unpackAddress(address: Address): readonly Address[] {
  if (address.family === 4) return [];
  const { low32, sixToFour, teredo } = ranges();
  const low = address.value & 0xffffffffn;
  const inside: bigint[] = [];
  if (low32.some((range) => inRange(address, range))) inside.push(low);
  if (inRange(address, sixToFour)) inside.push((address.value >> 80n) & 0xffffffffn);
  if (inRange(address, teredo)) inside.push((address.value >> 64n) & 0xffffffffn, low ^ 0xffffffffn);
  // The bit 0x0200 says "globally unique", and nobody checks it.
  if (((address.value >> 32n) & 0xfdffffffn) === 0x5efen) inside.push(low);
  return inside.map(fromIpv4);
}

/** Internal: special-purpose, IPv6 outside 2000::/3, or carrying an internal IPv4 address. */
export function reachOf(address: Address): Reach {
  for (const inside of unpackAddress(address)) {
    const reach = reachOf(inside);
    if (reach.reach === "internal") return { reach: "internal", what: `${reach.what}, written inside an IPv6 address` };
  }
  const { special: all, publicIpv6 } = ranges();
  const special = all.find((range) => inRange(address, range));
  if (special !== undefined) return { reach: "internal", what: special.what };
  if (address.family === 6 && !inRange(address, publicIpv6))
    return { reach: "internal", what: "outside the part of IPv6 that is public" };
  return { reach: "public" };
}

/**
 * What a socket to `address` really reaches. A resolver on a network without IPv4 answers with NAT64 addresses, and some
 * systems answer with mapped ones: there, and only there, the IPv4 address inside stands for the whole.
 */
export function reachOfResolved(address: Address): Reach {
  const [inside] = unpackAddress(address);
  const translated = inRange(address, ranges().mapped) || inRange(address, ranges().nat64);
  return translated && inside !== undefined ? reachOf(inside) : reachOf(address);
}
