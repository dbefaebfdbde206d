/** SHA-256 of the bytes, 32 bytes. Handed in, as a server has a faster one than a pure one can be. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/**
 * An RFC 6962 tree as far as appending needs it: the roots of its full subtrees, largest first, one for each bit of
 * its size. Also called a compact range.
 */
export interface MerkleTree {
  size: number;
  readonly peaks: Uint8Array[];
}

/** Leaves `from` (included) to `to` (not included). */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The full subtree over leaves `index * 2^level` up to the next such number. */
export interface NodeId {
  readonly level: number;
  readonly index: number;
}

const hashLength = 32;

export function leafHash(record: Uint8Array, sha256: Sha256): Uint8Array {
  const bytes = new Uint8Array(record.length + 1);
  bytes.set(record, 1);
  return sha256(bytes);
}

export function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * hashLength);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + hashLength);
  return sha256(bytes);
}

export const emptyTree = (): MerkleTree => ({ size: 0, peaks: [] });

/** Appends one leaf hash. `onNode` is told every full subtree above the leaf that this completes. */
export function appendLeaf(
  tree: MerkleTree,
  leaf: Uint8Array,
  sha256: Sha256,
  onNode?: (node: NodeId, hash: Uint8Array) => void,
): void {
  let hash = leaf;
  let index = tree.size;
  for (let level = 1; index % 2 === 1; level += 1) {
    const left = tree.peaks.pop();
    if (left === undefined) throw new Error("the tree has fewer peaks than its size has bits");
    hash = nodeHash(left, hash, sha256);
    index = (index - 1) / 2;
    onNode?.({ level, index }, hash);
  }
  tree.peaks.push(hash);
  tree.size += 1;
}

/** The root of the whole tree; of the empty tree SHA-256 of nothing. */
export function rootOf(tree: { readonly peaks: readonly Uint8Array[] }, sha256: Sha256): Uint8Array {
  return foldPeaks(tree.peaks, sha256) ?? sha256(new Uint8Array(0));
}

/** Folds the roots of full subtrees, largest first, into the root over all of them. */
export function foldPeaks(peaks: readonly Uint8Array[], sha256: Sha256): Uint8Array | undefined {
  let hash: Uint8Array | undefined;
  for (const peak of [...peaks].reverse()) hash = hash === undefined ? peak : nodeHash(peak, hash, sha256);
  return hash;
}

/** The ranges whose roots prove that leaf `index` is in the tree of `size` leaves, from the leaf up. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + powerBelow(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
}

/** The ranges whose roots prove that the tree of `size1` leaves is a beginning of that of `size2`. */
export function consistencyRanges(size1: number, size2: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  if (size1 === 0 || size1 === size2) return ranges;
  let from = 0;
  let to = size2;
  while (size1 !== to) {
    const middle = from + powerBelow(to - from);
    if (size1 <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // The verifier knows the old root itself when the old tree is one full subtree at the left edge.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
}

/** The full subtrees a range of the tree is made of, largest first. The range is one that occurs in a proof or a tree. */
export function fullSubtrees({ from, to }: LeafRange): NodeId[] {
  const nodes: NodeId[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    while (2 ** (level + 1) <= to - at) level += 1;
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Whether the path proves that this leaf hash stands at this index under this root (RFC 9162 2.1.3.2). */
export function verifyInclusion(proof: InclusionProof, sha256: Sha256): boolean {
  const { index, size, leaf, root, path } = proof;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (![leaf, root, ...path].every(isHash)) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash, sha256);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = half(last);
      }
    } else {
      hash = nodeHash(hash, sibling, sha256);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && sameBytes(hash, root);
}

export interface ConsistencyProof {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Uint8Array;
  readonly root2: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/**
 * Whether the path proves that the tree of `size1` is a beginning of the tree of `size2` (RFC 9162 2.1.4.2). Nothing can
 * be proven from an empty tree, which is a beginning of every tree: that is refused, so that no caller takes it for proof.
 */
export function verifyConsistency(proof: ConsistencyProof, sha256: Sha256): boolean {
  const { size1, size2, root1, root2 } = proof;
  if (!isCount(size1) || !isCount(size2) || size1 === 0 || size1 > size2) return false;
  if (size1 === size2) return proof.path.length === 0 && sameBytes(root1, root2);
  if (![root1, root2, ...proof.path].every(isHash)) return false;
  const path = isPowerOfTwo(size1) ? [root1, ...proof.path] : proof.path;
  let at = size1 - 1;
  let last = size2 - 1;
  while (at % 2 === 1) {
    at = half(at);
    last = half(last);
  }
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let hash1 = first;
  let hash2 = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash1 = nodeHash(sibling, hash1, sha256);
      hash2 = nodeHash(sibling, hash2, sha256);
      while (at % 2 === 0 && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else {
      hash2 = nodeHash(hash2, sibling, sha256);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && sameBytes(hash1, root1) && sameBytes(hash2, root2);
}

/** The largest power of two below `n`, for n > 1. */
function powerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

function isPowerOfTwo(n: number): boolean {
  let power = 1;
  while (power < n) power *= 2;
  return power === n;
}

const half = (n: number): number => Math.floor(n / 2);

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

const isHash = (hash: Uint8Array): boolean => hash.length === hashLength;

/** Compares public hashes; not for secrets, as it stops at the first difference. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}
