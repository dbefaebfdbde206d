import { readFileSync } from "node:fs";
import { composeParts, type JsonObject, readPart } from "@countersign/core";
import { expect, test } from "vitest";
import { actionOf, readEvaluation } from "../dialect/authzen/authzen.ts";
import { readCard } from "../dialect/card/readCard.ts";
import { warningsOf } from "../dialect/card/unjudged.ts";
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

const pageOf = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8");
const documentsIn = (text: string) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, one = ""]) => {
    const document = parseYaml(one);
    if (!document.ok) throw new Error(document.error.message);
    return document.value;
  });

test("the card of its page reads, and what the page says changes nothing is what its author is warned of", () => {
  const text = pageOf("cards");
  const [written] = documentsIn(text);
  const card = readCard(written ?? null, "agent:shopper", null);
  expect(card.ok && warningsOf(card.value)).toEqual([]);
  const review = {
    enabled: true,
    gate_on: { integrity: "review_needed" },
    reviewer: { kind: "builtin_opus" },
  };
  const idle = readCard({ ...(written as JsonObject), review }, "agent:shopper", null);
  const warned = idle.ok ? warningsOf(idle.value).map(({ path }) => path.slice(1).replaceAll("/", ".")) : [];
  const told = [...text.matchAll(/^\| `(\S+)` +\| \*\*changes nothing\*\*/gm)].map(([, member]) => member);
  expect(warned).toEqual(told);
});

test("the section of the page on holds reads", () => {
  const [review] = documentsIn(pageOf("holds"));
  expect(readPart(review ?? null, "org:acme").ok).toBe(true);
});

test("the evaluation of the page on AuthZEN is one", () => {
  const [, text = ""] = /^```json\n([\s\S]*?)^```$/m.exec(pageOf("authzen")) ?? [];
  const evaluation = readEvaluation(JSON.parse(text));
  expect(evaluation.ok && actionOf(evaluation.value, [])).toMatchObject({
    ok: true,
    value: { kind: "transaction", verb: "pay", target: "https://shop.example/1" },
  });
});
