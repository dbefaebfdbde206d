import { isObject, type JsonValue } from "../json/value.ts";
import { err, ok, type Result } from "../result.ts";

/** Text, and places that take a value by JSON Pointer. */
export type TemplatePart = string | { readonly pointer: readonly string[] };

/** `api://repo/{/owner}/{/name}` in parts; null for braces that hold no pointer. */
export function parseTemplate(text: string): readonly TemplatePart[] | null {
  const parts: TemplatePart[] = [];
  for (const [index, piece] of text.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      if (/[{}]/.test(piece)) return null;
      if (piece !== "") parts.push(piece);
    } else {
      if (!piece.startsWith("/") || /~(?![01])/.test(piece)) return null;
      const steps = piece.slice(1).split("/");
      parts.push({ pointer: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")) });
    }
  }
  return parts.length === 0 ? null : parts;
}

export interface MappingError {
  readonly code: "mapping.missing" | "mapping.refused";
  readonly message: string;
}

/**
 * A template filled with values of the arguments. In an `address` each value is percent-encoded, so that it stays one
 * segment; as `text` it stands as it is. An absent value, one that is no text, number or flag, an empty one, and in an
 * address a dot segment are refused.
 */
export function fillTemplate(
  template: readonly TemplatePart[],
  args: JsonValue,
  as: "address" | "text",
): Result<string, MappingError> {
  let text = "";
  for (const part of template) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = at(args, part.pointer);
    if (value === undefined || value === null || typeof value === "object")
      return err({ code: "mapping.missing", message: "the arguments have no value where the mapping takes one" });
    const written = String(value);
    if (written === "" || (as === "address" && /^[.]{1,2}$/.test(written.trim())))
      return err({ code: "mapping.refused", message: "a value of the arguments cannot be part of a target" });
    text += as === "address" ? encodeURIComponent(wellFormed(written)) : written;
  }
  return ok(text);
}

/** A lone surrogate has no bytes to encode. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

function at(args: JsonValue, pointer: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const step of pointer) {
    if (Array.isArray(value))
      value = /^(?:0|[1-9]\d{0,8})$/.test(step) ? (value[Number(step)] as JsonValue) : undefined;
    else if (value !== undefined && isObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined;
    else return undefined;
  }
  return value;
}
