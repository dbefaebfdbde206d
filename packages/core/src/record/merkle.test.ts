import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeUtf8 } from "../json/utf8.ts";
import { sharedSuite } from "../testing.ts";
import {
  appendLeaf,
  emptyTree,
  leafHash,
  type MerkleTree,
  type NodeId,
  nodeHash,
  rootOf,
  type Sha256,
  verifyConsistency,
  verifyInclusion,
} from "./merkle.ts";
import { consistencyPath, inclusionPath, KEPT_LEVELS, rootAt } from "./merkleProof.ts";

const sha256: Sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const leaves = (n: number): Uint8Array[] =>
  Array.from({ length: n }, (_, i) => leafHash(encodeUtf8(`leaf ${i}`), sha256));

// RFC 9162 section 2.1 as it is written, recursive and slow.
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
function mth(d: readonly Uint8Array[]): Uint8Array {
  if (d.length === 0) return sha256(new Uint8Array(0));
  if (d.length === 1) return d[0] as Uint8Array;
  const k = split(d.length);
  return nodeHash(mth(d.slice(0, k)), mth(d.slice(k)), sha256);
}
function path(m: number, d: readonly Uint8Array[]): Uint8Array[] {
  if (d.length === 1) return [];
  const k = split(d.length);
  return m < k ? [...path(m, d.slice(0, k)), mth(d.slice(k))] : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}
