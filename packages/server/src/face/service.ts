import { type InputOf, type NativeOperation, type Problem, problemOf, readInput } from "@countersign/api";
import { err, findSecrets, type JsonObject, type JsonValue, type Result } from "@countersign/core";
import { type Caller, LOCAL } from "../caller.ts";
import type { Dialect, Gone } from "./dialect.ts";

type Answered = Promise<Result<JsonObject, Problem>>;

/** One operation and what it does. */
export interface Handler {
  readonly operation: NativeOperation;
  answer(input: JsonValue, caller: Caller, gone: Gone): Answered;
}

/** What a caller without a credential may do here besides asking: see what became of its own ask. */
const ANONYMOUS: ReadonlySet<string> = new Set(["get_hold"]);

/** The credential is looked at before the input: who may not do it learns nothing of how it is done. */
export const handler = <O extends NativeOperation>(
  operation: O,
  run: (input: InputOf<O>, caller: Caller, gone: Gone) => Answered,
): Handler => ({
  operation,
  async answer(input, caller, gone) {
    const { name, needs } = operation;
    if (caller.credential === LOCAL.credential && !ANONYMOUS.has(name)) return err(problemOf("credential.missing"));
    if (needs.length > 0 && !needs.some((scope) => caller.scopes.has(scope))) return err(problemOf("credential.scope"));
    const read = readInput(operation, input);
    if (!read.ok) return read;
    const secret = secretIn(read.value as InputOf<O>);
    return secret === null ? run(read.value as InputOf<O>, caller, gone) : err(secret);
  },
});

/** What people and agents write in their own words, and what stays in the log for good. */
const WORDS = ["reason", "name", "display", "idempotency_key"] as const;

function secretIn(input: unknown): Problem | null {
  const words = input as { readonly [member: string]: unknown };
  const member = WORDS.find((one) => typeof words[one] === "string" && findSecrets(words[one]).length > 0);
  return member === undefined ? null : secretAt(`/${member}`);
}

export const secretAt = (path: string): Problem =>
  problemOf({
    code: "request.invalid",
    path,
    message: "this looks like a secret, and what is written here is kept for good",
  });

/** Operations that go together, served over HTTP as a dialect is. */
export function service(name: string, handlers: readonly Handler[]): Dialect {
  const byName = new Map(handlers.map((one) => [one.operation.name, one]));
  return {
    name,
    tools: handlers.map(({ operation }) => operation),
    numbers: "plain",
    answer: async (tool, input, caller, gone) =>
      byName.get(tool)?.answer(input as JsonValue, caller, gone) ?? err(problemOf("tool.unknown")),
  };
}
