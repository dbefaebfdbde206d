import {
  choosePrice,
  formatDecimal,
  fromAtomic,
  judgeOracle,
  judgePool,
  ORACLE_AGES,
  POOL_RULES,
} from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Abi, Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import type { ChainView } from "../chain/view.ts";
import { type Artifact, chainSuite, deploy, deployV2, deployV3, deployV4, readArtifacts, send } from "../testing.ts";
import { findPools } from "../token/pools.ts";
import { readOracle } from "./oracle.ts";
import { readPool } from "./pool.ts";

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const at = (name: string) => artifacts[name] as Artifact;

  chainSuite("prices on a local chain", (chain) => {
    let reader: ChainReader;
    let feed: Address;
    let sequencer: Address;
    let stock: Address;
    let dollar: Address;
    const pinned = async (): Promise<ChainView> => {
      const view = await reader.pin();
      if (!view.ok) throw new Error(view.error.message);
      return view.value;
    };
    const conductor: Address = "0x00000000000000000000000000000000000c0de0";
    const quoter: Address = "0x00000000000000000000000000000000000c0de1";

    beforeAll(async () => {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
      feed = await deploy(chain(), at("TestFeed"), [8, "NVDA / USD", 20_000_000_000n]);
      sequencer = await deploy(chain(), at("TestSequencerFeed"));
      stock = await deploy(chain(), at("StockToken"), ["NVIDIA", "NVDA", 10n ** 27n]);
      dollar = await deploy(chain(), at("UsdStable"), ["Global Dollar", "USDG", "1", 10n ** 18n]);
    });

    const judged = async (from: Partial<Parameters<typeof readOracle>[2]> = {}, later = 0) => {
      const view = await pinned();
      const reading = await readOracle(view, conductor, { feed, pausable: undefined, sequencer: undefined, ...from });
      if (!reading.ok) throw new Error(reading.error.message);
      const rules = { decimals: 8, maxAge: ORACLE_AGES, sequencerGrace: 3_600 };
      const price = judgeOracle(reading.value, rules, "open", Number(view.block.timestamp) + later);
      return price.state === "price" ? formatDecimal(price.usd) : price.defect;
    };
    const set = (...args: readonly bigint[]) => send(chain(), feed, at("TestFeed").abi as Abi, "set", args);

    test("a fresh round is read exactly", async () => {
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_012_345_678n]);
      expect(await judged()).toBe("200.12345678");
      expect(await judged({}, 600)).toBe("stale");
    });

    test("every defect of a round is refused", async () => {
      const now = (await pinned()).block.timestamp;
      const rows: readonly (readonly [readonly bigint[], string])[] = [
        [[9n, 0n, now, now, 9n], "zero"],
        [[9n, -5n, now, now, 9n], "negative"],
        [[9n, 5n, now, 0n, 9n], "incomplete"],
        [[9n, 5n, now, now, 8n], "carried_over"],
        [[9n, 5n, now + 9_999n, now + 9_999n, 9n], "future"],
        [[9n, 5n, now - 999n, now - 999n, 9n], "stale"],
      ];
      for (const [args, want] of rows) {
        await set(...args);
        expect(await judged()).toBe(want);
      }
      await send(chain(), feed, at("TestFeed").abi as Abi, "setBroken", [true]);
      expect(await judged()).toBe("unreadable");
      await send(chain(), feed, at("TestFeed").abi as Abi, "setBroken", [false]);
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_000_000_000n]);
    });

    test("a paused token and a sequencer that is down have no price", async () => {
      expect(await judged({ pausable: stock }, 7_200)).toBe("stale");
      expect(await judged({ pausable: stock })).toBe("200");
      await send(chain(), stock, at("StockToken").abi as Abi, "pauseOracle");
      expect(await judged({ pausable: stock })).toBe("paused");
      expect(await judged({ sequencer })).toBe("sequencer_recovering");
      await send(chain(), sequencer, at("TestSequencerFeed").abi as Abi, "set", [1n, 1n]);
      expect(await judged({ sequencer })).toBe("sequencer_down");
      await send(chain(), sequencer, at("TestSequencerFeed").abi as Abi, "set", [0n, 1n]);
      expect(await judged({ sequencer })).toBe("200");
    });

    test("a feed that is no feed is unreadable, not zero", async () => {
      expect(await judged({ feed: dollar })).toBe("unreadable");
      expect(await judged({ feed: "0x00000000000000000000000000000000000000ff" })).toBe("unreadable");
      expect(await judged({ pausable: dollar })).toBe("unreadable");
    });

    test("the same pool is quoted alike at V2, V3 and V4, both ways, at the trade's size", async () => {
      const [v2, v3, v4] = [await deployV2(chain()), await deployV3(chain()), await deployV4(chain())];
      const tokens = { token: stock, amount: 7_071n * 10n ** 18n };
      const dollars = { token: dollar, amount: 1_414_200n * 10n ** 6n };
      const pair = await v2.open(stock, dollar);
      await v2.fill(pair, stock, tokens.amount, dollar, dollars.amount);
      await v3.fill(tokens, dollars);
      await v4.fill(tokens, dollars);
      const venues = [
        { v2: { factory: v2.factory, feeBps: 30 }, quotes: [dollar] },
        { v3: { factory: v3.factory }, quotes: [dollar] },
        { v4: { manager: v4.manager }, quotes: [dollar] },
      ];
      const view = await pinned();
      for (const [index, venue] of venues.entries()) {
        const pools = await findPools(view, conductor, stock, venue);
        const pool = pools.ok ? pools.value[0] : undefined;
        if (pool === undefined) throw new Error(`no pool at venue ${index + 2}`);
        const query = { pool, token: stock, tokenDecimals: 18, quoteDecimals: 6, quoteUsd: fromAtomic(1n, 0) };
        const quote = async (amount: bigint) => {
          const reading = await readPool(view, conductor, quoter, { ...query, amount });
          if (!reading.ok || reading.value.state !== "quoted") throw new Error(`no quote at venue ${index + 2}`);
          const { bid, ask, spot, depth } = reading.value;
          return { reading: reading.value, figures: [bid, ask, spot, depth].map((one) => Number(formatDecimal(one))) };
        };
        const one = await quote(10n ** 18n);
        const [bid = 0, ask = 0, spot = 0, depth = 0] = one.figures;
        expect(bid).toBeCloseTo(199.37, 1);
        expect(ask).toBeCloseTo(200.63, 1);
        expect(spot).toBeCloseTo(200, 2);
        expect(depth).toBeGreaterThan(1_400_000);
        expect(judgePool(one.reading, POOL_RULES, "buy").state).toBe("price");
        const thousand = await quote(1_000n * 10n ** 18n);
        expect(thousand.figures[0]).toBeCloseTo(174.76, 0);
        expect(judgePool(thousand.reading, POOL_RULES, "sell")).toEqual({ state: "unusable", defect: "spread" });
        const tooMuch = await readPool(view, conductor, quoter, { ...query, amount: 8_000n * 10n ** 18n });
        expect(tooMuch.ok && tooMuch.value.state).toBe("failed");
        const chosen = choosePrice({ state: "unusable", defect: "stale" }, judgePool(one.reading, POOL_RULES, "buy"));
        expect(chosen).toMatchObject({ state: "price", source: `uniswap_v${index + 2}` });
      }
    });
  });
});
