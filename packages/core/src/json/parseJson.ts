import { err, ok, type Result } from "../result.ts";
import { type JsonError, type JsonErrorCode, jsonPointer } from "./jsonError.ts";
import { isLossy, NumberText } from "./numberText.ts";
import { decodeUtf8, loneSurrogateAt, type Utf8Decoder, utf8Length } from "./utf8.ts";
import type { ExactJson, JsonValue } from "./value.ts";

/** What a face accepts. Exactly at a limit passes. */
export interface JsonLimits {
  readonly bytes: number;
  /** Nesting of arrays and objects; `[]` is 1. Taken as at most `deepest`, which the stack holds anywhere. */
  readonly depth: number;
}

/** The limits of every face that has no narrower ones: 1 MiB, 128 levels. */
export const jsonLimits: JsonLimits = { bytes: 1_048_576, depth: 128 };

/** Nothing here reads or writes JSON nested deeper than this, whatever it is told. */
export const deepest = 1000;

/**
 * What a number becomes. "plain": its double, and one that a double would change is refused. "exact": a `NumberText`
 * where the shortest spelling of the double is another text. "rounded": the nearest double, as RFC 8785 reads; for
 * canonical bytes and digests asked for on their own. A number beyond every double is refused in all three, except
 * an integer in "exact", whose digits can be kept.
 */
export type NumberMode = "plain" | "exact" | "rounded";

/**
 * Reads JSON as RFC 8259 and RFC 7493 have it: UTF-8, no byte order mark, no member twice, no lone surrogate.
 * A string is read as text that somebody else decoded; its size is that of its UTF-8.
 * @param decode a faster decoder of the runtime. It refuses what `decodeUtf8` refuses, and keeps a byte order mark.
 */
export function parseJson(
  input: Uint8Array | string,
  limits: JsonLimits,
  numbers: "plain" | "rounded",
  decode?: Utf8Decoder,
): Result<JsonValue, JsonError>;
export function parseJson(
  input: Uint8Array | string,
  limits: JsonLimits,
  numbers: "exact",
  decode?: Utf8Decoder,
): Result<ExactJson, JsonError>;
export function parseJson(
  input: Uint8Array | string,
  limits: JsonLimits,
  numbers: NumberMode,
  decode?: Utf8Decoder,
): Result<ExactJson, JsonError>;
export function parseJson(
  input: Uint8Array | string,
  limits: JsonLimits,
  numbers: NumberMode,
  decode: Utf8Decoder = decodeUtf8,
): Result<ExactJson, JsonError> {
  if (!fits(input, limits.bytes)) {
    const expected = `at most ${limits.bytes} bytes`;
    return err({ code: "json.too_large", message: "the text is larger than the limit", path: "", expected });
  }
  const text = typeof input === "string" ? input : decode(input);
  if (text === undefined) {
    return err({ code: "json.not_utf8", message: "the text is not valid UTF-8", expected: "UTF-8 (RFC 3629)" });
  }
  if (typeof input === "string" && /[\ud800-\udfff]/.test(text) && loneSurrogateAt(text) >= 0) {
    const offset = utf8Length(text, loneSurrogateAt(text));
    return err({ code: "json.lone_surrogate", message: "half of a surrogate pair stands alone", offset });
  }
  return new Reader(text, Math.min(limits.depth, deepest), numbers).read();
}

