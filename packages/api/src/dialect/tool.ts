import type { JsonObject } from "@countersign/core";

/** What a client may assume of a tool (MCP). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool of a dialect as it is published. Schemas are the contract's, with descriptions of our own. */
export interface DialectTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** Names under which it is answered too, without being listed. */
  readonly aliases: readonly string[];
  /** Where it is served over HTTP. */
  readonly http: { readonly method: "GET" | "POST" | "PUT" | "DELETE"; readonly path: string };
}

/** Of a tool that judges what it is given and changes nothing anywhere. */
export const judgesOnly = (title: string): ToolAnnotations => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});
