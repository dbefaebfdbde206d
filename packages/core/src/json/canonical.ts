import { deepest } from "./parseJson.ts";
import { loneSurrogateAt } from "./utf8.ts";

/** Thrown for what is not JSON at all: a broken invariant, since `parseJson` and `toJsonValue` give nothing of the kind. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}

/**
 * The canonical text of a JSON value by RFC 8785 (JCS): members sorted by UTF-16 units, numbers as ECMAScript prints
 * them, no white space. Own enumerable members only; `toJSON` is a member like any other.
 * Throws `NotJsonError` on undefined, functions, bigints, symbols, non-finite numbers, lone surrogates, objects that are
 * not plain, holes in arrays, and what is nested deeper than 1,000 levels (a cycle is).
 */
export function canonicalize(value: unknown): string {
  return write(value, 1);
}

/**
 * One pass that adds to a string. A sorted copy for `JSON.stringify` is no faster, and the engine would put members such
 * as "10" first in it.
 */
function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return writeString(value);
    case "number":
      if (!Number.isFinite(value)) throw new NotJsonError("the value holds a number that is not finite");
      // String(-0) is "0", as RFC 8785 wants it.
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      break;
    default:
      throw new NotJsonError(`the value holds something of type ${typeof value}`);
  }
  if (value === null) return "null";
  if (depth > deepest) throw new NotJsonError("the value is nested too deeply or contains itself");
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i += 1) text += `${i > 0 ? "," : ""}${write(value[i], depth + 1)}`;
    return `${text}]`;
  }
  if (!isPlain(value)) throw new NotJsonError("the value holds an object that is not plain");
  const keys = sorted(Object.keys(value));
  let text = "{";
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string;
    text += `${i > 0 ? "," : ""}${writeName(key)}${write(value[key], depth + 1)}`;
  }
  return `${text}}`;
}

/** What `JSON.stringify` would not write as it is, and surrogates, which have to come in pairs. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

function writeString(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  if (loneSurrogateAt(text) >= 0) throw new NotJsonError("half of a surrogate pair stands alone in a string");
  return JSON.stringify(text);
}

/** The same few names come in every ask: what they are written as is kept, for as many as a gate's documents have. */
const names = new Map<string, string>();
const NAMES_KEPT = 1000;
const LONGEST_NAME = 64;

function writeName(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const written = `${writeString(name)}:`;
  if (names.size < NAMES_KEPT && name.length <= LONGEST_NAME) names.set(name, written);
  return written;
}

/** In place, by UTF-16 units. Most objects are small, and for those insertion beats the engine's sort several times. */
function sorted(keys: string[]): string[] {
  if (keys.length > 16) return keys.sort();
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] as string;
    let at = i - 1;
    for (; at >= 0 && (keys[at] as string) > key; at -= 1) keys[at + 1] = keys[at] as string;
    keys[at + 1] = key;
  }
  return keys;
}

/** Made by `{}`, by a parser, or without a prototype: such an object has no member that it does not own. */
export function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
