import type { JsonObject } from "@countersign/core";

/** One route as the reference tells of it. */
export interface Operation {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject | null;
  readonly output: JsonObject;
}
