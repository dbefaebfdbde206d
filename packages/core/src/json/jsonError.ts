import { pointerOf } from "./pointer.ts";

/** Why a text or a value is not the JSON this gate reads. Codes are public: added, never changed. */
export type JsonErrorCode =
  | "json.too_large"
  | "json.bom"
  | "json.not_utf8"
  | "json.syntax"
  | "json.too_deep"
  | "json.duplicate_member"
  | "json.lone_surrogate"
  | "json.number_lossy"
  | "json.number_out_of_range"
  | "json.not_a_value";

export interface JsonError {
  readonly code: JsonErrorCode;
  /** One lower-case sentence. Quotes nothing of the input. */
  readonly message: string;
  /** JSON Pointer to the member or item at fault, "" for the whole; absent where it is not known or absurdly long. */
  readonly path?: string;
  /** In bytes of the UTF-8 text; absent when no text was read. */
  readonly offset?: number;
  readonly expected?: string;
}

/** A pointer longer than this is left out: keys are the sender's, and an answer does not repeat a megabyte of them. */
const longestPath = 1024;

/** The pointer of the steps, outermost first; undefined when it is too long to repeat. */
export function jsonPointer(steps: readonly (string | number)[]): string | undefined {
  const pointer = pointerOf(steps);
  return pointer.length > longestPath ? undefined : pointer;
}
