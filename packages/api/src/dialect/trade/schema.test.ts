import { readFileSync } from "node:fs";
import { sharedSuite } from "@countersign/core/testing";
import { expect, test } from "vitest";
import { TRADE_TOOLS } from "./schema.ts";

/** As the contracts are compared: without what is ours to write. */
function structure(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value !== "object" || value === null) return value;
  const ours = ["description", "title", "examples", "$comment"];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      // A member of that name is no annotation.
      const isMember = typeof member === "object" && member !== null;
      return ours.includes(key) && !isMember ? [] : [[key, structure(member)]];
    }),
  );
}

sharedSuite("contracts", (folder) => {
  test.each(TRADE_TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s is published as its contract has it",
    (name, { inputSchema, outputSchema }) => {
      const contract = JSON.parse(readFileSync(`${folder}/trade.${name}.json`, "utf8"));
      // As text: the order of members is part of "verbatim".
      expect(JSON.stringify(structure({ name, inputSchema, outputSchema }))).toBe(JSON.stringify(contract));
    },
  );
});

test("every tool says what it is, and has a name and an address of its own", () => {
  for (const { description } of TRADE_TOOLS) expect(description.length).toBeGreaterThan(20);
  expect(new Set(TRADE_TOOLS.map(({ name }) => name)).size).toBe(6);
  expect(new Set(TRADE_TOOLS.map(({ http }) => http.path)).size).toBe(6);
});
