import { err, ok, type Result } from "../result.ts";
import type { JsonError } from "./jsonError.ts";
import { isLossy, NumberText } from "./numberText.ts";
import { pointerOf } from "./pointer.ts";
import type { ExactJson, JsonValue } from "./value.ts";

/**
 * A value that was read in the mode "exact" as the mode "plain" would have read it: numbers are doubles, and one that a
 * double would change is refused.
 */
export function toPlain(value: ExactJson): Result<JsonValue, JsonError> {
  const path: string[] = [];
  const plain = (part: ExactJson): JsonValue => {
    if (typeof part !== "object" || part === null) return part;
    if (part instanceof NumberText) {
      const double = Number(part.text);
      if (isLossy(part.text, double)) throw new Lossy(pointerOf(path));
      return double;
    }
    if (Array.isArray(part)) {
      return part.map((item: ExactJson, index) => below(String(index), item));
    }
    const copy: Record<string, JsonValue> = {};
    for (const [key, member] of Object.entries(part)) {
      Object.defineProperty(copy, key, {
        value: below(key, member),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return copy;
  };
  const below = (step: string, part: ExactJson): JsonValue => {
    path.push(step);
    const made = plain(part);
    path.pop();
    return made;
  };
  try {
    return ok(plain(value));
  } catch (cause) {
    if (!(cause instanceof Lossy)) throw cause;
    return err({
      code: "json.number_lossy",
      message: "a number says more than a double holds",
      path: cause.path,
      expected: "a number that a double holds, or a string",
    });
  }
}

class Lossy extends Error {
  readonly path: string;
  constructor(path: string) {
    super("lossy");
    this.path = path;
  }
}
