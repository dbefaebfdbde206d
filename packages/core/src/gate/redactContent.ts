import { redactIn } from "../check/credentials/redact.ts";
import { canonicalize } from "../json/canonical.ts";
import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { withoutPersonal } from "../text/personal.ts";

export interface RedactedContent {
  readonly fields: JsonObject;
  /** Names of the fields of which something is gone. What opens the record's commitment to one of them must go too. */
  readonly changed: ReadonlySet<string>;
}

/** A parameter longer than this, or of more than one line, is words and no setting. */
const LONGEST_SETTING = 128;

/**
 * What is kept of an ask where content is redacted. Words go as a whole, and only their length stays: the texts, the
 * justification, the data, long parameters. What is left has no secrets, and nothing that names a person by its form.
 */
export function redactContent(fields: JsonObject): RedactedContent {
  const changed = new Set<string>();
  const redacted: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const left = named(redactIn(withoutWords(name, value)), withoutPersonal);
    if (canonicalize(left) !== canonicalize(value)) changed.add(name);
    redacted.push([name, left]);
  }
  return { fields: Object.fromEntries(redacted), changed };
}

const gone = (what: string, length: number): string => `[redacted ${what}, ${length} characters]`;
const goneText = (text: string): string => gone("text", text.length);
const setting = (text: string): string =>
  text.length > LONGEST_SETTING || /[\n\r\u2028\u2029]/.test(text) ? goneText(text) : text;

function withoutWords(field: string, value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  if (field === "action") {
    const { justification, parameters, ...rest } = value;
    return {
      ...rest,
      ...(parameters === undefined ? {} : { parameters: named(parameters, setting) }),
      ...(justification === undefined ? {} : { justification: goneText(String(justification)) }),
    };
  }
  if (field !== "material") return value;
  const { texts, data, ...rest } = value;
  return {
    ...rest,
    ...(Array.isArray(texts) ? { texts: texts.map((one) => withoutText(one)) } : {}),
    ...(data === undefined ? {} : { data: gone("data", JSON.stringify(data).length) }),
  };
}

const withoutText = (one: JsonValue): JsonValue =>
  isObject(one) ? { ...one, text: goneText(String(one["text"])) } : one;

/** Every string of a value, names of members among them, as `to` makes it. Names that come out alike are told apart. */
function named(value: JsonValue, to: (text: string) => string): JsonValue {
  if (typeof value === "string") return to(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => named(item, to));
  const members = new Map<string, JsonValue>();
  for (const [name, member] of Object.entries(value)) {
    const written = to(name);
    let free = written;
    for (let count = 2; members.has(free); count += 1) free = `${written}~${count}`;
    members.set(free, named(member, to));
  }
  return Object.fromEntries(members);
}
