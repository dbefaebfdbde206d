import type * as BrowserModule from "@hyperjump/browser";
import type { Browser } from "@hyperjump/browser";
import type * as Experimental from "@hyperjump/json-schema/experimental";
import type { Keyword, SchemaDocument } from "@hyperjump/json-schema/experimental";
import type * as InstanceModule from "@hyperjump/json-schema/instance/experimental";
import type { RE2JS } from "re2js";
import type { SchemaErrorCode } from "./bounds.ts";
import { Budget } from "./budget.ts";
import { isMultipleOf } from "./multipleOf.ts";
import { type Pattern, type PatternError, preparePattern } from "./pattern.ts";

/** The parts of the library that keywords are made of; it is loaded when the first schema is compiled. */
export interface Library {
  readonly browser: typeof BrowserModule;
  readonly experimental: typeof Experimental;
  readonly instance: typeof InstanceModule;
  readonly engine: typeof RE2JS;
}

/** Thrown through the library while it compiles, and caught where compiling began. */
export class PatternRefused extends Error {
  readonly code: SchemaErrorCode;
  /** JSON Pointer into the document. */
  readonly path: string;

  constructor({ code, message }: PatternError, path: string) {
    super(message);
    this.code = CODES[code];
    this.path = path;
  }
}

const CODES = {
  "pattern.malformed": "schema.pattern_malformed",
  "pattern.unsupported": "schema.pattern_unsupported",
  "pattern.too_large": "schema.pattern_too_large",
} as const satisfies Record<PatternError["code"], SchemaErrorCode>;

/** What preparing a pattern costs beside its instructions, in such. */
const PATTERN_OVERHEAD = 20;

/** Instructions of all patterns of one schema. */
const MAX_INSTRUCTIONS = 50_000;

type Schema = Browser<SchemaDocument>;
type Context = Parameters<Keyword<unknown>["interpret"]>[2] & { evaluatedProperties?: Set<string> };

/**
 * The keywords of the library that are replaced, and why:
 * - `pattern`, `patternProperties` and `additionalProperties` (which puts the patterns of its neighbour together into
 *   one) match by backtracking, which a pattern of a few characters can make endless. These match in linear time.
 * - `multipleOf` takes a remainder below 0.00000012 for none. This one is exact.
 */
export function replaceKeywords({ browser, experimental, instance, engine }: Library): void {
  const { Validation } = experimental;

  /** For each schema that is being compiled, by its compiled form. */
  const instructions = new WeakMap<object, number>();

  function prepare(source: string, schema: Schema, ast: object): Pattern {
    const prepared = preparePattern(source, engine);
    if (!prepared.ok) throw new PatternRefused(prepared.error, schema.cursor);
    const sum = (instructions.get(ast) ?? 0) + prepared.value.cost + PATTERN_OVERHEAD;
    instructions.set(ast, sum);
    if (sum > MAX_INSTRUCTIONS)
      throw new PatternRefused(
        { code: "pattern.too_large", message: "the patterns are too large together" },
        schema.cursor,
      );
    return prepared.value;
  }

  function matches(pattern: Pattern, text: string, context: Context): boolean {
    Budget.of(context)?.payPattern(pattern.cost, text);
    return pattern.test(text);
  }

  async function patternsOf(schema: Schema, ast: object): Promise<(readonly [Pattern, Schema])[]> {
    const patterns: (readonly [Pattern, Schema])[] = [];
    for await (const [source, below] of browser.entries(schema))
      patterns.push([prepare(source, schema, ast), below as Schema]);
    return patterns;
  }

  const pattern: Keyword<Pattern> = {
    id: "https://json-schema.org/keyword/pattern",
    compile: async (schema, ast) => prepare(browser.value<string>(schema), schema, ast),
    interpret: (compiled, node, context) =>
      instance.typeOf(node) !== "string" || matches(compiled, instance.value<string>(node), context),
  };

  const patternProperties: Keyword<(readonly [Pattern, string])[]> = {
    id: "https://json-schema.org/keyword/patternProperties",
    simpleApplicator: true,
    async compile(schema, ast) {
      const compiled: (readonly [Pattern, string])[] = [];
      for (const [prepared, below] of await patternsOf(schema, ast))
        compiled.push([prepared, await Validation.compile(below, ast, schema)]);
      return compiled;
    },
    interpret(compiled, node, context: Context) {
      let valid = true;
      for (const [prepared, below] of compiled) {
        for (const [nameNode, member] of instance.entries(node)) {
          const name = instance.value<string>(nameNode);
          if (!matches(prepared, name, context)) continue;
          if (!Validation.interpret(below, member, context)) valid = false;
          context.evaluatedProperties?.add(name);
        }
      }
      return valid;
    },
  };

  interface Additional {
    readonly names: ReadonlySet<string>;
    readonly patterns: readonly Pattern[];
    readonly below: string;
  }

  const additionalProperties: Keyword<Additional> = {
    id: "https://json-schema.org/keyword/additionalProperties",
    simpleApplicator: true,
    async compile(schema, ast, parent) {
      const properties = await browser.step("properties", parent);
      const neighbours = await browser.step("patternProperties", parent);
      const names = browser.typeOf(properties) === "object" ? [...browser.keys(properties)] : [];
      const patterns = browser.typeOf(neighbours) === "object" ? await patternsOf(neighbours as Schema, ast) : [];
      return {
        names: new Set(names),
        patterns: patterns.map(([prepared]) => prepared),
        below: await Validation.compile(schema, ast, parent),
      };
    },
    interpret({ names, patterns, below }, node, context: Context) {
      let valid = true;
      for (const [nameNode, member] of instance.entries(node)) {
        const name = instance.value<string>(nameNode);
        if (names.has(name) || patterns.some((prepared) => matches(prepared, name, context))) continue;
        if (!Validation.interpret(below, member, context)) valid = false;
        context.evaluatedProperties?.add(name);
      }
      return valid;
    },
  };

  const multipleOf: Keyword<number> = {
    id: "https://json-schema.org/keyword/multipleOf",
    compile: async (schema) => browser.value<number>(schema),
    interpret: (step, node) => instance.typeOf(node) !== "number" || isMultipleOf(instance.value<number>(node), step),
  };

  experimental.addKeyword(pattern);
  experimental.addKeyword(patternProperties);
  experimental.addKeyword(additionalProperties);
  experimental.addKeyword(multipleOf);
}
