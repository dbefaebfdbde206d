import type { Readable, Writable } from "node:stream";
import {
  type ExactJson,
  type ExactObject,
  isExactObject,
  isObject,
  type JsonObject,
  jsonLimits,
  NumberText,
  parseJson,
  toPlain,
} from "@countersign/core";
import { CommandError, type Refusal } from "./exit.ts";

const LINE_LIMIT = jsonLimits.bytes;
const FLUSH_AT = 1 << 16;
const LF = 0x0a;

/** What a line gives, or why it gives nothing: the message quotes no value. */
export type LineAnswer = { readonly value: JsonObject } | { readonly error: Refusal };

export interface LineCommand {
  /** The members that are the question. Every other one is passed through, and stands before the answer. */
  readonly asks: readonly string[];
  answer(question: JsonObject): LineAnswer;
}

/** How lines ended: with every one answered, with some that could not be, or with nobody left to read the answers. */
export type LinesEnd = "answered" | "refused" | "unread";

/**
 * One JSON object a line in, one out, in order, in constant memory: reading stops while the reader of our output is
 * slow. A bad line gives `{line, error}` in its place.
 */
export async function transformLines(input: Readable, output: Writable, command: LineCommand): Promise<LinesEnd> {
  try {
    return await answerAll(input, output, command);
  } catch (cause) {
    // Input that was cut off because nobody waits for answers is no failure.
    if (isGone(output)) return "unread";
    throw cause;
  }
}

async function answerAll(input: Readable, output: Writable, command: LineCommand): Promise<LinesEnd> {
  let end: LinesEnd = "answered";
  let number = 0;
  let pending = "";
  for await (const lines of linesOf(input)) {
    for (const line of lines) {
      number += 1;
      const result = answerLine(line, command);
      if (typeof result === "string") pending += `${result}\n`;
      else {
        end = "refused";
        pending += `${JSON.stringify({ line: number, error: { code: result.code, message: messageOf(result) } })}\n`;
      }
      if (pending.length < FLUSH_AT) continue;
      if (!(await written(output, pending))) return "unread";
      pending = "";
    }
    // Whoever sends a line and waits gets its answer.
    if (pending !== "" && !(await written(output, pending))) return "unread";
    pending = "";
  }
  return end;
}

const messageOf = ({ message, path, expected }: Refusal): string =>
  `${path ? `${path}: ` : ""}${message}${expected === undefined ? "" : ` (expected ${expected})`}`;

const isGone = (output: Writable): boolean => output.destroyed || output.writableEnded;

/** Resolves when the output takes more; to false when its reader is gone. */
function written(output: Writable, text: string): Promise<boolean> {
  if (isGone(output)) return Promise.resolve(false);
  if (output.write(text)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (open: boolean) => {
      output.off("drain", drained).off("close", gone).off("error", gone);
      resolve(open);
    };
    const drained = () => settle(true);
    const gone = () => settle(false);
    output.on("drain", drained).on("close", gone).on("error", gone);
  });
}

/** The line to print, or why there is none. */
function answerLine(line: Buffer | null, command: LineCommand): string | Refusal {
  if (line === null) return { code: "line.too_long", message: `a line holds at most ${LINE_LIMIT} bytes` };
  const read = parseJson(line, jsonLimits, "plain");
  if (read.ok) {
    const { value } = read;
    if (!isObject(value)) return NOT_AN_OBJECT;
    const answered = command.answer(only(value, command.asks));
    return "error" in answered
      ? answered.error
      : JSON.stringify({ ...without(value, command.asks), ...answered.value });
  }
  return BEYOND_DOUBLES.has(read.error.code) ? answerExactly(line, command) : read.error;
}

const BEYOND_DOUBLES: ReadonlySet<string> = new Set(["json.number_lossy", "json.number_out_of_range"]);

/** A number beyond a double's reach spoils a question, and none of the members that are only passed through. */
function answerExactly(line: Buffer, { asks, answer }: LineCommand): string | Refusal {
  const read = parseJson(line, jsonLimits, "exact");
  if (!read.ok) return read.error;
  if (!isExactObject(read.value)) return NOT_AN_OBJECT;
  const question = toPlain(only(read.value, asks));
  if (!question.ok) return question.error;
  const answered = answer(question.value as JsonObject);
  return "error" in answered
    ? answered.error
    : exactText({ ...without(read.value, asks), ...(answered.value as ExactObject) });
}

const NOT_AN_OBJECT: Refusal = { code: "line.not_an_object", message: "a line has to be a JSON object" };

const only = <T>(object: { readonly [name: string]: T }, names: readonly string[]): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));

const without = <T>(object: { readonly [name: string]: T }, names: readonly string[]): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** JSON with every number as it was written. */
function exactText(value: ExactJson): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactText).join(",")}]`;
  const members = Object.entries(value as ExactObject);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(",")}}`;
}

/** Complete lines of each chunk; null stands for one that is too long. What follows the last line feed is a line, unless empty. */
async function* linesOf(input: Readable): AsyncGenerator<readonly (Buffer | null)[]> {
  let rest: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): void => {
    size += piece.length;
    if (size > LINE_LIMIT) rest = [];
    else rest.push(piece);
  };
  const finish = (): Buffer | null => {
    const line = size > LINE_LIMIT ? null : rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest);
    rest = [];
    size = 0;
    return line;
  };
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      const lines: (Buffer | null)[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        take(chunk.subarray(from, at));
        lines.push(finish());
        from = at + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
      if (lines.length > 0) yield lines;
    }
  } catch {
    throw new CommandError("input.unreadable", "the input cannot be read", { at: "stdin" });
  }
  if (size > 0) yield [finish()];
}
