import fc from "fast-check";
import { expect, test } from "vitest";
import { pointerOf } from "./pointer.ts";

test.each([
  { it: "names the root with nothing", segments: [], want: "" },
  { it: "names an empty member", segments: [""], want: "/" },
  { it: "names an element by its index", segments: ["a", 0], want: "/a/0" },
  { it: "escapes ~ before /", segments: ["~1", "/"], want: "/~01/~1" },
])("a pointer $it", ({ segments, want }) => {
  expect(pointerOf(segments)).toBe(want);
});

test("no two paths share a pointer", () => {
  const segment = fc.string({ unit: fc.constantFrom("a", "~", "/", "0", "1"), maxLength: 4 });
  const read = (pointer: string) =>
    pointer
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      expect(read(pointerOf(segments))).toEqual(segments);
    }),
  );
});
