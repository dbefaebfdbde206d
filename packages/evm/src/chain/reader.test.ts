import type { Address } from "viem";
import { expect, test } from "vitest";
import { recordTransport, replayTransport } from "../rpc/record.ts";
import { chainSuite } from "../testing.ts";
import { connectChain } from "./reader.ts";
import { type ChainView, LIMITS } from "./view.ts";

chainSuite("a chain reader on a local chain", (chain) => {
  test("tries out what the node can do instead of believing it", async () => {
    const reader = await connectChain(chain().transport, chain().chainId);
    expect(reader.ok && reader.value.capabilities).toEqual({
      overrides: true,
      blockOverrides: true,
      simulate: true,
      accessList: true,
      byHash: true,
    });
  });

  test("refuses a node that serves another chain", async () => {
    const reader = await connectChain(chain().transport, 1);
    expect(reader).toMatchObject({ ok: false, error: { code: "chain.wrong_id" } });
  });

  test("a part of a check that may ask much leaves requests to the others", async () => {
    const connected = await connectChain(chain().transport, chain().chainId, { ...LIMITS, maxCalls: 20 });
    if (!connected.ok) throw new Error(connected.error.message);
    const pinned = await connected.value.pin();
    if (!pinned.ok) throw new Error(pinned.error.message);
    const [greedy, other] = [pinned.value.scope(10), pinned.value.scope()];
    const at = chain().accounts[0] as Address;
    const asked = async (view: ChainView): Promise<number> => {
      let count = 0;
      while ((await view.code(at)).ok) count += 1;
      return count;
    };
    expect(await asked(greedy)).toBe(8);
    expect(await asked(other)).toBe(9);
    expect(await pinned.value.confirm()).toMatchObject({ ok: true });
  });

  test("a recorded conversation replays without a chain", async () => {
    const { transport, tape } = recordTransport(chain().transport);
    const live = await connectChain(transport, chain().chainId);
    const replayed = await connectChain(replayTransport(JSON.parse(JSON.stringify(tape()))), chain().chainId);
    expect(replayed.ok && replayed.value.capabilities).toEqual(live.ok && live.value.capabilities);
  });
});
