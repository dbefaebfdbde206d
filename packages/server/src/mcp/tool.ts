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

/**
 * `structured` goes out twice, as structured content and as its JSON text. A refusal is text only: a strict client holds
 * structured content to the schema of the answer, also where it is none. `meta` goes beside either.
 */
export type ToolAnswer = ({ readonly structured: JsonObject } | { readonly refused: string }) & {
  readonly meta?: JsonObject;
};

/** One call as our own reader made it of the bytes. The SDK's copy drops members. */
export interface ToolCall {
  readonly input: ExactJson;
  /** What the call's `_meta` has at `x402/payment`. */
  readonly payment: ExactJson | undefined;
}

export interface Tool extends PublishedTool {
  /** Names under which it is answered too, without being listed. */
  readonly aliases: readonly string[];
  /** Validates its input itself, so that bad input gets the dialect's answer. */
  call(call: ToolCall, caller: Caller): Promise<ToolAnswer>;
}

/** A set of tools under one address, `/mcp/<name>`. */
export interface ToolSet {
  readonly name: string;
  /** Who may call: those the server knows, or anybody, where every tool of the set is paid for. */
  readonly callers: "known" | "anybody";
  readonly tools: readonly Tool[];
}
