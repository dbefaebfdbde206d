import type { Finding, JsonObject, Verdict } from "@countersign/core";
import { paint, print, verdictWord } from "./output.ts";
import { printable } from "./printable.ts";

/** One reason as a person reads it. */
export interface Reason {
  readonly code: string;
  readonly at?: string | undefined;
  readonly message?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** Prints a verdict with what it rests on, then a line for each reason. Texts of others are made inert. */
export function printVerdict(verdict: Verdict, about: string, reasons: readonly Reason[]): void {
  print(`${paint(verdictWord(verdict), "bold")}${about === "" ? "" : `  ${printable(about)}`}`, ...reasons.map(line));
}

function line({ code, at, message, expected, actual }: Reason): string {
  const place = at === undefined || at === "" ? "" : ` ${paint(printable(at), "dim")}`;
  const compared = [expected === undefined ? "" : `expected ${expected}`, actual === undefined ? "" : `is ${actual}`];
  const details = compared.filter((part) => part !== "").join("; ");
  return `  ${printable(code)}${place}${message === undefined ? "" : `: ${printable(message)}`}${details === "" ? "" : ` (${printable(details)})`}`;
}

export const reasonOf = ({ code, path, message, expected, actual }: Finding): Reason => ({
  code,
  at: path,
  message,
  expected,
  actual,
});

/** A reason as the firewall's tools give it. */
export const reasonOfTool = ({ code, field, row, message, note, expected }: JsonObject): Reason => ({
  code: String(code),
  at: [row === undefined ? "" : `row ${row}`, field ?? ""].filter((part) => part !== "").join(" "),
  message: note === undefined ? (message as string | undefined) : `${message}; ${note}`,
  expected: expected as string | undefined,
});
