import type { Verdict } from "@countersign/core";
import { printable } from "./printable.ts";

/** Exit status of every deciding command; `hook` has its own. */
export const STATUS = { allow: 0, block: 1, review: 2, error: 3 } as const satisfies Record<Verdict | "error", number>;

/** What an error value of any part says of itself. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly path?: string | undefined;
  readonly offset?: number | undefined;
  readonly expected?: string | undefined;
}

/** Ends a command with one line on stderr and status 3. */
export class CommandError extends Error {
  readonly code: string;
  readonly at: string | undefined;
  readonly expected: string | undefined;

  constructor(
    code: string,
    message: string,
    detail: { readonly at?: string | undefined; readonly expected?: string | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.at = detail.at;
    this.expected = detail.expected;
  }

  line(): string {
    const at = this.at === undefined || this.at === "" ? "" : ` at ${printable(this.at)}`;
    const expected = this.expected === undefined ? "" : ` (expected: ${printable(this.expected)})`;
    return `countersign: ${this.code}${at}: ${printable(this.message)}${expected}`;
  }
}

/** An error value about a file, as the end of a command. `more` counts what else is wrong with it. */
export function refuse(refusal: Refusal, file: string, more = 0): never {
  const place =
    refusal.path !== undefined && refusal.path !== ""
      ? `, ${refusal.path}`
      : refusal.offset === undefined
        ? ""
        : `, byte ${refusal.offset}`;
  const message = more === 0 ? refusal.message : `${refusal.message}; and ${more} more`;
  throw new CommandError(refusal.code, message, { at: `${file}${place}`, expected: refusal.expected });
}
