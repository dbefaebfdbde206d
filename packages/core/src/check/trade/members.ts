import { isObject, type JsonObject, type JsonValue } from "../../json/value.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Thrown by what reads a part, and caught by what reads the whole: it gets no further. */
export class Malformed extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** An object with all of the required members, and no others than these and the optional ones. */
export function members(
  value: JsonValue | undefined,
  path: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  if (value === undefined || !isObject(value)) throw new Malformed(path, "an object is expected");
  for (const key of required) if (!Object.hasOwn(value, key)) throw new Malformed(`${path}/${key}`, "is missing");
  for (const key of Object.keys(value)) {
    if (!required.includes(key) && !optional.includes(key)) throw new Malformed(`${path}/${key}`, "is not known here");
  }
  return value;
}

export function text(value: JsonValue | undefined, path: string): string {
  if (typeof value !== "string" || value === "" || value.length > 400 || /\p{C}/u.test(value)) {
    throw new Malformed(path, "a short plain text is expected");
  }
  return value;
}

export function address(value: JsonValue | undefined, path: string): string {
  if (typeof value !== "string" || !ADDRESS.test(value)) throw new Malformed(path, "an address is expected");
  return value.toLowerCase();
}

export function whole(value: JsonValue | undefined, path: string, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw new Malformed(path, `a whole number from ${least} to ${most} is expected`);
  }
  return value;
}

export function one<T extends string>(value: JsonValue | undefined, path: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Malformed(path, `one of ${choices.join(", ")} is expected`);
  return found;
}

export function listOf<T>(
  value: JsonValue | undefined,
  path: string,
  most: number,
  read: (value: JsonValue, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value) || value.length > most) throw new Malformed(path, `a list of at most ${most} is expected`);
  return (value as readonly JsonValue[]).map((item, index) => read(item, `${path}/${index}`));
}
