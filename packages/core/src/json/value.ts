import { NumberText } from "./numberText.ts";

/** JSON as data: own members only, `__proto__` a plain key. Numbers are doubles that lost nothing when they were read. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** JSON whose numbers can still be printed as they were written: see `NumberText`. */
export type ExactJson = null | boolean | number | NumberText | string | readonly ExactJson[] | ExactObject;

export interface ExactObject {
  readonly [key: string]: ExactJson;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isExactObject = (value: ExactJson | undefined): value is ExactObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
