import { encodeUtf8 } from "../json/utf8.ts";
import { hex } from "./hex.ts";
import type { Sha256 } from "./merkle.ts";

/** The `prev` of the first link. */
export const CHAIN_START = "0".repeat(64);

/** One subject's records, each naming the hash of the one before. */
export interface ChainLink {
  /** From 1, without gaps. */
  readonly seq: number;
  readonly prev: string;
  /** Hex SHA-256 of JCS({body, prev, seq}). */
  readonly hash: string;
}

/** `body` is canonical JSON text. */
export function chainHash(seq: number, prev: string, body: string, sha256: Sha256): string {
  return hex(sha256(encodeUtf8(`{"body":${body},"prev":"${prev}","seq":${seq}}`)));
}

/** Continues a chain that ends in `last`, or starts one. */
export function nextLink(last: { seq: number; hash: string } | undefined, body: string, sha256: Sha256): ChainLink {
  const seq = (last?.seq ?? 0) + 1;
  const prev = last?.hash ?? CHAIN_START;
  return { seq, prev, hash: chainHash(seq, prev, body, sha256) };
}

export interface ChainVerdict {
  readonly healthy: boolean;
  readonly checked: number;
  /** Where it breaks first. Absent when the links hold and only the anchored head or size does not. */
  readonly firstBroken?: number;
}

/**
 * Whether these links are, in order, the end of one chain: numbers without gaps, each hash right, each `prev` the hash
 * before it. Links alone do not see a chain that was rewritten or cut off: `anchor`, kept elsewhere,
 * does, and then the links are the whole chain.
 */
export function verifyChain(
  links: readonly { readonly link: ChainLink; readonly body: string }[],
  anchor: { readonly head: string; readonly size: number } | "unanchored",
  sha256: Sha256,
): ChainVerdict {
  let before: ChainLink | undefined;
  for (const [i, { link, body }] of links.entries()) {
    const starts = before === undefined && (link.seq !== 1 || link.prev === CHAIN_START);
    const follows = before !== undefined && link.seq === before.seq + 1 && link.prev === before.hash;
    if (!(starts || follows) || chainHash(link.seq, link.prev, body, sha256) !== link.hash)
      return { healthy: false, checked: i, firstBroken: before === undefined ? link.seq : before.seq + 1 };
    before = link;
  }
  const anchored =
    anchor === "unanchored" || (anchor.size === links.length && (before?.hash ?? CHAIN_START) === anchor.head);
  return { healthy: anchored, checked: links.length };
}
