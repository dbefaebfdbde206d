import { err, ok, type Result } from "../result.ts";
import { type JsonError, type JsonErrorCode, jsonPointer } from "./jsonError.ts";
import { deepest, type JsonLimits } from "./parseJson.ts";
import { loneSurrogateAt } from "./utf8.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/**
 * Takes a value from the program's own memory as JSON: for callers of the library, whose asks no reader has seen.
 * Gives a copy, so that nobody changes what was judged; every member is read once, and inherited ones never.
 * Refuses what JSON does not have (undefined, bigints, dates, class instances, holes, NaN), lone surrogates, and more
 * than the limits. Size counts one byte an item or member and one a UTF-16 unit of every string and name, so that a
 * value which repeats itself many times over is refused too.
 */
export function toJsonValue(value: unknown, limits: JsonLimits): Result<JsonValue, JsonError> {
  const copier = new Copier(limits);
  const copy = copier.copy(value, 1);
  return copy === undefined ? err(copier.error()) : ok(copy);
}

/** As the reader does: undefined once a step failed, and each level adds its step of the path. */
class Copier {
  readonly #depth: number;
  readonly #bytes: number;
  #size = 0;
  #fault: Omit<JsonError, "path"> | undefined;
  readonly #path: (string | number)[] = [];

  constructor(limits: JsonLimits) {
    this.#depth = Math.min(limits.depth, deepest);
    this.#bytes = limits.bytes;
  }

  error(): JsonError {
    if (this.#fault === undefined) throw new Error("a step failed without saying why");
    const path = jsonPointer(this.#path.reverse());
    return { ...this.#fault, ...(path === undefined ? {} : { path }) };
  }

  #fail(code: JsonErrorCode, message: string, expected?: string): undefined {
    this.#fault = { code, message, ...(expected === undefined ? {} : { expected }) };
    return undefined;
  }

  copy(value: unknown, depth: number): JsonValue | undefined {
    this.#size += typeof value === "string" ? value.length + 1 : 1;
    if (!(this.#size <= this.#bytes)) {
      return this.#fail("json.too_large", "the value is larger than the limit", `at most ${this.#bytes} bytes`);
    }
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") return this.#string(value);
    if (typeof value === "number") {
      if (Number.isFinite(value)) return value;
      return this.#fail("json.number_out_of_range", "a number is not finite", "a finite double");
    }
    if (typeof value !== "object") return this.#notJson();
    if (!(depth <= this.#depth)) {
      return this.#fail("json.too_deep", "the value is nested too deeply", `at most ${this.#depth} levels`);
    }
    if (Array.isArray(value)) return this.#array(value, depth);
    const prototype = Object.getPrototypeOf(value);
    // An Object.prototype of another realm has no prototype either.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return this.#notJson();
    return this.#object(value as Record<string, unknown>, depth);
  }

  #notJson(): undefined {
    return this.#fail(
      "json.not_a_value",
      "the value is not JSON",
      "null, boolean, number, string, array or plain object",
    );
  }

  #string(text: string): string | undefined {
    if (loneSurrogateAt(text) < 0) return text;
    return this.#fail("json.lone_surrogate", "half of a surrogate pair stands alone", "paired surrogates");
  }

  #array(items: readonly unknown[], depth: number): JsonValue[] | undefined {
    const copy: JsonValue[] = [];
    for (let i = 0; i < items.length; i += 1) {
      const item = this.copy(items[i], depth + 1);
      if (item === undefined) {
        this.#path.push(i);
        return undefined;
      }
      copy.push(item);
    }
    return copy;
  }

  #object(members: Record<string, unknown>, depth: number): JsonObject | undefined {
    const copy: Record<string, JsonValue> = {};
    for (const key of Object.keys(members)) {
      this.#size += key.length;
      const member = this.#string(key) === undefined ? undefined : this.copy(members[key], depth + 1);
      if (member === undefined) {
        this.#path.push(key);
        return undefined;
      }
      if (key in copy)
        Object.defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
      else copy[key] = member;
    }
    return copy;
  }
}
