import {
  consistencyRanges,
  foldPeaks,
  fullSubtrees,
  inclusionRanges,
  type LeafRange,
  type NodeId,
  nodeHash,
  type Sha256,
} from "./merkle.ts";

/** Only every eighth level of the tree is kept: a 256th of the rows, and at most 128 hashes to make any node from it. */
export const KEPT_LEVELS = 8;

/**
 * Reads the kept hashes of one level, a multiple of `KEPT_LEVELS`, with indexes `from` to `to` (not included); level 0
 * are the leaves.
 */
export type ReadNodes = (level: number, from: number, to: number) => Promise<readonly Uint8Array[]>;

/** The hashes that prove leaf `index` in the tree of `size` leaves. Needs `index < size`, and `size` leaves to read. */
export function inclusionPath(index: number, size: number, read: ReadNodes, sha256: Sha256): Promise<Uint8Array[]> {
  return Promise.all(inclusionRanges(index, size).map((range) => rangeRoot(range, read, sha256)));
}

/** The hashes that prove that the tree of `size1` leaves is a beginning of that of `size2`. Needs `size1 <= size2`. */
export function consistencyPath(size1: number, size2: number, read: ReadNodes, sha256: Sha256): Promise<Uint8Array[]> {
  return Promise.all(consistencyRanges(size1, size2).map((range) => rangeRoot(range, read, sha256)));
}

/** The root of the first `size` leaves, from what is kept. */
export function rootAt(size: number, read: ReadNodes, sha256: Sha256): Promise<Uint8Array> {
  return size === 0 ? Promise.resolve(sha256(new Uint8Array(0))) : rangeRoot({ from: 0, to: size }, read, sha256);
}

async function rangeRoot(range: LeafRange, read: ReadNodes, sha256: Sha256): Promise<Uint8Array> {
  const peaks = await Promise.all(fullSubtrees(range).map((node) => subtreeHash(node, read, sha256)));
  const root = foldPeaks(peaks, sha256);
  if (root === undefined) throw new Error("an empty range has no root");
  return root;
}

async function subtreeHash({ level, index }: NodeId, read: ReadNodes, sha256: Sha256): Promise<Uint8Array> {
  const kept = level - (level % KEPT_LEVELS);
  const width = 2 ** (level - kept);
  let hashes = await read(kept, index * width, (index + 1) * width);
  if (hashes.length !== width) throw new Error(`the log lacks hashes of level ${kept}`);
  while (hashes.length > 1) {
    const below = hashes;
    hashes = Array.from({ length: below.length / 2 }, (_, i) =>
      nodeHash(below[2 * i] as Uint8Array, below[2 * i + 1] as Uint8Array, sha256),
    );
  }
  return hashes[0] as Uint8Array;
}
