/**
 * The one door to a node. A transport never rejects: what a node refuses and what never came back are both answers,
 * and the caller must look at which one it has.
 */
export interface RpcTransport {
  request(method: string, params: readonly unknown[]): Promise<RpcReply>;
}

export type RpcReply =
  | { readonly kind: "result"; readonly value: unknown }
  /** The node understood and said no: a JSON-RPC error object. Its text is the node's, or an attacker's. */
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly data?: string }
  /** No usable answer. */
  | { readonly kind: "fault"; readonly fault: RpcFault };

export type RpcFault = "timeout" | "unreachable" | "too_large" | "malformed" | "rate_limited" | "disagreement";

const RATE_LIMITED = -32005;

/** Reads a JSON-RPC error object that came from outside; anything else is a malformed answer. */
export function readRpcError(error: unknown): RpcReply {
  if (typeof error !== "object" || error === null) return { kind: "fault", fault: "malformed" };
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code !== "number") return { kind: "fault", fault: "malformed" };
  if (code === 429 || code === RATE_LIMITED) return { kind: "fault", fault: "rate_limited" };
  const text = typeof message === "string" ? message.slice(0, 400) : "";
  return typeof data === "string"
    ? { kind: "error", code, message: text, data }
    : { kind: "error", code, message: text };
}