/** Asked so that a limit which is not a number lets nothing through. */
function fits(input: Uint8Array | string, bytes: number): boolean {
  if (typeof input !== "string") return input.length <= bytes;
  return input.length <= bytes && (input.length * 3 <= bytes || utf8Length(input) <= bytes);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const BOM = 0xfeff;

const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const hex4 = /^[0-9A-Fa-f]{4}$/;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Member names that were read before, by a hash. They only save work: a name is compared with the text before it is
 * taken. Bounded in number and length, so that nobody fills the memory with them.
 */
const namesKept = 256;
const longestKeptName = 32;
const names = new Array<string | undefined>(namesKept).fill(undefined);

/** Every step gives undefined once it has failed; each level then adds its own step of the path. */
class Reader {
  readonly #text: string;
  readonly #depth: number;
  readonly #numbers: NumberMode;
  #at = 0;
  #fault: { code: JsonErrorCode; message: string; at: number; expected?: string } | undefined;
  /** Innermost first. */
  readonly #path: (string | number)[] = [];

  constructor(text: string, depth: number, numbers: NumberMode) {
    this.#text = text;
    this.#depth = depth;
    this.#numbers = numbers;
  }

  read(): Result<ExactJson, JsonError> {
    if (this.#text.charCodeAt(0) === BOM) {
      this.#fail("json.bom", "the text begins with a byte order mark", 0);
    } else {
      const value = this.#value(0);
      if (value !== undefined) {
        if (Number.isNaN(this.#next())) return ok(value);
        this.#fail("json.syntax", "more text follows the value", this.#at, "the end of the text");
      }
    }
    return err(this.#error());
  }

  #error(): JsonError {
    if (this.#fault === undefined) throw new Error("a step failed without saying why");
    const { code, message, at, expected } = this.#fault;
    const path = jsonPointer(this.#path.reverse());
    return {
      code,
      message,
      ...(path === undefined ? {} : { path }),
      offset: utf8Length(this.#text, Math.min(at, this.#text.length)),
      ...(expected === undefined ? {} : { expected }),
    };
  }

  #fail(code: JsonErrorCode, message: string, at: number, expected?: string): undefined {
    this.#fault = { code, message, at, ...(expected === undefined ? {} : { expected }) };
    return undefined;
  }

  #unexpected(expected: string): undefined {
    const ended = this.#at >= this.#text.length;
    return this.#fail("json.syntax", ended ? "the text ends too early" : "unexpected character", this.#at, expected);
  }

  /** The next unit that is not white space, NaN at the end. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let unit = text.charCodeAt(at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      at += 1;
      unit = text.charCodeAt(at);
    }
    this.#at = at;
    return unit;
  }

  #value(depth: number): ExactJson | undefined {
    const unit = this.#next();
    if (unit === QUOTE) return this.#string();
    if (unit === OPEN_OBJECT) return this.#object(depth + 1);
    if (unit === OPEN_ARRAY) return this.#array(depth + 1);
    if (unit === MINUS || (unit >= ZERO && unit <= NINE)) return this.#number();
    if (unit === 0x74) return this.#word("true", true);
    if (unit === 0x66) return this.#word("false", false);
    if (unit === 0x6e) return this.#word("null", null);
    return this.#unexpected("a value");
  }

  #word(word: string, value: boolean | null): boolean | null | undefined {
    if (!this.#text.startsWith(word, this.#at)) return this.#unexpected("a value");
    this.#at += word.length;
    return value;
  }

  #object(depth: number): ExactJson | undefined {
    if (!(depth <= this.#depth)) return this.#tooDeep();
    this.#at += 1;
    const object: Record<string, ExactJson> = {};
    let unit = this.#next();
    if (unit === CLOSE_OBJECT) {
      this.#at += 1;
      return object;
    }
    for (;;) {
      if (unit !== QUOTE) return this.#unexpected("a member name in double quotes");
      const start = this.#at;
      const key = this.#name();
      if (key === undefined) return undefined;
      if (this.#next() !== COLON) return this.#unexpected('":"');
      this.#at += 1;
      // `in` sees own members and what Object.prototype has: both need more care than an assignment.
      const special = key in object;
      if (special && Object.hasOwn(object, key)) {
        this.#path.push(key);
        return this.#fail("json.duplicate_member", "a member occurs twice", start, "each member once");
      }
      const value = this.#value(depth);
      if (value === undefined) {
        this.#path.push(key);
        return undefined;
      }
      if (special) Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
      unit = this.#next();
      this.#at += 1;
      if (unit === CLOSE_OBJECT) return object;
      if (unit !== COMMA) {
        this.#at -= 1;
        return this.#unexpected('"," or "}"');
      }
      unit = this.#next();
    }
  }

  #array(depth: number): ExactJson | undefined {
    if (!(depth <= this.#depth)) return this.#tooDeep();
    this.#at += 1;
    const array: ExactJson[] = [];
    if (this.#next() === CLOSE_ARRAY) {
      this.#at += 1;
      return array;
    }
    for (;;) {
      const value = this.#value(depth);
      if (value === undefined) {
        this.#path.push(array.length);
        return undefined;
      }
      array.push(value);
      const unit = this.#next();
      this.#at += 1;
      if (unit === CLOSE_ARRAY) return array;
      if (unit !== COMMA) {
        this.#at -= 1;
        return this.#unexpected('"," or "]"');
      }
    }
  }

  #tooDeep(): undefined {
    return this.#fail("json.too_deep", "the value is nested too deeply", this.#at, `at most ${this.#depth} levels`);
  }

  #number(): number | NumberText | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let unit = text.charCodeAt(at);
    const negative = unit === MINUS;
    if (negative) unit = text.charCodeAt(++at);
    const first = unit;
    const digits = at;
    let integer = 0;
    while (unit >= ZERO && unit <= NINE && at - digits < 16) {
      integer = integer * 10 + (unit - ZERO);
      unit = text.charCodeAt(++at);
    }
    const length = at - digits;
    const short = length > 0 && length < 16 && unit !== DOT && unit !== LOWER_E && unit !== UPPER_E;
    // Fifteen digits are exact in a double. A leading zero stands alone, and "-0" is not the spelling of its double.
    if (short && (first !== ZERO || (length === 1 && !negative))) {
      this.#at = at;
      return negative ? -integer : integer;
    }
    return this.#longNumber(start);
  }

  #longNumber(start: number): number | NumberText | undefined {
    numberForm.lastIndex = start;
    const match = numberForm.exec(this.#text);
    if (match === null) {
      this.#at = start + 1;
      return this.#unexpected("a digit");
    }
    const written = match[0];
    this.#at = start + written.length;
    const double = Number(written);
    if (this.#numbers === "exact" && String(double) !== written) {
      const integer = !/[.eE]/.test(written);
      if (Number.isFinite(double) || integer) return new NumberText(written);
    }
    if (!Number.isFinite(double)) {
      return this.#fail("json.number_out_of_range", "a number is larger than any double", start, "a finite double");
    }
    if (this.#numbers === "plain" && isLossy(written, double)) {
      const expected = "at most the digits of a double; exact decimals as strings";
      return this.#fail("json.number_lossy", "a number has more digits than a double holds", start, expected);
    }
    return double;
  }

  #string(): string | undefined {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    // Most strings are short: a loop beats the regular expression until about here.
    const soon = start + 64;
    let unit = text.charCodeAt(at);
    while (unit !== QUOTE && unit !== BACKSLASH && unit >= 0x20 && at < soon) unit = text.charCodeAt(++at);
    if (at === soon) {
      at = this.#endOfRun(at);
      unit = text.charCodeAt(at);
    }
    if (unit === QUOTE) {
      this.#at = at + 1;
      return text.slice(start, at);
    }
    return this.#escapedString(start, at);
  }

  /** A string again, but one that was probably read before: names repeat, and the engine has the old one at hand. */
  #name(): string | undefined {
    const text = this.#text;
    const start = this.#at + 1;
    const soon = start + longestKeptName;
    let at = start;
    let unit = text.charCodeAt(at);
    let slot = 0;
    while (unit !== QUOTE && unit !== BACKSLASH && unit >= 0x20 && at < soon) {
      slot = (slot * 31 + unit) & (namesKept - 1);
      unit = text.charCodeAt(++at);
    }
    if (unit !== QUOTE) return this.#string();
    this.#at = at + 1;
    const seen = names[slot];
    if (seen !== undefined && seen.length === at - start && text.startsWith(seen, start)) return seen;
    const name = text.slice(start, at);
    names[slot] = name;
    return name;
  }

  #endOfRun(from: number): number {
    plainRun.lastIndex = from;
    plainRun.test(this.#text);
    return plainRun.lastIndex;
  }

  /** Goes on at `at`, the first unit of the string that is neither plain nor its end. */
  #escapedString(start: number, from: number): string | undefined {
    const text = this.#text;
    let value = text.slice(start, from);
    let at = from;
    let surrogates = false;
    for (;;) {
      this.#at = at;
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) break;
      if (unit !== BACKSLASH) return this.#unexpected('a character of the string or its closing "');
      const letter = text.charAt(at + 1);
      if (letter === "u") {
        const hex = text.slice(at + 2, at + 6);
        if (!hex4.test(hex)) return this.#unexpected("an escape such as \\n or \\u0041");
        const code = Number.parseInt(hex, 16);
        surrogates ||= code >= 0xd800 && code <= 0xdfff;
        value += String.fromCharCode(code);
        at += 6;
      } else {
        const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
        if (plain === undefined) return this.#unexpected("an escape such as \\n or \\u0041");
        value += plain;
        at += 2;
      }
      const run = at;
      at = this.#endOfRun(at);
      if (at > run) value += text.slice(run, at);
    }
    if (surrogates && loneSurrogateAt(value) >= 0) {
      return this.#fail("json.lone_surrogate", "half of a surrogate pair stands alone", start - 1, "paired surrogates");
    }
    this.#at += 1;
    return value;
  }
}
