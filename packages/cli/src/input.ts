import { closeSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { type ExactJson, type JsonValue, jsonLimits, type NumberMode, parseJson } from "@countersign/core";
import { CommandError, refuse } from "./exit.ts";

export const INPUT_LIMIT = jsonLimits.bytes;

/** How messages name an input. */
export const nameOf = (file: string | undefined): string => (file === undefined || file === "-" ? "stdin" : file);

/** The bytes of a file, or of stdin for `-` and for no file. */
export async function readInput(file: string | undefined, limit = INPUT_LIMIT): Promise<Buffer> {
  const name = nameOf(file);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === undefined || file === "-" ? stdin() : fileChunks(file)) {
      size += chunk.length;
      if (size > limit)
        throw new CommandError("input.too_large", "the input is too large", {
          at: name,
          expected: `at most ${limit} bytes`,
        });
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const message = UNREADABLE[(cause as NodeJS.ErrnoException).code ?? ""] ?? "the input cannot be read";
    throw new CommandError("input.unreadable", message, { at: name });
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Without Node's streams, which take longer to load than a file takes to read. */
function* fileChunks(file: string): Generator<Buffer> {
  const descriptor = openSync(file, "r");
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(1 << 16);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "this is a folder, not a file",
  EACCES: "the file may not be read",
  EPERM: "the file may not be read",
};

/** Says what it waits for where a person would otherwise look at a cursor. */
export function stdin(): Readable & AsyncIterable<Buffer> {
  if (process.stdin.isTTY) process.stderr.write("reading from the terminal; end with Ctrl-D\n");
  return process.stdin;
}

/** The text of an argument, or of stdin for `-` and without one. */
export async function readText(argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-") return argument;
  const bytes = await readInput(undefined);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError("input.not_utf8", "the input is not text", { at: "stdin", expected: "UTF-8" });
  }
}

/** Strict JSON from a file or stdin; what is wrong with it ends the command. */
export async function readJson(file: string | undefined, numbers: "plain" | "rounded"): Promise<JsonValue>;
export async function readJson(file: string | undefined, numbers: NumberMode): Promise<ExactJson>;
export async function readJson(file: string | undefined, numbers: NumberMode): Promise<ExactJson> {
  const bytes = await readInput(file);
  if (bytes.length === 0) throw nothingIn(nameOf(file), "JSON");
  const read = parseJson(bytes, jsonLimits, numbers);
  return read.ok ? read.value : refuse(read.error, nameOf(file));
}

/** Whoever pipes into a command and sends nothing has lost what it was about: that is told apart from what is malformed. */
export const nothingIn = (name: string, expected: string): CommandError =>
  new CommandError("input.empty", "there is nothing in the input", { at: name, expected });
