/** JSON as data: own members only, `__proto__` a plain key. Numbers are doubles that lost nothing when they were read. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
