import { createHash } from "node:crypto";
import type { RpcReply, RpcTransport } from "./transport.ts";

/** Replies by the digest of method and parameters, in the order they came. Plain JSON. */
export interface Tape {
  readonly version: 1;
  readonly replies: Readonly<Record<string, readonly RpcReply[]>>;
}

export const tapeKey = (method: string, params: readonly unknown[]): string =>
  createHash("sha256")
    .update(JSON.stringify([method, params]))
    .digest("hex");

/** Passes requests on and remembers the replies, faults too. */
export function recordTransport(inner: RpcTransport): { readonly transport: RpcTransport; tape(): Tape } {
  const replies = new Map<string, RpcReply[]>();
  return {
    transport: {
      async request(method, params) {
        const reply = await inner.request(method, params);
        const key = tapeKey(method, params);
        const kept = replies.get(key) ?? [];
        kept.push(reply);
        replies.set(key, kept);
        return reply;
      },
    },
    tape: () => ({ version: 1, replies: Object.fromEntries(replies) }),
  };
}

/** Answers from a tape, without any chain. What was not recorded is unreachable; the last reply of a key repeats. */
export function replayTransport(tape: Tape): RpcTransport {
  const played = new Map<string, number>();
  return {
    async request(method, params) {
      const key = tapeKey(method, params);
      const replies = Object.hasOwn(tape.replies, key) ? (tape.replies[key] ?? []) : [];
      const next = played.get(key) ?? 0;
      played.set(key, next + 1);
      return replies[Math.min(next, replies.length - 1)] ?? { kind: "fault", fault: "unreachable" };
    },
  };
}
