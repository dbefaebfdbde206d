import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize } from "../json/canonical.ts";
import { parseJson } from "../json/parseJson.ts";
import { sharedSuite } from "../testing.ts";
import { CHAIN_START, type ChainLink, nextLink, verifyChain } from "./hashChain.ts";
import type { Sha256 } from "./merkle.ts";

const sha256: Sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());

function chainOf(bodies: readonly string[]) {
  const links: { link: ChainLink; body: string }[] = [];
  for (const body of bodies) links.push({ link: nextLink(links.at(-1)?.link, body, sha256), body });
  return links;
}

test("any change to any link of a chain is noticed, and named no later than where it is", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.nat(),
      fc.constantFrom("edit", "drop", "repeat", "swap"),
      (n, at, how) => {
        const links = chainOf(Array.from({ length: n }, (_, i) => `{"n":${i}}`));
        const anchor = { head: links.at(-1)!.link.hash, size: n };
        expect(verifyChain(links, anchor, sha256)).toEqual({ healthy: true, checked: n });
        const i = at % (n - 1);
        const changed = [...links];
        if (how === "edit") changed[i] = { ...links[i]!, body: '{"n":99}' };
        if (how === "drop") changed.splice(i, 1);
        if (how === "repeat") changed.splice(i, 0, links[i]!);
        if (how === "swap") changed.splice(i, 2, links[i + 1]!, links[i]!);
        const verdict = verifyChain(changed, anchor, sha256);
        expect(verdict.healthy).toBe(false);
        if (verdict.firstBroken !== undefined) expect(verdict.firstBroken).toBeLessThanOrEqual(i + 3);
      },
    ),
  );
});

test("a chain that was cut off is noticed by the anchor only", () => {
  const links = chainOf(['{"n":1}', '{"n":2}']);
  const anchor = { head: links[1]!.link.hash, size: 2 };
  expect(verifyChain(links.slice(0, 1), "unanchored", sha256).healthy).toBe(true);
  expect(verifyChain(links.slice(0, 1), anchor, sha256).healthy).toBe(false);
  expect(verifyChain([], anchor, sha256).healthy).toBe(false);
  expect(verifyChain([], { head: CHAIN_START, size: 0 }, sha256).healthy).toBe(true);
});

sharedSuite("conformance/hash-chain", (folder) => {
  interface Case {
    id: string;
    class: string;
    log: string[];
    expected_head: string;
    expected_size: number;
    valid: boolean;
  }
  const cases = readFileSync(`${folder}/own-chains.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);

  function valid(c: Case): boolean {
    const links: { link: ChainLink; body: string }[] = [];
    for (const line of c.log) {
      const parsed = parseJson(line, { bytes: 1 << 20, depth: 64 }, "rounded");
      if (!parsed.ok) return false;
      const { body, ...link } = parsed.value as unknown as ChainLink & { body: unknown };
      links.push({ link, body: canonicalize(body) });
    }
    return verifyChain(links, { head: c.expected_head, size: c.expected_size }, sha256).healthy;
  }

  test.each(cases)("$id $class", (c) => {
    expect(valid(c)).toBe(c.valid);
  });
});
