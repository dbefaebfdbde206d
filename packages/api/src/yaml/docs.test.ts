import { readFileSync } from "node:fs";
import { composeParts, readPart } from "@countersign/core";
import { expect, test } from "vitest";
import { parseYaml } from "./parseYaml.ts";

const page = readFileSync(new URL("../../../../docs/policies.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```yaml ?([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, scope, text]) => ({
  scope: scope === "" || scope === undefined ? "org:acme" : scope,
  text: text ?? "",
}));

const read = ({ scope, text }: (typeof blocks)[number]) => {
  const document = parseYaml(text);
  if (!document.ok) throw new Error(document.error.message);
  const part = readPart(document.value, scope);
  if (!part.ok) throw new Error(JSON.stringify(part.error));
  return part.value;
};

test.each(blocks.map((block, index) => [index, block] as const))("document %i of the page reads", (_, block) => {
  expect(read(block).scope).toBe(block.scope);
});

test("the page has documents, and the ceiling works as it says", () => {
  expect(blocks.length).toBeGreaterThan(4);
  const stack = blocks.filter(({ text }) => text.includes("trusted_sources")).map(read);
  expect(composeParts(stack).trusted).toEqual({ agents: [], domains: [], addresses: ["10.1.0.0/16"] });
});

test("the table of the page names every section that a document can have", () => {
  const named = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name);
  const all = [
    "mandate",
    "spend",
    "contracts",
    "sequence",
    "limits",
    "evidence",
    "screening",
    "protected",
    "review",
    "network",
    "tools",
  ];
  expect(named.filter((name) => all.includes(name ?? "")).sort()).toEqual([...all].sort());
});