function subproof(m: number, d: readonly Uint8Array[], whole: boolean): Uint8Array[] {
  if (m === d.length) return whole ? [] : [mth(d)];
  const k = split(d.length);
  return m <= k
    ? [...subproof(m, d.slice(0, k), whole), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
}

/** A tree that was appended to, and what a store keeps of it. */
function grown(all: readonly Uint8Array[]) {
  const tree: MerkleTree = emptyTree();
  const kept = new Map<string, Uint8Array>();
  const roots: Uint8Array[] = [];
  const keep = ({ level, index }: NodeId, hash: Uint8Array): void => {
    if (level % KEPT_LEVELS === 0) kept.set(`${level}/${index}`, hash);
  };
  for (const leaf of all) {
    keep({ level: 0, index: tree.size }, leaf);
    appendLeaf(tree, leaf, sha256, keep);
    roots.push(rootOf(tree, sha256));
  }
  const read = async (level: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => kept.get(`${level}/${from + i}`)).filter((hash) => hash !== undefined);
  return { tree, roots, read };
}

describe("the fast tree and the recursive one of the RFC", () => {
  const all = leaves(1100);
  const { roots, read } = grown(all);

  test("have the same root at every size", () => {
    for (let n = 1; n <= 300; n += 1) expect(hex(roots[n - 1] as Uint8Array)).toBe(hex(mth(all.slice(0, n))));
    expect(rootOf(emptyTree(), sha256)).toEqual(mth([]));
  });

  test("give the same inclusion proof, which verifies and proves nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1100 }), fc.nat(), fc.nat(), async (size, pick, other) => {
        const index = pick % size;
        const proof = await inclusionPath(index, size, read, sha256);
        expect(proof.map(hex)).toEqual(path(index, all.slice(0, size)).map(hex));
        const claim = { index, size, leaf: all[index]!, root: roots[size - 1]!, path: proof };
        expect(verifyInclusion(claim, sha256)).toBe(true);
        const wrong = other % size;
        if (wrong !== index) expect(verifyInclusion({ ...claim, leaf: all[wrong]! }, sha256)).toBe(false);
        if (wrong !== index) expect(verifyInclusion({ ...claim, index: wrong }, sha256)).toBe(false);
        expect(verifyInclusion({ ...claim, path: [...proof, all[0]!] }, sha256)).toBe(false);
        if (proof.length > 0) expect(verifyInclusion({ ...claim, path: proof.slice(1) }, sha256)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test("give the same consistency proof, which verifies and proves nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1100 }), fc.nat(), async (size2, pick) => {
        const size1 = 1 + (pick % size2);
        const proof = await consistencyPath(size1, size2, read, sha256);
        expect(proof.map(hex)).toEqual(subproof(size1, all.slice(0, size2), true).map(hex));
        const claim = { size1, size2, root1: roots[size1 - 1]!, root2: roots[size2 - 1]!, path: proof };
        expect(verifyConsistency(claim, sha256)).toBe(true);
        if (size1 < size2) expect(verifyConsistency({ ...claim, root1: roots[size2 - 1]! }, sha256)).toBe(false);
        expect(verifyConsistency({ ...claim, root2: sha256(new Uint8Array(1)) }, sha256)).toBe(false);
        expect(verifyConsistency({ ...claim, path: [...proof, all[0]!] }, sha256)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test("give the root of any earlier size from what is kept", async () => {
    for (const size of [0, 1, 255, 256, 257, 511, 512, 1000])
      expect(hex(await rootAt(size, read, sha256))).toBe(hex(mth(all.slice(0, size))));
  });

  test("refuse to make a proof from hashes that are missing", async () => {
    await expect(inclusionPath(0, 5000, read, sha256)).rejects.toThrow("the log lacks hashes");
  });
});

describe("a proof from outside", () => {
  const [leaf] = leaves(1) as [Uint8Array];
  test.each([
    { it: "with a fraction as index", index: 0.5, size: 1 },
    { it: "with a negative index", index: -1, size: 1 },
    { it: "with an index past the end", index: 1, size: 1 },
    { it: "with a size beyond exact numbers", index: 0, size: 2 ** 53 },
    { it: "with NaN as size", index: 0, size: Number.NaN },
  ])("is refused $it", ({ index, size }) => {
    expect(verifyInclusion({ index, size, leaf, root: leaf, path: [] }, sha256)).toBe(false);
  });

  test("is refused when a hash is not 32 bytes long", () => {
    const empty = new Uint8Array(0);
    expect(verifyInclusion({ index: 0, size: 1, leaf: empty, root: empty, path: [] }, sha256)).toBe(false);
    expect(verifyConsistency({ size1: 1, size2: 2, root1: empty, root2: empty, path: [] }, sha256)).toBe(false);
  });

  test("proves nothing from an empty tree", () => {
    expect(verifyConsistency({ size1: 0, size2: 1, root1: leaf, root2: leaf, path: [] }, sha256)).toBe(false);
  });
});

sharedSuite("conformance/merkle-rfc9162", (folder) => {
  const lines = <T>(file: string): T[] =>
    readFileSync(`${folder}/${file}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as T);
  const unbase64 = (text: string | null): Uint8Array => new Uint8Array(Buffer.from(text ?? "", "base64"));

  test("hashes of leaf, node and empty tree are those of RFC 6962", () => {
    const facts = JSON.parse(readFileSync(`${folder}/hash-facts.json`, "utf8")) as Record<string, string>;
    expect(hex(rootOf(emptyTree(), sha256))).toBe(facts["empty_tree"]);
    expect(hex(leafHash(new Uint8Array(0), sha256))).toBe(facts["empty_leaf"]);
    expect(hex(leafHash(encodeUtf8("L123456"), sha256))).toBe(facts["leaf_L123456"]);
    const raw = new Uint8Array([1, ...encodeUtf8("N123N456")]);
    expect(hex(sha256(raw))).toBe(facts["node_N123_N456"]);
  });

  interface Inclusion {
    file: string;
    leafIdx: number;
    treeSize: number;
    root: string;
    leafHash: string;
    proof: string[] | null;
    wantErr: boolean;
  }
  test.each(lines<Inclusion>("inclusion.jsonl"))("$file", (c) => {
    const claim = {
      index: c.leafIdx,
      size: c.treeSize,
      leaf: unbase64(c.leafHash),
      root: unbase64(c.root),
      path: (c.proof ?? []).map(unbase64),
    };
    expect(verifyInclusion(claim, sha256)).toBe(!c.wantErr);
  });

  interface Consistency {
    file: string;
    size1: number;
    size2: number;
    root1: string;
    root2: string;
    proof: string[] | null;
    wantErr: boolean;
  }
  test.each(lines<Consistency>("consistency.jsonl"))("$file", (c) => {
    const claim = {
      size1: c.size1,
      size2: c.size2,
      root1: unbase64(c.root1),
      root2: unbase64(c.root2),
      path: (c.proof ?? []).map(unbase64),
    };
    expect(verifyConsistency(claim, sha256)).toBe(!c.wantErr);
  });

  interface Own {
    id: string;
    class: string;
    size: number;
    index: number;
    leaf_hash: string;
    root: string;
    proof: string[];
    valid: boolean;
    size1: number;
    size2: number;
    root1: string;
    root2: string;
  }
  const own = lines<Own>("own-merkle.jsonl");
  const { roots } = grown(leaves(Math.max(...own.filter((c) => c.class === "root").map((c) => c.size))));
  test.each(own)("$id $class", (c) => {
    if (c.class === "root") return expect(hex(roots[c.size - 1] as Uint8Array)).toBe(c.root);
    const path = c.proof.map(unhex);
    const verified = c.class.startsWith("inclusion")
      ? verifyInclusion({ index: c.index, size: c.size, leaf: unhex(c.leaf_hash), root: unhex(c.root), path }, sha256)
      : verifyConsistency(
          { size1: c.size1, size2: c.size2, root1: unhex(c.root1), root2: unhex(c.root2), path },
          sha256,
        );
    expect(verified).toBe(c.valid);
  });
});
