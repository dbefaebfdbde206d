import { readFileSync } from "node:fs";
import { isObject, type JsonObject, type JsonValue, readPolicy } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { readSuite } from "./policyTest/readSuite.ts";
import { runSuite } from "./policyTest/runSuite.ts";
import { TEMPLATES } from "./templates.ts";
import { parseYaml } from "./yaml.ts";

const read = (name: string): JsonValue => {
  const document = parseYaml(readFileSync(new URL(`../templates/${name}`, import.meta.url), "utf8"));
  if (!document.ok) throw new Error(document.error.message);
  return document.value;
};

interface Mutant {
  readonly it: string;
  readonly document: JsonValue;
}

/** The document with something in the place of one value of it; undefined takes the value out. */
function changed(document: JsonValue, path: readonly (string | number)[], value: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value as JsonValue;
  if (Array.isArray(document)) {
    const items = document as readonly JsonValue[];
    return rest.length === 0 && value === undefined
      ? items.filter((_, at) => at !== step)
      : items.map((one, at) => (at === step ? changed(one, rest, value) : one));
  }
  const { [step]: before, ...others } = document as JsonObject;
  return rest.length === 0 && value === undefined
    ? others
    : { ...(document as JsonObject), [step]: changed(before as JsonValue, rest, value) };
}

/** What is for the reader, and what makes nothing looser where it is left out. */
const TOLD = new Set(["id", "note", "reason", "label", "severity", "zone", "currency", "within"]);
const NARROWING = new Set(["assets", "applies_to", "sources"]);
const LOOSER: Readonly<Record<string, readonly string[]>> = {
  block: ["review", "allow"],
  review: ["allow"],
  allow: [],
};

/** Every rule left out, every effect loosened, every limit ten times as high. */
function mutants(document: JsonValue): readonly Mutant[] {
  const found: Mutant[] = [];
  const add = (path: readonly (string | number)[], what: string, value?: JsonValue) =>
    found.push({ it: `/${path.join("/")} ${what}`, document: changed(document, path, value) });
  const look = (value: JsonValue, path: readonly (string | number)[]): void => {
    const last = path.at(-1);
    if (typeof last === "string" && (TOLD.has(last) || NARROWING.has(last))) return;
    if (last === "effect" || last === "default")
      for (const looser of LOOSER[value as string] ?? []) add(path, `is ${looser}`, looser);
    else if ((last === "value" || last === "max") && typeof value === "string")
      add(
        path,
        "is ten times as high",
        value.replace(/^(\d+)([.](\d)(\d*))?$/, "$1$3$4") + (value.includes(".") ? "" : "0"),
      );
    else if (value === true) add(path, "is false", false);
    else if (path.length > 0) add(path, "is left out");
    if (Array.isArray(value)) {
      // What a list of names holds one by one is its author's to say.
      if (value.some(isObject))
        for (const [at, one] of (value as readonly JsonValue[]).entries()) look(one, [...path, at]);
    } else if (isObject(value)) for (const [name, one] of Object.entries(value)) look(one, [...path, name]);
  };
  look(document, []);
  return found;
}

describe.each(TEMPLATES.map((name) => ({ name })))("the cases of $name", ({ name }) => {
  const document = read(`${name}.yaml`);
  const { cases } = readSuite(read(`${name}.test.yaml`), name);
  const failed = (changedDocument: JsonValue): boolean | "unread" => {
    const policy = readPolicy(changedDocument, "org:local");
    return policy.ok ? runSuite(cases, policy.value).results.some(({ failures }) => failures.length > 0) : "unread";
  };

  test("pass", () => {
    expect(failed(document)).toBe(false);
  });

  test("notice every rule that is left out or loosened", () => {
    const all = mutants(document);
    const judged = all.map((one) => ({ it: one.it, failed: failed(one.document) }));
    expect(judged.filter((one) => one.failed === false).map(({ it }) => it)).toEqual([]);
    expect(judged.filter((one) => one.failed === true).length).toBeGreaterThan(10);
  });
});
