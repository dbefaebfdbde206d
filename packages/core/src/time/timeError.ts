import { err } from "../result.ts";

export type TimeErrorCode =
  | "time.malformed"
  | "time.offset_missing"
  | "time.impossible"
  | "time.out_of_range"
  | "duration.malformed"
  | "duration.calendar_unit"
  | "duration.too_long"
  | "zone.unknown";

/** Why a text is no time, duration or zone. Quotes nothing of what was read. */
export interface TimeError {
  readonly code: TimeErrorCode;
  readonly message: string;
  readonly expected: string;
}

export const refused = (code: TimeErrorCode, message: string, expected: string) => err({ code, message, expected });
