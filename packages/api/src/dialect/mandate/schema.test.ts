import { readFileSync } from "node:fs";
import { sharedSuite } from "@countersign/core/testing";
import { expect, test } from "vitest";
import { MANDATE_TOOLS } from "./schema.ts";

/** As the contracts are compared: without what is ours to write. */
function structure(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value !== "object" || value === null) return value;
  const ours = ["description", "title", "examples", "$comment"];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (ours.includes(key) ? [] : [[key, structure(member)]])),
  );
}

sharedSuite("contracts", (folder) => {
  test.each(MANDATE_TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s is published as its contract has it",
    (name, { inputSchema, outputSchema }) => {
      const contract = JSON.parse(readFileSync(`${folder}/mandate.${name}.json`, "utf8"));
      expect(structure({ name, inputSchema, outputSchema })).toEqual(contract);
    },
  );
});

test.each(MANDATE_TOOLS.map((tool) => [tool.name, tool] as const))("%s says what it is", (_, tool) => {
  expect(tool.description.length).toBeGreaterThan(20);
  expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
});
