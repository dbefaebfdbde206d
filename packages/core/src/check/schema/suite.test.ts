import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { sharedSuite } from "../../testing.ts";
import { SCHEMA_BOUNDS } from "./bounds.ts";
import { compileSchema, compileUnguarded } from "./compile.ts";
import { guardSchema } from "./guard.ts";
import { judgeSchema } from "./judge.ts";

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

sharedSuite("conformance/json-schema-2020-12", (folder) => {
  const remotes = join(folder, "remotes");
  const documents: Record<string, JsonValue> = {};
  for (const entry of readdirSync(remotes, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".json")) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const place = relative(remotes, file);
    if (/^draft(?!2020)/.test(place)) continue;
    const document = JSON.parse(readFileSync(file, "utf8"));
    if (
      typeof document.$schema === "string" &&
      !document.$schema.includes("2020-12") &&
      !document.$schema.includes("localhost")
    )
      continue;
    documents[`http://localhost:1234/${place}`] = document;
  }
  const files = readdirSync(join(folder, "tests/draft2020-12")).filter((name) => name.endsWith(".json"));
  const groups = files.flatMap((file) =>
    (JSON.parse(readFileSync(join(folder, "tests/draft2020-12", file), "utf8")) as Group[]).map((group) => ({
      file,
      ...group,
    })),
  );
  const guarded = Object.fromEntries(
    Object.entries(documents).filter(([, document]) => guardSchema(document, SCHEMA_BOUNDS).ok),
  );

  test("is whole", () => {
    expect(files).toHaveLength(46);
    expect(groups.reduce((sum, { tests }) => sum + tests.length, 0)).toBe(1299);
  });

  test.each(groups)("$file: $description", async ({ schema, tests }) => {
    const compiled = await compileUnguarded(schema, SCHEMA_BOUNDS, documents);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
    for (const { description, data, valid } of tests) {
      const judged = judgeSchema(compiled.value, data);
      expect(judged.ok && judged.value.valid, description).toBe(valid);
    }
  });

  test("agrees in 1,294 of 1,299 with the rules for callers; five define vocabularies, and are refused", async () => {
    const refused: string[] = [];
    let agreed = 0;
    for (const { description, schema, tests } of groups) {
      const compiled = await compileSchema(schema, SCHEMA_BOUNDS, guarded);
      if (!compiled.ok) {
        refused.push(...tests.map((each) => `${compiled.error.code} ${description}: ${each.description}`));
        continue;
      }
      for (const { data, valid } of tests) {
        const judged = judgeSchema(compiled.value, data);
        if (judged.ok && judged.value.valid === valid) agreed += 1;
      }
    }
    expect(refused).toHaveLength(5);
    for (const line of refused)
      expect(line).toMatch(
        /^schema.unsupported (?:schema that uses custom metaschema|ignore unrecognized optional voc)/,
      );
    expect(agreed).toBe(1294);
  });
});

interface HardCase {
  readonly id: string;
  readonly why: string;
  readonly schema: JsonValue;
  readonly data_json: string;
  readonly valid: boolean;
}

interface BadCase {
  readonly id: string;
  readonly why: string;
  readonly schema: JsonValue;
  readonly expect: "refuse" | "refuse-without-network" | "bounded-time" | "refuse-or-error";
}

const lines = <T>(file: string): T[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

sharedSuite("conformance/json-schema-2020-12", (folder) => {
  const hard = lines<HardCase>(join(folder, "own-hard.jsonl"));
  const deep = { depth: 512, nodes: 20_000 };
  const wide = { ...SCHEMA_BOUNDS, schema: deep, data: deep };

  test("has its hard cases", () => expect(hard).toHaveLength(127));

  test.each(hard)("$id: $why", async ({ id, schema, data_json, valid }) => {
    const compiled = await compileSchema(schema, wide);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
    const judged = judgeSchema(compiled.value, JSON.parse(data_json));
    expect(judged.ok && judged.value.valid).toBe(valid);
    const usual = await compileSchema(schema);
    if (id === "js-0126") expect(usual).toMatchObject({ ok: false, error: { code: "schema.too_large" } });
    else expect(usual.ok).toBe(true);
  });

  const bad = lines<BadCase>(join(folder, "own-bad-schemas.jsonl"));

  test("has its bad schemas", () => expect(bad).toHaveLength(36));

  test.each(bad)("$id: $why", async ({ schema, expect: want }) => {
    const compiled = await compileSchema(schema);
    if (want === "refuse" || want === "refuse-without-network") return expect(compiled.ok).toBe(false);
    if (!compiled.ok) return;
    if (want === "refuse-or-error") return expect(judgeSchema(compiled.value, "x").ok).toBe(false);
    for (const char of ["a", "x", " "]) {
      const text = `${char.repeat(50_000)}!`;
      judgeSchema(compiled.value, text);
      judgeSchema(compiled.value, { [text]: 1 });
    }
  });
});
