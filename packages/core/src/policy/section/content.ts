import type { JsonValue } from "../../json/value.ts";
import { type ContentRules, KEEPINGS } from "../effective.ts";
import type { Report } from "../problem.ts";
import { readObject, readOneOf, readSeconds } from "../reader.ts";

/** Ten years, in seconds: what has to be kept longer belongs into an archive. */
export const LONGEST_KEPT = 315_360_000;

/** `content: {keep, for?}` */
export function readContentRules(value: JsonValue, path: string, report: Report): ContentRules | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const keep = object.required("keep", (one, at) => readOneOf(one, at, report, KEEPINGS), KEEPINGS.join(", "));
  const lasts = object.optional("for", (one, at) => readSeconds(one, at, report, LONGEST_KEPT));
  object.close();
  return keep === undefined ? undefined : { keep, for: lasts ?? null };
}
