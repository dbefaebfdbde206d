import type { Readable, Writable } from "node:stream";
import { problemOf, problemText } from "@countersign/api";
import { parseJson, toDoubles } from "@countersign/core";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../caller.ts";
import { callIn, INVALID_REQUEST, idOf, PARSE_ERROR, refusalText, refuseMessage } from "./message.ts";
import { createProtocol, type Implementation } from "./protocol.ts";
import type { Tool, ToolCall } from "./tool.ts";

const LINE_LIMIT = 1 << 20;
const DEPTH_LIMIT = 128;
const LF = 0x0a;

/**
 * MCP over a pair of streams, one message a line, read by our own strict reader. A line that is too long is skipped up
 * to its end and answered; the next one is served. Resolves when the input has ended and everything is answered.
 */
export function serveMcpStdio(
  info: Implementation,
  tools: readonly Tool[],
  caller: Caller,
  input: Readable,
  output: Writable,
): Promise<void> {
  const open: Open = new Map();
  return new Promise((resolve) => {
    const transport = new LineTransport(input, output, open, resolve);
    serveStdio(() => createProtocol(info, tools, (id) => ({ caller, call: open.get(id) ?? undefined })), { transport });
  });
}

/** Requests that have no answer yet, by id; null for those that call no tool. */
type Open = Map<string | number, ToolCall | null>;

class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #open: Open;
  readonly #done: () => void;
  #rest: Buffer[] = [];
  #size = 0;
  #skipping = false;
  #ended = false;

  constructor(input: Readable, output: Writable, open: Open, done: () => void) {
    this.#input = input;
    this.#output = output;
    this.#open = open;
    this.#done = done;
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#input.on("end", () => this.#end());
    this.#input.on("error", () => this.#end());
    this.#output.on("error", () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "id" in message ? message.id : undefined;
    const answers = !("method" in message);
    await this.#write(JSON.stringify(message));
    if (answers && id !== undefined) this.#open.delete(id);
    if (this.#ended && this.#open.size === 0) await this.close();
  }

  async close(): Promise<void> {
    this.#input.removeAllListeners("data");
    this.onclose?.();
    this.#done();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#size > 0 && !this.#skipping) this.#line(Buffer.concat(this.#rest));
    if (this.#open.size === 0) void this.close();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      this.#take(chunk.subarray(from, at));
      if (this.#skipping)
        void this.#write(refusalText({ id: null, code: INVALID_REQUEST, message: "a line holds at most 1 MiB" }));
      else if (this.#size > 0) this.#line(Buffer.concat(this.#rest));
      this.#rest = [];
      this.#size = 0;
      this.#skipping = false;
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
  }

  #take(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > LINE_LIMIT) {
      this.#skipping = true;
      this.#rest = [];
    } else if (!this.#skipping && piece.length > 0) this.#rest.push(piece);
  }

  #line(line: Buffer): void {
    if (line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return;
    const read = parseJson(line, { bytes: LINE_LIMIT, depth: DEPTH_LIMIT }, "exact");
    if (!read.ok) {
      void this.#write(refusalText({ id: null, code: PARSE_ERROR, message: problemText(problemOf(read.error)) }));
      return;
    }
    const refusal = refuseMessage(read.value);
    if (refusal !== null) return void this.#write(refusalText(refusal));
    const id = idOf(read.value);
    if (id !== null && this.#open.has(id)) {
      return void this.#write(
        refusalText({ id, code: INVALID_REQUEST, message: "a request with this id is still open" }),
      );
    }
    // Requests wait here for their answer: the arguments are judged from this value, never from the SDK's copy.
    if (id !== null && Object.hasOwn(read.value as object, "method")) this.#open.set(id, callIn(read.value) ?? null);
    this.onmessage?.(toDoubles(read.value) as unknown as JSONRPCMessage);
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${text}\n`)) resolve();
      else this.#output.once("drain", resolve);
    });
  }
}
