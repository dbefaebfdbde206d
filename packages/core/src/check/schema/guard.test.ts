import { expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { SCHEMA_BOUNDS } from "./bounds.ts";
import { DIALECT, guardSchema } from "./guard.ts";

const planted = { $vocabulary: { "https://json-schema.org/draft/2020-12/vocab/core": true } };

test.each<{ it: string; schema: unknown; path: string }>([
  { it: "$vocabulary at the root", schema: planted, path: "/$vocabulary" },
  { it: "$vocabulary in data", schema: { const: { a: [planted] } }, path: "/const/a/0/$vocabulary" },
  { it: "$vocabulary in an example", schema: { examples: [planted] }, path: "/examples/0/$vocabulary" },
  { it: "$vocabulary under an unknown keyword", schema: { "x-a": planted }, path: "/x-a/$vocabulary" },
  { it: "$vocabulary as a property", schema: { properties: planted }, path: "/properties/$vocabulary" },
  { it: "another dialect", schema: { $schema: "http://json-schema.org/draft-07/schema#" }, path: "/$schema" },
  { it: "another dialect in data", schema: { enum: [{ $schema: "x" }] }, path: "/enum/0/$schema" },
  { it: "the id of the schema of schemas", schema: { $defs: { a: { $id: DIALECT } } }, path: "/$defs/a/$id" },
  { it: "that id in another spelling", schema: { $id: "HTTPS://JSON%2DSchema.org:443/draft" }, path: "/$id" },
  { it: "that id without a scheme", schema: { $id: "//json-schema.org/x" }, path: "/$id" },
  { it: "that id behind user-info", schema: { $id: "https://a@json-schema.org/x" }, path: "/$id" },
  { it: "an identifier inside const", schema: { const: { $id: "a" } }, path: "/const/$id" },
  { it: "an anchor inside a default", schema: { default: [{ $anchor: "a" }] }, path: "/default/0/$anchor" },
  { it: "a reference to an inherited name", schema: { items: { $ref: "#to%53tring" } }, path: "/items/$ref" },
  { it: "an anchor with an inherited name", schema: { $dynamicAnchor: "constructor" }, path: "/$dynamicAnchor" },
  { it: "an identifier of older drafts", schema: { items: { undefined: "#/a" } }, path: "/items/undefined" },
  { it: "an identifier of older drafts in data", schema: { const: { undefined: "#/a" } }, path: "/const/undefined" },
])("refuses $it, and says where", ({ schema, path }) => {
  expect(guardSchema(schema as JsonValue, SCHEMA_BOUNDS)).toMatchObject({
    ok: false,
    error: { code: "schema.unsupported", path },
  });
});

test.each<{ it: string; schema: unknown }>([
  { it: "its own dialect", schema: { $schema: DIALECT } },
  { it: "its own dialect with an empty fragment", schema: { $schema: `${DIALECT}#` } },
  { it: "ids of its own", schema: { $id: "https://example.com/a", $defs: { b: { $id: "b", $anchor: "c" } } } },
  {
    it: "properties with the names of keywords",
    schema: { properties: { const: { $anchor: "a" }, $id: {}, undefined: true } },
  },
  { it: "a flag called undefined in data", schema: { const: { undefined: true } } },
  { it: "text that only mentions an id", schema: { description: `like ${DIALECT}` } },
])("takes $it", ({ schema }) => {
  expect(guardSchema(schema as JsonValue, SCHEMA_BOUNDS).ok).toBe(true);
});

test.each([
  { it: "levels", bounds: { schema: { depth: 2, nodes: 99 } }, fits: { a: { b: 1 } }, not: { a: { b: [] } } },
  { it: "values", bounds: { schema: { depth: 9, nodes: 3 } }, fits: { a: [1] }, not: { a: [1, 2] } },
  { it: "characters", bounds: { schemaCharacters: 5 }, fits: { ab: "cde" }, not: { ab: "cdef" } },
])("takes exactly as many $it as it is bound to", ({ bounds, fits, not }) => {
  const all = { ...SCHEMA_BOUNDS, ...bounds };
  expect(guardSchema(fits, all).ok).toBe(true);
  expect(guardSchema(not, all)).toMatchObject({ ok: false, error: { code: "schema.too_large" } });
});
