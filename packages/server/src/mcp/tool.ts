import type { ExactJson, JsonObject } from "@countersign/core";
import type { Caller } from "../caller.ts";

/** A tool as it is published: `tools/list` shows these members and no others. */
export interface PublishedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: JsonObject;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** `structured` goes out twice, as structured content and as its JSON text; a refusal is text only. */
export type ToolAnswer = { readonly structured: JsonObject } | { readonly refused: string };

export interface Tool extends PublishedTool {
  /** Names under which it is answered too, without being listed. */
  readonly aliases: readonly string[];
  /** Gets what our own reader made of the bytes. Validates it itself, so that bad input gets the dialect's answer. */
  call(input: ExactJson, caller: Caller): Promise<ToolAnswer>;
}

/** A set of tools under one address, `/mcp/<name>`. */
export interface ToolSet {
  readonly name: string;
  readonly tools: readonly Tool[];
}
