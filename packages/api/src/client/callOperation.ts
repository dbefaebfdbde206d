import type { JsonObject, JsonValue, Result } from "@countersign/core";
import type { DialectTool } from "../dialect/tool.ts";
import type { RemoteError, Transport } from "./transport.ts";

/** Puts an input where the operation has it: in the address, the query of a GET, or the body. */
export function callOperation(
  send: Transport,
  { http, annotations }: Pick<DialectTool, "http" | "annotations">,
  input: { readonly [name: string]: unknown },
): Promise<Result<JsonObject, RemoteError>> {
  const named = new Set([...http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string));
  const path = http.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name, value]) => !named.has(name) && value !== undefined);
  if (http.method === "GET") return send("GET", path + queryOf(rest));
  // A key of the caller's own, or the token of a hold, makes it one act however often it arrives.
  const keyed = rest.some(([name]) => name === "idempotency_key" || name === "token");
  const repeat = annotations.readOnlyHint || annotations.idempotentHint || keyed ? "safe" : "unsafe";
  const body = rest.length === 0 ? undefined : (Object.fromEntries(rest) as JsonValue);
  return send(http.method, path, body, repeat);
}

function queryOf(members: readonly (readonly [string, unknown])[]): string {
  const pairs = members.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as [string, string]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
