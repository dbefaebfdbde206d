import { isObject, type JsonObject, type JsonValue, suggest } from "@countersign/core";
import { CommandError } from "../exit.ts";

/** An object with no other members than these: a mistyped member would be a rule that does not bite. */
export function closed(value: JsonValue, members: readonly string[], name: string): JsonObject {
  const expected = `an object with ${members.join(", ")}`;
  if (!isObject(value)) throw new CommandError("input.malformed", "this is not a JSON object", { at: name, expected });
  for (const key of Object.keys(value)) {
    if (members.includes(key)) continue;
    const meant = suggest(key, members);
    throw new CommandError(
      "input.unknown_key",
      meant === undefined ? "this key is not known" : `this key is not known; did you mean ${meant}?`,
      { at: name, path: `/${key.slice(0, 64)}`, expected },
    );
  }
  return value;
}
