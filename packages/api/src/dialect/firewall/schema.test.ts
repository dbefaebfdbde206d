import { readFileSync } from "node:fs";
import { sharedSuite } from "@countersign/core/testing";
import { describe, expect, test } from "vitest";
import { FIREWALL_TOOLS } from "./schema.ts";

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
  test.each(FIREWALL_TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s is published as its contract has it",
    (name, tool) => {
      const contract = JSON.parse(readFileSync(`${folder}/firewall.${name}.json`, "utf8"));
      // As text: the order of members is part of "verbatim".
      expect(JSON.stringify(structure({ name, inputSchema: tool.inputSchema, outputSchema: tool.outputSchema }))).toBe(
        JSON.stringify(contract),
      );
    },
  );
});

describe("every tool", () => {
  test.each(FIREWALL_TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s says what it is and that it changes nothing",
    (_, tool) => {
      expect(tool.description.length).toBeGreaterThan(20);
      expect(tool.annotations).toEqual({
        title: tool.title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    },
  );

  test("has a name and an address of its own", () => {
    const names = FIREWALL_TOOLS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(7);
    expect(new Set(FIREWALL_TOOLS.map(({ http }) => http.path)).size).toBe(5);
  });
});
