import { type Problem, readDecision, withIdempotencyKey } from "@countersign/api";
import type { Ask, JsonValue } from "@countersign/core";
import { refuse } from "./exit.ts";

/** The ask of a file, from the agent `local` unless it names another. */
export function askOf(body: JsonValue, name: string): Ask {
  const read = readDecision(withIdempotencyKey(body, "command-line"));
  if (!read.ok) return refuseProblem(read.error, name);
  const { action, material, agent, session } = read.value;
  return {
    asker: { tenant: "local", agent: agent ?? "local", teams: [] },
    ...(action === undefined ? {} : { action }),
    ...(material === undefined ? {} : { material }),
    ...(session === undefined ? {} : { session }),
  };
}

/** A problem as the end of a command. */
export const refuseProblem = ({ code, detail, path, expected, errors }: Problem, name: string): never =>
  refuse({ code, message: detail, path, expected }, name, (errors?.length ?? 1) - 1);
