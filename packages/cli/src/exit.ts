import type { Verdict } from "@countersign/core";
import { inertJson, printable } from "./printable.ts";

/** Exit status of every deciding command; `hook` has its own. */
export const STATUS = { allow: 0, block: 1, review: 2, error: 3 } as const satisfies Record<Verdict | "error", number>;

/** Whoever read the output left before its end: what a shell shows of a program that a closed pipe ended (128 + SIGPIPE). */
export const UNREAD = 141;

/** What an error value of any part says of itself. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly path?: string | undefined;
  readonly offset?: number | undefined;
  readonly expected?: string | undefined;
}

/** Where something is wrong, and what would be right. */
export interface Place {
  /** Which input: a file, stdin, an option. */
  readonly at?: string | undefined;
  /** Where in it: a JSON Pointer, or a line of YAML; "" is all of it. */
  readonly path?: string | undefined;
  readonly offset?: number | undefined;
  readonly expected?: string | undefined;
}

/** Ends a command with an error on stderr, one line or one JSON object, and status 3. */
export class CommandError extends Error {
  readonly code: string;
  readonly place: Place;

  constructor(code: string, message: string, place: Place = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }

  /** For people. */
  line(): string {
    const { at, path, offset, expected } = this.place;
    const within = path ? path : offset === undefined ? "" : `byte ${offset}`;
    const place = [at ?? "", within].filter((part) => part !== "").join(", ");
    return `countersign: ${this.code}${place === "" ? "" : ` at ${printable(place)}`}: ${printable(this.message)}${
      expected === undefined ? "" : ` (expected: ${printable(expected)})`
    }`;
  }

  /** For programs: one JSON object, in which every text went through `clean`. */
  json(clean: (text: string) => string): string {
    const { at, path, offset, expected } = this.place;
    const texts = { code: this.code, at, path, message: this.message, expected };
    const cleaned = Object.entries(texts).map(([name, text]) => [name, text === undefined ? undefined : clean(text)]);
    return inertJson({ ...Object.fromEntries(cleaned), offset });
  }
}

/** An error value about a file, as the end of a command. `more` counts what else is wrong with it. */
export function refuse({ code, message, ...place }: Refusal, file: string, more = 0): never {
  throw new CommandError(code, more === 0 ? message : `${message}; and ${more} more`, {
    at: file,
    path: place.path,
    offset: place.offset,
    expected: place.expected,
  });
}
