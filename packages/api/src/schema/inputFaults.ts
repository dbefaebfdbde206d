import { type ExactJson, type ExactObject, isExactObject, NumberText, pointerOf } from "@countersign/core";
import type { Fault } from "../problem.ts";
import { shownKey } from "./shownKey.ts";

type Scalar = string | number | boolean | null;
export type TypeName = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/**
 * The part of JSON Schema that the contracts use for input. Every keyword of it is judged but `default`, `title`,
 * `description` and `examples`; one that is not listed here does not compile, so that none is silently passed over.
 */
export interface InputSchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly const?: Scalar;
  readonly enum?: readonly Scalar[];
  /** In code points, as JSON Schema counts. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: InputSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: InputSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | InputSchema;
  readonly default?: ExactJson;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly ExactJson[];
}

/** More than this is not told at once. */
const MOST_FAULTS = 20;

/**
 * What is wrong with an input, in the order of the schema; empty when nothing is. Numbers are judged as doubles.
 * Linear in schema and input; the schema bounds the depth.
 * @param most the search ends with so many faults
 */
export function inputFaults(schema: InputSchema, input: ExactJson, most = MOST_FAULTS): readonly Fault[] {
  const search = new Search(most);
  search.judge(schema, input);
  return search.faults;
}

class Search {
  readonly faults: Fault[] = [];
  readonly #most: number;
  readonly #path: (string | number)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  judge(schema: InputSchema, value: ExactJson): void {
    if (this.#full()) return;
    if (schema.type !== undefined && !isOneOf(schema.type, value)) {
      const wanted = [schema.type].flat().join(" or ");
      this.#add(`this has to be of type ${wanted}`, wanted);
      return;
    }
    if (schema.const !== undefined && value !== schema.const) {
      this.#add("this is not the one value that it can have", JSON.stringify(schema.const));
    }
    if (schema.enum !== undefined && !schema.enum.includes(value as Scalar)) {
      this.#add(
        "this is not one of the values that it can have",
        schema.enum.map((one) => JSON.stringify(one)).join(", "),
      );
    }
    if (typeof value === "string") this.#judgeText(schema, value);
    else if (isNumber(value)) this.#judgeNumber(schema, value);
    else if (Array.isArray(value)) this.#judgeList(schema, value);
    else if (isExactObject(value)) this.#judgeObject(schema, value);
  }

  #judgeText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: InputSchema, text: string): void {
    if (isShorter(text, minLength)) this.#add("this text is too short", `at least ${countOf(minLength, "character")}`);
    if (text.length > maxLength && !isShorter(text, maxLength + 1)) {
      this.#add("this text is too long", `at most ${countOf(maxLength, "character")}`);
    } else if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) {
      this.#add("this text is not of the form it must have", pattern);
    }
  }

  #judgeNumber({ minimum, maximum }: InputSchema, value: number | NumberText): void {
    const number = doubleOf(value);
    if (minimum !== undefined && !(number >= minimum)) this.#add("this number is too small", `at least ${minimum}`);
    if (maximum !== undefined && !(number <= maximum)) this.#add("this number is too large", `at most ${maximum}`);
  }

  #judgeList(
    { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: InputSchema,
    list: readonly ExactJson[],
  ): void {
    if (list.length < minItems) this.#add("this list is too short", `at least ${countOf(minItems, "item")}`);
    if (list.length > maxItems) {
      this.#add("this list is too long", `at most ${countOf(maxItems, "item")}`);
      return;
    }
    if (items === undefined) return;
    for (const [index, item] of list.entries()) {
      if (this.#full()) return;
      this.#path.push(index);
      this.judge(items, item);
      this.#path.pop();
    }
  }

  #judgeObject(
    { properties = {}, required = [], additionalProperties = true }: InputSchema,
    object: ExactObject,
  ): void {
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      this.#path.push(name);
      this.#add("this member is missing", "a value");
      this.#path.pop();
    }
    for (const name of Object.keys(properties)) {
      if (!Object.hasOwn(object, name)) continue;
      this.#path.push(name);
      this.judge(properties[name] as InputSchema, object[name] as ExactJson);
      this.#path.pop();
    }
    if (additionalProperties === true) return;
    for (const name of Object.keys(object)) {
      if (this.#full()) return;
      if (Object.hasOwn(properties, name)) continue;
      this.#path.push(shownKey(name));
      if (additionalProperties !== false) this.judge(additionalProperties, object[name] as ExactJson);
      else this.#add("this member is not known here", Object.keys(properties).join(", ") || "no members");
      this.#path.pop();
    }
  }

  #add(message: string, expected: string): void {
    if (!this.#full()) this.faults.push({ path: pointerOf(this.#path), message, expected });
  }

  #full(): boolean {
    return this.faults.length >= this.#most;
  }
}

const TYPES: Record<TypeName, (value: ExactJson) => boolean> = {
  string: (value) => typeof value === "string",
  number: isNumber,
  // As JSON Schema has it, 1.0 is an integer.
  integer: (value) => isNumber(value) && Number.isInteger(doubleOf(value)),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isExactObject,
};

const isOneOf = (types: TypeName | readonly TypeName[], value: ExactJson): boolean =>
  typeof types === "string" ? TYPES[types](value) : types.some((type) => TYPES[type](value));

function isNumber(value: ExactJson): value is number | NumberText {
  return typeof value === "number" || value instanceof NumberText;
}

const doubleOf = (value: number | NumberText): number => (typeof value === "number" ? value : Number(value.text));

/** Whether a text has fewer code points than `count`, without counting a long one to its end. */
function isShorter(text: string, count: number): boolean {
  if (text.length >= 2 * count) return false;
  if (text.length < count) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points < count;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
