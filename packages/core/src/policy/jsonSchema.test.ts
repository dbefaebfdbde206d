import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type CompiledSchema, compileSchema } from "../check/schema/compile.ts";
import { judgeSchema } from "../check/schema/judge.ts";
import { isObject, type JsonValue } from "../json/value.ts";
import { POLICY_SECTIONS, record } from "../testing/policyDocuments.ts";
import { POLICY_SCHEMA } from "./jsonSchema.ts";
import { readPart } from "./readPart.ts";

let schema: CompiledSchema;
beforeAll(async () => {
  const compiled = await compileSchema(POLICY_SCHEMA);
  if (!compiled.ok) throw new Error(compiled.error.message);
  schema = compiled.value;
});

const isValid = (document: JsonValue): boolean => {
  const judged = judgeSchema(schema, document);
  if (!judged.ok) throw new Error(judged.error.code);
  return judged.value.valid;
};

/** Problems of structure: what the schema has to see too. */
const STRUCTURAL = [
  "policy.unknown_key",
  "policy.wrong_type",
  "policy.missing",
  "policy.wrong_value",
  "policy.out_of_range",
];
/** Where such a code says what no schema can: an order of three numbers, a name that is none. */
const BEYOND = [/^\/screening\/thresholds$/, /^\/network\//, /^\/protected\/assets\/\d+\/kind$/];

function agrees(document: JsonValue): void {
  const valid = isValid(document);
  const read = readPart(document, "platform:default");
  if (read.ok) {
    expect([document, valid]).toEqual([document, true]);
    return;
  }
  const structural = read.error.filter(
    ({ code, path }) => STRUCTURAL.includes(code) && !BEYOND.some((where) => where.test(path)),
  );
  if (structural.length > 0) expect([document, structural, valid]).toEqual([document, structural, false]);
}

const wholeDocument = record(POLICY_SECTIONS) as fc.Arbitrary<JsonValue>;
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

/** Changes one thing somewhere in a document. */
function mutated(value: JsonValue, seed: number, junk: JsonValue): JsonValue {
  const open: { at: JsonValue; set: (next: JsonValue) => void }[] = [];
  const holder: { root: JsonValue } = { root: value };
  const walk = (at: JsonValue, set: (next: JsonValue) => void): void => {
    open.push({ at, set });
    if (Array.isArray(at)) {
      const items = at as JsonValue[];
      for (const [index, item] of items.entries()) walk(item, (next) => (items[index] = next));
    } else if (isObject(at)) {
      const members = at as Record<string, JsonValue>;
      for (const [name, member] of Object.entries(members)) walk(member, (next) => (members[name] = next));
    }
  };
  walk(value, (next) => (holder.root = next));
  const place = open[seed % open.length];
  if (place === undefined) return value;
  const how = seed % 4;
  if (how === 0 && isObject(place.at)) {
    const [first] = Object.keys(place.at);
    const { [first ?? ""]: _, ...rest } = place.at;
    place.set(rest);
  } else if (how === 1 && isObject(place.at)) place.set({ ...place.at, extra: junk });
  else if (how === 2 && Array.isArray(place.at)) place.set([]);
  else place.set(junk);
  return holder.root;
}

describe("the schema and the reader", () => {
  test("take the same documents", () => {
    let taken = 0;
    fc.assert(
      fc.property(wholeDocument, (document) => {
        const read = readPart(plain(document), "platform:default");
        taken += read.ok ? 1 : 0;
        agrees(plain(document));
      }),
      { numRuns: 200 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test("refuse the same structures", () => {
    const junk = fc.oneof(
      fc.constantFrom<JsonValue>(
        null,
        true,
        false,
        0,
        1,
        3,
        -1,
        1.5,
        1e9,
        "",
        "x",
        [],
        {},
        "block",
        "P1D",
        "10.0.0.0/8",
      ),
      fc.jsonValue({ maxDepth: 1 }).map((value) => plain(value)),
    );
    let refused = 0;
    fc.assert(
      fc.property(wholeDocument, fc.nat(100_000), junk, (document, seed, value) => {
        const changed = mutated(plain(document), seed, value);
        refused += readPart(changed, "platform:default").ok ? 0 : 1;
        agrees(changed);
      }),
      { numRuns: 1_500 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  test.each(Object.keys(POLICY_SECTIONS))("know the section %s", (name) => {
    expect(Object.keys(POLICY_SCHEMA["properties"] as object)).toContain(name);
    expect(isValid({ [name]: 7 })).toBe(false);
  });
});

test("the published file is the schema", () => {
  const file = readFileSync(new URL("../../schema/policy.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(file)).toEqual(POLICY_SCHEMA);
});
