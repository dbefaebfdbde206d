import { type Instant, instantFromMillis, parseInstant } from "@countersign/core";
import { CommandError } from "./exit.ts";

/** The time of a `--now`, else the clock's. */
export function timeOf(now: string | undefined): Instant {
  if (now === undefined) return instantFromMillis(Date.now());
  const read = parseInstant(now);
  if (read.ok) return read.value;
  throw new CommandError(read.error.code, read.error.message, {
    at: "--now",
    expected: "RFC 3339, such as 2027-01-31T12:00:00Z",
  });
}
