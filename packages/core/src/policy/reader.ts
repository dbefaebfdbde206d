import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { formatDuration, parseDuration, type Seconds } from "../time/duration.ts";
import { MOST_PROBLEMS, type Report } from "./problem.ts";
import { suggest } from "./suggest.ts";

/**
 * Reads the members of one object of a document, strictly: what is not asked for by the end is an unknown key. Each
 * getter reports what is wrong and gives undefined, so that one pass finds every mistake.
 */
export class ObjectReader {
  readonly path: string;
  readonly #value: JsonObject;
  readonly #report: Report;
  readonly #known = new Set<string>();

  constructor(value: JsonObject, path: string, report: Report) {
    this.#value = value;
    this.path = path;
    this.#report = report;
  }

  at(key: string): string {
    return `${this.path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }

  has(key: string): boolean {
    this.#known.add(key);
    return Object.hasOwn(this.#value, key);
  }

  /** The member as it stands; absent is undefined and reported only by `required`. */
  raw(key: string): JsonValue | undefined {
    return this.has(key) ? this.#value[key] : undefined;
  }

  required<T>(
    key: string,
    read: (value: JsonValue, path: string, report: Report) => T | undefined,
    expected: string,
  ): T | undefined {
    const value = this.raw(key);
    if (value !== undefined) return read(value, this.at(key), this.#report);
    this.#report("policy.missing", this.at(key), `${key} is missing`, expected);
    return undefined;
  }

  optional<T>(key: string, read: (value: JsonValue, path: string, report: Report) => T | undefined): T | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : read(value, this.at(key), this.#report);
  }

  /** Call last: every member that nothing asked for is a mistake, as a mistyped rule would not bite. */
  close(): void {
    let unknown = 0;
    for (const key of Object.keys(this.#value)) {
      if (this.#known.has(key)) continue;
      unknown += 1;
      if (unknown > MOST_PROBLEMS) return;
      const meant = suggest(key, [...this.#known]);
      this.#report(
        "policy.unknown_key",
        this.at(key),
        meant === undefined ? "this key is not known here" : `this key is not known here; did you mean ${meant}?`,
        [...this.#known].join(", "),
      );
    }
  }
}

export function readObject(value: JsonValue, path: string, report: Report): ObjectReader | undefined {
  if (isObject(value)) return new ObjectReader(value, path, report);
  report("policy.wrong_type", path, "this has to be an object", "object");
  return undefined;
}

export function readText(value: JsonValue, path: string, report: Report, most = 256): string | undefined {
  if (typeof value === "string" && value.length > 0 && value.length <= most) return value;
  report("policy.wrong_type", path, `this has to be a text of 1 to ${most} characters`, "text");
  return undefined;
}

export function readBoolean(value: JsonValue, path: string, report: Report): boolean | undefined {
  if (typeof value === "boolean") return value;
  report("policy.wrong_type", path, "this has to be true or false", "true or false");
  return undefined;
}

export function readNumber(
  value: JsonValue,
  path: string,
  report: Report,
  least: number,
  most: number,
): number | undefined {
  if (typeof value === "number" && value >= least && value <= most) return value;
  report("policy.out_of_range", path, `this has to be a number from ${least} to ${most}`, `${least} to ${most}`);
  return undefined;
}

export function readInteger(
  value: JsonValue,
  path: string,
  report: Report,
  least: number,
  most: number,
): number | undefined {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  report("policy.out_of_range", path, `this has to be a whole number from ${least} to ${most}`, `${least} to ${most}`);
  return undefined;
}

/** A length of time that is not nothing, and at most `most` seconds. */
export function readSeconds(value: JsonValue, path: string, report: Report, most: number): Seconds | undefined {
  const read = parseDuration(value);
  if (read.ok && read.value > 0 && read.value <= most) return read.value;
  const message = read.ok ? "this length of time is not one that fits here" : read.error.message;
  report("policy.duration", path, message, `an ISO 8601 duration up to ${formatDuration(most as Seconds)}`);
  return undefined;
}

export function readOneOf<const T extends string>(
  value: JsonValue,
  path: string,
  report: Report,
  names: readonly T[],
): T | undefined {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  const meant = typeof value === "string" ? suggest(value, names) : undefined;
  report(
    "policy.wrong_value",
    path,
    meant === undefined ? "this value is not known here" : `this value is not known here; did you mean ${meant}?`,
    names.join(", "),
  );
  return undefined;
}

/** A list of at least one and at most `most` items; items that do not read are left out and reported. */
export function readList<T>(
  value: JsonValue,
  path: string,
  report: Report,
  most: number,
  read: (value: JsonValue, path: string, report: Report) => T | undefined,
  least = 1,
): readonly T[] | undefined {
  if (!Array.isArray(value)) {
    report("policy.wrong_type", path, "this has to be a list", "list");
    return undefined;
  }
  if (value.length < least || value.length > most) {
    report("policy.out_of_range", path, `this list has to hold ${least} to ${most} items`, `${least} to ${most} items`);
    return undefined;
  }
  const items: T[] = [];
  for (const [index, item] of value.entries()) {
    const one = read(item as JsonValue, `${path}/${index}`, report);
    if (one !== undefined) items.push(one);
  }
  return items;
}
