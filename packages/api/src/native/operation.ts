import { err, type JsonObject, type JsonValue, type KeyScope, ok, type Result } from "@countersign/core";
import * as z from "zod/mini";
import type { DialectTool } from "../dialect/tool.ts";
import { invalid, type Problem } from "../problem.ts";
import { described, name, text } from "./schema.ts";
import { jsonSchemaOf } from "./tools.ts";
import { zodFaults } from "./zodFaults.ts";

/** One operation of the native interface that is served over HTTP. Path, query and body together are one input. */
export interface NativeOperation<I extends z.core.$ZodType = z.core.$ZodType> extends DialectTool {
  readonly input: I;
  /** A credential with one of these may; any credential where there are none. */
  readonly needs: readonly KeyScope[];
}

/** What a handler of the operation is given. */
export type InputOf<O> = O extends NativeOperation<infer I> ? z.infer<I> : never;

export interface OperationText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needs: readonly KeyScope[];
  readonly changes: "nothing" | "the log";
}

type Method = DialectTool["http"]["method"];

export function operation<I extends z.core.$ZodType>(
  { name, title, description, needs, changes }: OperationText,
  [method, path]: readonly [Method, string],
  input: I,
  output: z.core.$ZodType,
): NativeOperation<I> {
  const scopes = needs.map((scope) => `\`${scope}\``).join(" or ");
  return {
    name,
    title,
    description: needs.length === 0 ? description : `${description} Needs a credential with ${scopes}.`,
    annotations: {
      title,
      readOnlyHint: changes === "nothing",
      destructiveHint: method === "DELETE",
      idempotentHint: changes === "nothing",
      openWorldHint: false,
    },
    inputSchema: jsonSchemaOf(input),
    outputSchema: jsonSchemaOf(output),
    aliases: [],
    http: { method, path },
    input,
    needs,
  };
}

/** Reads the input of an operation. Fails with `request.invalid` and everything that is wrong. */
export function readInput<I extends z.core.$ZodType>(
  { input }: NativeOperation<I>,
  value: JsonValue,
): Result<z.infer<I>, Problem> {
  const parsed = z.safeParse(input, value);
  return parsed.success ? ok(parsed.data as z.infer<I>) : err(invalid(zodFaults(input, value, parsed.error)));
}

/** `hold_` and a UUID. */
export const idOf = (prefix: string) =>
  z.string().check(z.regex(new RegExp(`^${prefix}_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)));

export const time = described(z.string(), "RFC 3339, UTC.");
export const maybeTime = z.nullable(time);

export const reason = described(name(2000), "For whoever reads the log later. One line.");

/** What every list takes. */
export const paging = {
  after: z.optional(described(text(512), "`next` of the page before.")),
  limit: z.optional(
    described(z.int().check(z.minimum(1), z.maximum(200)), "At most so many; 50 unless told otherwise."),
  ),
};

export const PAGE = 50;

export const pageOf = (item: z.core.$ZodType) =>
  z.strictObject({
    items: z.array(item),
    next: described(z.nullable(z.string()), "Where the next page starts; null when there is none."),
  });

/** One page as it goes over the wire. */
export const writePage = <T>(
  { items, next }: { readonly items: readonly T[]; readonly next: string | null },
  write: (item: T) => JsonObject,
): JsonObject => ({ items: items.map(write), next });
