import type { JsonObject } from "@countersign/core";

/** One route as the reference tells of it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  /** Members that the address names are part of it; a GET has the others in its query, and the rest in their body. */
  readonly input: JsonObject | null;
  readonly output: JsonObject;
  /** What the answer is sent as; JSON where nothing is said. */
  readonly media?: "text/event-stream";
  /** Whether it has a price, and needs no credential then. */
  readonly sold: boolean;
}
