import type { RpcReply, RpcTransport } from "./transport.ts";

/**
 * Asks several providers and believes only what `agree` of them say alike. Heads differ between honest providers, so
 * "latest" becomes the newest block that enough of them say they have, asked of all by number: one that lags, or says
 * that it does, holds nobody back.
 */
export function quorumTransport(providers: readonly RpcTransport[], agree: number): RpcTransport {
  if (agree < 1 || agree > providers.length) throw new RangeError("a quorum is between one and all of the providers");
  const ask = async (method: string, params: readonly unknown[]): Promise<RpcReply> => {
    const replies = await Promise.all(providers.map((provider) => provider.request(method, params)));
    const groups = new Map<string, RpcReply[]>();
    for (const reply of replies) {
      const key = essence(method, reply);
      groups.set(key, [...(groups.get(key) ?? []), reply]);
    }
    const largest = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    const winner = largest[0];
    if (winner === undefined || largest.length < agree) return { kind: "fault", fault: "disagreement" };
    return winner;
  };
  return {
    async request(method, params) {
      if (method !== "eth_getBlockByNumber" || params[0] !== "latest") return ask(method, params);
      const heads = await Promise.all(providers.map((provider) => provider.request(method, params)));
      const numbers = heads.map(headNumber).filter((number) => number !== undefined);
      if (numbers.length < agree) return { kind: "fault", fault: "disagreement" };
      const newest = [...new Set(numbers.sort((a, b) => (a > b ? -1 : 1)).slice(agree - 1))];
      let reply: RpcReply = { kind: "fault", fault: "disagreement" };
      for (const number of newest) {
        reply = await ask(method, [`0x${number.toString(16)}`, ...params.slice(1)]);
        if (reply.kind === "result" && reply.value !== null) return reply;
      }
      return reply;
    },
  };
}

function headNumber(reply: RpcReply): bigint | undefined {
  const number = reply.kind === "result" ? (reply.value as { number?: unknown } | null)?.number : undefined;
  return typeof number === "string" && /^0x[0-9a-f]{1,16}$/i.test(number) ? BigInt(number) : undefined;
}

/** What of a reply carries meaning: clients decorate blocks and simulations with fields of their own. */
function essence(method: string, reply: RpcReply): string {
  if (reply.kind === "fault") return `fault ${reply.fault}`;
  if (reply.kind === "error") return `error ${reply.data ?? ""} ${reply.code === 3 ? "" : reply.code}`;
  return `result ${JSON.stringify(ESSENCE[method]?.(reply.value) ?? reply.value)?.toLowerCase()}`;
}

const pick = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.map((key) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : null));
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a traced call moved, and whether it failed: gas and texts differ between clients. */
const frame = (value: unknown): unknown => {
  const { error, calls } = (value ?? {}) as { error?: unknown; calls?: unknown };
  return [pick(value, "type", "from", "to", "value"), error !== undefined, list(calls).map(frame)];
};

const ESSENCE: Readonly<Record<string, (value: unknown) => unknown>> = {
  eth_getBlockByNumber: (value) => [
    pick(value, "number", "hash", "timestamp"),
    // Whole transactions where they were asked for, and nothing where only their hashes were.
    list((value as { transactions?: unknown } | null)?.transactions)
      .filter((one) => typeof one === "object")
      .map((one) => pick(one, "hash", "from", "to", "value")),
  ],
  debug_traceBlockByHash: (value) =>
    list(value).map((one) => [pick(one, "txHash"), frame((one as { result?: unknown } | null)?.result)]),
  eth_getLogs: (value) => list(value).map((log) => pick(log, "address", "topics", "data", "blockNumber", "logIndex")),
  eth_createAccessList: (value) => {
    const entries = list((value as { accessList?: unknown } | null)?.accessList);
    return entries.map((entry) => JSON.stringify(pick(entry, "address", "storageKeys"))).sort();
  },
  eth_simulateV1: (value) =>
    list(value).map((block) =>
      list((block as { calls?: unknown } | null)?.calls).map((call) => [
        pick(call, "status", "returnData"),
        list((call as { logs?: unknown } | null)?.logs).map((log) => pick(log, "address", "topics", "data")),
      ]),
    ),
};
