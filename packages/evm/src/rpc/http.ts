import { HttpRequestError, http, ResponseBodyTooLargeError, TimeoutError } from "viem";
import { type RpcReply, type RpcTransport, readRpcError } from "./transport.ts";

export interface HttpOptions {
  /** How requests leave the process: the gate's egress, or the platform's `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds for one HTTP exchange, body included. */
  readonly timeoutMs: number;
  /** Bytes of one HTTP answer; a batch is one answer. */
  readonly maxBytes: number;
  /** Requests of one tick that may share an HTTP exchange; 1 sends each alone. */
  readonly batch: number;
}

export const HTTP_DEFAULTS = { timeoutMs: 5_000, maxBytes: 8 * 1024 * 1024, batch: 50 } as const;

/** JSON-RPC over HTTP through viem. Never retries and never follows a redirect; the address appears in no answer. */
export function httpTransport(url: string, options: HttpOptions): RpcTransport {
  const { request } = http(url, {
    raw: true,
    retryCount: 0,
    timeout: options.timeoutMs,
    maxResponseBodySize: options.maxBytes,
    batch: options.batch > 1 ? { wait: 0, batchSize: options.batch } : false,
    fetchFn: (input, init) => options.fetch(input, init),
    fetchOptions: { redirect: "error" },
  })({ retryCount: 0 });
  return {
    async request(method, params) {
      try {
        const answer: unknown = await request({ method, params: [...params] } as never);
        if (typeof answer !== "object" || answer === null) return { kind: "fault", fault: "malformed" };
        const { error, result } = answer as { error?: unknown; result?: unknown };
        if (error !== undefined) return readRpcError(error);
        return result === undefined ? { kind: "fault", fault: "malformed" } : { kind: "result", value: result };
      } catch (thrown) {
        return faultOf(thrown);
      }
    },
  };
}

function faultOf(thrown: unknown): RpcReply {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof TimeoutError) return { kind: "fault", fault: "timeout" };
    if (error instanceof ResponseBodyTooLargeError) return { kind: "fault", fault: "too_large" };
    if (error instanceof HttpRequestError && error.status === 429) return { kind: "fault", fault: "rate_limited" };
    if (error instanceof SyntaxError) return { kind: "fault", fault: "malformed" };
  }
  return { kind: "fault", fault: "unreachable" };
}
