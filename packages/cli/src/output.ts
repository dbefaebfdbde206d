import { fstatSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Verdict } from "@countersign/core";
import { CommandError } from "./exit.ts";

let closed = false;

/** Whether whoever read our output is gone (`head` that has seen enough). That is no failure worth a message. */
export const outputClosed = (): boolean => closed;

/** Prints lines on stdout; nothing once its reader is gone. */
export const print = (...lines: readonly string[]): void => write(lines.map((line) => `${line}\n`).join(""));

export const printJson = (value: unknown): void => print(JSON.stringify(value));

/** Past Node's stream of stdout, which takes longer to load than a decision to make. */
export function write(text: string): void {
  let rest = Buffer.from(text, "utf8");
  while (rest.length > 0 && !closed) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "EPIPE") closed = true;
      // A pipe that is full and set not to wait: the stream waits.
      else if (code === "EAGAIN") return void stdout().write(rest);
      else
        throw new CommandError("output.failed", "the output cannot be written", {
          at: "stdout",
          expected: "room on the device",
        });
    }
  }
}

/** Stdout as a stream, for output that waits for its reader. */
export function stdout(): Writable {
  if (process.stdout.listenerCount("error") === 0) {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      closed = true;
      process.stdin.destroy();
    });
  }
  return process.stdout;
}

/** Whether a person looks at stdout. Files, pipes and /dev/null show that they are none before terminals are loaded. */
export function isTerminal(): boolean {
  const output = fstatSync(1);
  if (!output.isCharacterDevice()) return false;
  const nothing = statSync("/dev/null", { throwIfNoEntry: false });
  return output.rdev !== nothing?.rdev && process.stdout.isTTY === true;
}

const COLOURS = { allow: 32, review: 33, block: 31, dim: 2, bold: 1 } as const;

let coloured: boolean | undefined;

/** Colour only where a person looks, and not where that person asked for none (no-color.org). */
export function paint(text: string, colour: keyof typeof COLOURS): string {
  coloured ??= isTerminal() && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  return coloured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
}

export const verdictWord = (verdict: Verdict): string => paint(verdict, verdict);
