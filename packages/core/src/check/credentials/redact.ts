import { excessOf } from "../../json/measure.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { withCopies } from "./copies.ts";
import { findSecrets } from "./findSecrets.ts";
import { memberKind, type Role, roleOf, SEARCHED } from "./memberKind.ts";

/** Taking one secret out can leave another where none was seen before; each round leaves less to find. */
const MAX_ROUNDS = 4;

const mark = (kind: string): string => `[redacted ${kind}]`;

/**
 * The text with `[redacted kind]` in the place of each secret, and of each copy of it where it is not seen as one.
 * `findSecrets` finds nothing in what comes back.
 */
export function redact(text: string): string {
  let clean = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = findSecrets(clean);
    if (found.length === 0) return clean;
    const places = withCopies(clean, found);
    if (places === undefined) return mark("text");
    let done = 0;
    const parts: string[] = [];
    for (const { kind, start, end } of places) {
      parts.push(clean.slice(done, start), mark(kind));
      done = end;
    }
    clean = parts.join("") + clean.slice(done);
  }
  return findSecrets(clean).length === 0 ? clean : mark("text");
}

/**
 * The value with every secret that `findSecretsIn` would name taken out, names of members included. A value too large
 * to be searched is redacted whole.
 */
export function redactIn(value: JsonValue): JsonValue {
  return excessOf(value, SEARCHED) === undefined ? clean(value, undefined) : mark("unsearched");
}

function clean(value: JsonValue, role: Role): JsonValue {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => clean(item, undefined));
  const object = value as JsonObject;
  const members = new Map<string, JsonValue>();
  for (const [name, member] of Object.entries(object)) {
    const inside = clean(member, roleOf(object, name));
    const kind = inside === member || typeof member !== "string" ? memberKind(object, name, role) : undefined;
    members.set(freeName(members, redact(name)), kind === undefined ? inside : mark(kind));
  }
  return Object.fromEntries(members);
}

/** Two secret names can come out alike, and neither member may vanish. */
function freeName(taken: ReadonlyMap<string, JsonValue>, name: string): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}~${count}`;
  return free;
}
