import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../../bin/countersign.js", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/program/countersign.cjs", import.meta.url));
if (!existsSync(PROGRAM)) throw new Error("the program is not built: npm run build");

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a stranger: nothing of ours but the way to programs. */
export const ENVIRONMENT = { PATH: process.env["PATH"], HOME: "/nonexistent", LANG: "C.UTF-8" };

/** Runs the built program to its end. */
export function countersign(args: readonly string[], input: string | Uint8Array = "", cwd?: string): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    input,
    env: ENVIRONMENT,
    maxBuffer: 1 << 28,
    ...(cwd === undefined ? {} : { cwd }),
  });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Starts the built program, for tests that talk to it while it runs. */
export const start = (args: readonly string[], cwd?: string) =>
  spawn(process.execPath, [BIN, ...args], { env: ENVIRONMENT, ...(cwd === undefined ? {} : { cwd }) });

/** A failure is one line on stderr, without a stack trace, and status 3. */
export const isOneLine = (text: string): boolean => /^countersign: [^\n]+\n$/.test(text) && !/\n\s+at /.test(text);
