import { expect, test } from "vitest";
import { quorumTransport } from "./quorum.ts";
import type { RpcReply, RpcTransport } from "./transport.ts";

/** A provider that has blocks up to `head`, and says that it has them up to `says`. */
const provider = (head: number, says = head): RpcTransport => ({
  async request(_method, [block]): Promise<RpcReply> {
    const number = block === "latest" ? says : Number(block);
    if (number > head && block !== "latest") return { kind: "result", value: null };
    const value = {
      number: `0x${number.toString(16)}`,
      hash: `0x${String(number).padStart(64, "0")}`,
      timestamp: "0x1",
    };
    return { kind: "result", value };
  },
});

test.each([
  { it: "takes the newest block that enough have", heads: [100, 99, 98], want: 99 },
  { it: "is not held back by one that lags", heads: [100, 100, 3], want: 100 },
  { it: "is not held back by one that says it is at the beginning", heads: [100, 100, [100, 0]], want: 100 },
  { it: "is not led on by one that says it is ahead", heads: [100, 99, [98, 5_000]], want: 99 },
])("a quorum of two of three $it", async ({ heads, want }) => {
  const providers = heads.map((head) => (typeof head === "number" ? provider(head) : provider(head[0] ?? 0, head[1])));
  const reply = await quorumTransport(providers, 2).request("eth_getBlockByNumber", ["latest", false]);
  expect(reply).toMatchObject({ kind: "result", value: { number: `0x${want.toString(16)}` } });
});
