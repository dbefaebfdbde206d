import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excessOf } from "./measure.ts";
import type { JsonValue } from "./value.ts";

const nested = (levels: number): JsonValue => {
  let value: JsonValue = 1;
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
};

describe("the size of a JSON value", () => {
  test.each([
    { it: "takes a scalar at depth 0 with one node", value: "x", depth: 0, nodes: 1, want: undefined },
    { it: "counts the outermost array as a level", value: [], depth: 0, nodes: 9, want: "depth" },
    { it: "passes at exactly the depth", value: nested(3), depth: 3, nodes: 9, want: undefined },
    { it: "stops one level below the depth", value: nested(4), depth: 3, nodes: 9, want: "depth" },
    { it: "passes at exactly the nodes", value: [1, { a: 2 }], depth: 9, nodes: 4, want: undefined },
    { it: "stops one node above", value: [1, { a: 2 }], depth: 9, nodes: 3, want: "nodes" },
  ])("$it", ({ value, depth, nodes, want }) => {
    expect(excessOf(value as JsonValue, { depth, nodes })).toBe(want);
  });

  test("does not run out of stack a million levels down", () => {
    expect(excessOf(nested(1_000_000), { depth: 2_000_000, nodes: 2_000_000 })).toBeUndefined();
  });

  test("ends on a value that contains itself", () => {
    const self: JsonValue[] = [];
    self.push(self, self);
    expect(excessOf(self, { depth: 1_000_000, nodes: 10_000 })).toBe("nodes");
  });

  test("agrees with the obvious recursion", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    const nodesOf = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Object.values(value).reduce((sum: number, child) => sum + nodesOf(child), 0)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const value = raw as JsonValue;
        const [depth, nodes] = [depthOf(value), nodesOf(value)];
        expect(excessOf(value, { depth, nodes })).toBeUndefined();
        expect(excessOf(value, { depth, nodes: nodes - 1 })).toBe("nodes");
        expect(excessOf(value, { depth: depth - 1, nodes })).toBe(depth === 0 ? undefined : "depth");
      }),
    );
  });
});
