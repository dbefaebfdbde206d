import { deepest } from "./parseJson.ts";
import { loneSurrogateAt } from "./utf8.ts";

/** Thrown for what is not JSON at all: a broken invariant, since `parseJson` and `toJsonValue` give nothing of the kind. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}

/**
 * The canonical text of a JSON value by RFC 8785 (JCS): members sorted by UTF-16 units, numbers as ECMAScript prints
 * them, nothing else. Own enumerable members only; `toJSON` is a member like any other.
 * Throws `NotJsonError` on undefined, functions, bigints, symbols, non-finite numbers, lone surrogates, objects that are
 * not plain, holes in arrays, and what is nested deeper than 1,000 levels (a cycle is).
 */
export function canonicalize(value: unknown): string {
  switch (inspect(value, 1)) {
    case SORTED:
      return written(value);
    case UNSORTED:
      return written(sortedCopy(value));
    default:
      return canonicalizePlainly(value);
  }
}

/** The same text by the obvious way: one recursive writer. The fast way falls back to it where V8 would reorder members. */
export function canonicalizePlainly(value: unknown): string {
  return writeValue(value, 1);
}

/**
 * How far a value is from what one `JSON.stringify` would write. An object with keys such as "10" that is out of order
 * cannot be copied into order: the engine puts array indexes first.
 */
type Order = typeof SORTED | typeof UNSORTED | typeof INDEXED;
const SORTED = 0;
const UNSORTED = 1;
const INDEXED = 2;

const indexLike = /^(?:0|[1-9][0-9]{0,9})$/;

function inspect(value: unknown, depth: number): Order {
  if (typeof value !== "object") {
    if (typeof value === "string" || typeof value === "boolean") return SORTED;
    if (typeof value === "number" && Number.isFinite(value)) return SORTED;
    throw notJson(value);
  }
  if (value === null) return SORTED;
  if (depth > deepest) throw tooDeep();
  let order: Order = SORTED;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = inspect(value[i], depth + 1);
      if (found > order) order = found;
    }
    return order;
  }
  if (!isPlain(value)) throw notJson(value);
  const keys = Object.keys(value);
  let last = "";
  let sorted = true;
  for (const key of keys) {
    if (key < last) sorted = false;
    last = key;
    const found = inspect(value[key], depth + 1);
    if (found > order) order = found;
  }
  if (!sorted) {
    const own = keys.some((key) => indexLike.test(key)) ? INDEXED : UNSORTED;
    if (own > order) order = own;
  }
  return order;
}

function sortedCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedCopy);
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) {
    const member = sortedCopy(source[key]);
    if (key === "__proto__") Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return copy;
}

/** `JSON.stringify` writes lone surrogates as escapes and everything else as RFC 8785 does. */
function written(value: unknown): string {
  const text = JSON.stringify(value);
  // An escaped backslash before "ud" looks the same, so the exact answer is the plain writer's.
  return text.includes("\\ud") ? canonicalizePlainly(value) : text;
}

function writeValue(value: unknown, depth: number): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeString(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw notJson(value);
    return Object.is(value, -0) ? "0" : String(value);
  }
  if (typeof value !== "object") throw notJson(value);
  if (depth > deepest) throw tooDeep();
  // Not map: it would skip holes, and a hole is no JSON.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => writeValue(item, depth + 1)).join(",")}]`;
  if (!isPlain(value)) throw notJson(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${writeString(key)}:${writeValue(value[key], depth + 1)}`).join(",")}}`;
}

function writeString(text: string): string {
  if (loneSurrogateAt(text) >= 0) throw new NotJsonError("half of a surrogate pair stands alone in a string");
  return JSON.stringify(text);
}

/** Made by `{}`, by a parser, or without a prototype: such an object has no member that it does not own. */
export function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function notJson(value: unknown): NotJsonError {
  const kind = typeof value === "number" ? "a number that is not finite" : describe(value);
  return new NotJsonError(`the value holds ${kind}, which JSON does not have`);
}

const describe = (value: unknown): string =>
  typeof value === "object" ? "an object that is not plain" : `something of type ${typeof value}`;

const tooDeep = (): NotJsonError => new NotJsonError("the value is nested too deeply or contains itself");
