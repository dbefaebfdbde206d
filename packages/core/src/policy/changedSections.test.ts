import { expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { changedSections, PLACES_LISTED } from "./changedSections.ts";
import { readPart } from "./readPart.ts";

const partOf = (document: JsonObject, scope = "org:a") => {
  const read = readPart(document, scope);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const told = (a: JsonObject, b: JsonObject) =>
  changedSections([partOf(a)], [partOf(b)]).map(({ section, change, places }) => `${section} ${change} ${places}`);
const usd = (value: string) => ({ value, currency: "USD" });

test.each([
  {
    it: "nothing where only the order of keys differs",
    a: { limits: { texts: 1, urls: 2 } },
    b: { limits: { urls: 2, texts: 1 } },
    want: [],
  },
  { it: "a section that was added", a: {}, b: { limits: { texts: 1 } }, want: ["limits added "] },
  { it: "a section that was removed", a: { limits: { texts: 1 } }, b: {}, want: ["limits removed "] },
  {
    it: "the places that differ",
    a: { spend: { ceilings: [usd("1"), usd("2")] }, screening: { mode: "enforce" } },
    b: { spend: { ceilings: [usd("1"), usd("3"), usd("4")] }, screening: { mode: "nudge" } },
    want: ["screening changed /mode", "spend changed /ceilings/1/value,/ceilings/2"],
  },
])("lists $it", ({ a, b, want }) => {
  expect(told(a, b)).toEqual(want);
});

test("lists no more places than a person reads", () => {
  const many = (value: string) => ({ spend: { ceilings: Array.from({ length: 60 }, () => usd(value)) } });
  expect(changedSections([partOf(many("1"))], [partOf(many("2"))])[0]?.places).toHaveLength(PLACES_LISTED);
});

test("keeps scopes apart, and leaves out what is compared elsewhere", () => {
  const a = [partOf({ limits: { texts: 1 } }), partOf({ limits: { texts: 1 } }, "agent:x")];
  const b = [partOf({ limits: { texts: 1 } }), partOf({ limits: { texts: 2 } }, "agent:x")];
  expect(changedSections(a, b)).toMatchObject([{ scope: "agent:x", section: "limits" }]);
  expect(changedSections(a, b, ["limits"])).toEqual([]);
});
