import { expect, test } from "vitest";
import { recordTransport, replayTransport } from "../rpc/record.ts";
import { chainSuite } from "../testing.ts";
import { connectChain } from "./reader.ts";

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

  test("a recorded conversation replays without a chain", async () => {
    const { transport, tape } = recordTransport(chain().transport);
    const live = await connectChain(transport, chain().chainId);
    const replayed = await connectChain(replayTransport(JSON.parse(JSON.stringify(tape()))), chain().chainId);
    expect(replayed.ok && replayed.value.capabilities).toEqual(live.ok && live.value.capabilities);
  });
});
