import {
  evaluateTrade,
  formatDecimal,
  parseDecimal,
  type RegistryChain,
  readRegistry,
  TRADE_SETTINGS,
} from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Abi, Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { HTTP_DEFAULTS, httpTransport } from "../rpc/http.ts";
import { recordTransport, replayTransport } from "../rpc/record.ts";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { type Artifact, chainSuite, deploy, deployV4, readArtifacts, send, TOKEN_ABI } from "../testing.ts";
import { safetyMemory } from "../token/memory.ts";
import { readTrade, type TradeQuery } from "./readTrade.ts";
import { tradeChain } from "./tradeChain.ts";

const NATIVE: Address = "0x0000000000000000000000000000000000000000";

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const at = (name: string) => artifacts[name] as Artifact;
  const amount = (text: string) => {
    const read = parseDecimal(text);
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  };

  chainSuite("a trade read from a local chain", (chain) => {
    let reader: ChainReader;
    let exchanges = 0;
    let registry: RegistryChain;
    let stock: Address;
    let feed: Address;
    let fake: Address;

    beforeAll(async () => {
      const counted: typeof fetch = (input, init) => {
        exchanges += 1;
        return fetch(input, init);
      };
      const transport = httpTransport(chain().url, { ...HTTP_DEFAULTS, fetch: counted });
      const connected = await connectChain(transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
      stock = await deploy(chain(), at("StockToken"), ["NVIDIA", "NVDA", 10n ** 27n]);
      fake = await deploy(chain(), at("StockToken"), ["NVIDIA", "NVDA", 10n ** 27n]);
      const dollar = await deploy(chain(), at("UsdStable"), ["Global Dollar", "USDG", "1", 10n ** 18n]);
      feed = await deploy(chain(), at("TestFeed"), [8, "NVDA / USD", 20_000_000_000n]);
      const v4 = await deployV4(chain());
      await v4.fill({ token: stock, amount: 7_071n * 10n ** 18n }, { token: dollar, amount: 1_414_200n * 10n ** 6n });
      const [currency0, currency1] = BigInt(stock) < BigInt(dollar) ? [stock, dollar] : [dollar, stock];
      const source = "this test";
      const read = readRegistry({
        chainId: 4663,
        name: "Test",
        source,
        v4Manager: { address: v4.manager, source },
        tokens: [
          {
            symbol: "NVDA",
            address: stock,
            decimals: 18,
            kind: "stock",
            calendar: "always",
            oracleSwitch: "asked",
            pegged: false,
            pools: [{ currency0, currency1, fee: 3000, tickSpacing: 60, hooks: NATIVE, source }],
            source,
            feed: { address: feed, decimals: 8, description: "NVDA / USD", source },
          },
          {
            symbol: "USDG",
            address: dollar,
            decimals: 6,
            kind: "stable",
            calendar: "always",
            oracleSwitch: "absent",
            pegged: true,
            pools: [],
            source,
          },
        ],
      });
      if (!read.ok) throw new Error(`${read.error.path} ${read.error.message}`);
      registry = read.value;
    });

    const memory = safetyMemory();
    const quotes = new Map();
    const query = async (change: Partial<TradeQuery> = {}): Promise<TradeQuery> => {
      const { timestamp } = await chain().rpc<{ timestamp: string }>("eth_getBlockByNumber", "latest", false);
      const common = {
        registry,
        venues: {},
        symbol: "NVDA",
        address: stock,
        side: "buy",
        amount: amount("10"),
        wallet: `0x${"7a".repeat(20)}`,
      } as const;
      return { ...common, seed: "trade", memory, quotes, now: Number(timestamp), ...change };
    };
    const decided = async (change: Partial<TradeQuery> = {}, through: ChainReader = reader) => {
      const asked = await query(change);
      const facts = await readTrade(through, asked);
      if (!facts.ok) return { error: facts.error.code };
      const own = {
        stopped: { known: true, value: false },
        blocklisted: { known: true, value: false },
        funding: { state: "not_asked", funders: [] },
        recentTrades: { known: true, value: 1 },
        realisedLoss: { known: true, value: amount("0") },
      } as const;
      const request = {
        side: asked.side,
        symbol: asked.symbol,
        amount: asked.amount,
        maxSlippageBps: 100,
        tier: 1,
        unregistered: "refused",
      } as const;
      const result = evaluateTrade(request, { ...facts.value, ...own }, TRADE_SETTINGS);
      if (!result.ok) throw new Error(result.error.code);
      const { decision, price, notional, priceSource, reasons } = result.value;
      const denies = reasons.filter(({ weight }) => weight === "deny").map(({ code }) => code);
      return { decision, priceSource, price: formatDecimal(price), notional: formatDecimal(notional), denies };
    };

    test("a registered token with a fresh oracle is allowed", async () => {
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_000_000_000n]);
      expect(await decided()).toEqual({
        decision: "allow",
        priceSource: "oracle",
        price: "200",
        notional: "2000",
        denies: [],
      });
    });

    test("the whole of it replays from recorded traffic, without a chain, and what was not recorded is no fact", async () => {
      const recorder = recordTransport(chain().transport);
      const asked = await query();
      const read = async (transport: RpcTransport, change: Partial<TradeQuery> = {}) => {
        const connected = await connectChain(transport, chain().chainId);
        if (!connected.ok) throw new Error(connected.error.message);
        return readTrade(connected.value, { ...asked, memory: safetyMemory(), quotes: new Map(), ...change });
      };
      const live = await read(recorder.transport);
      expect(live.ok).toBe(true);
      const tape = JSON.parse(JSON.stringify(recorder.tape()));
      expect(await read(replayTransport(tape))).toEqual(live);
      expect(await read(replayTransport(tape), { address: fake })).toMatchObject({ ok: false });
    });

    test("with a remembered token three exchanges with the node are enough", async () => {
      const asked = await query();
      const before = exchanges;
      expect((await readTrade(reader, asked)).ok).toBe(true);
      expect(exchanges - before).toBeLessThanOrEqual(3);
    });

    test("the pool's quote stands in for a stale oracle, on the trader's side and at the trade's size", async () => {
      const old = BigInt((await query()).now - 700);
      await send(chain(), feed, at("TestFeed").abi as Abi, "set", [9n, 20_000_000_000n, old, old, 9n]);
      const stale = await decided();
      expect(stale).toMatchObject({ decision: "warn", priceSource: "uniswap_v4", denies: [] });
      expect(Number(stale.price)).toBeGreaterThan(200.6);
      const sold = await decided({ side: "sell" });
      expect(Number(sold.price)).toBeLessThan(199.4);
    });

    test("a size that moves the pool has no price, and no price denies", async () => {
      expect(await decided({ amount: amount("1000") })).toMatchObject({
        decision: "deny",
        priceSource: "unavailable",
        denies: ["trade.no_price"],
      });
    });

    test("a token that calls itself by a registered symbol is a fake of it, whatever the caller calls it", async () => {
      const found = await decided({ address: fake, symbol: "SOMETHING" });
      expect(found.denies).toContain("trade.registry_mismatch");
    });

    const FAULTS: readonly RpcReply[] = [
      { kind: "fault", fault: "timeout" },
      { kind: "fault", fault: "rate_limited" },
      { kind: "error", code: -32601, message: "Method not found" },
      { kind: "error", code: -32000, message: "internal error" },
      { kind: "error", code: 3, message: "execution reverted", data: "0x" },
      { kind: "result", value: null },
      { kind: "result", value: "0x" },
      { kind: "result", value: "0xzz" },
      { kind: "result", value: `0x${"00".repeat(32)}` },
    ];
    test("whichever single request goes wrong, the trade is not allowed", async () => {
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_000_000_000n]);
      const recorder = recordTransport(chain().transport);
      const asked: string[] = [];
      const listening: RpcTransport = {
        request: (method, params) => {
          asked.push(JSON.stringify([method, params]));
          return recorder.transport.request(method, params);
        },
      };
      const decide = async (transport: RpcTransport): Promise<string | undefined> => {
        const connected = await connectChain(transport, chain().chainId);
        if (!connected.ok) return connected.error.code;
        const found = await decided({ memory: safetyMemory(), quotes: new Map() }, connected.value);
        return "error" in found ? found.error : found.decision;
      };
      expect(await decide(listening)).toBe("allow");
      const tape = recorder.tape();
      expect(await decide(replayTransport(tape))).toBe("allow");
      for (const request of new Set(asked)) {
        const [method, params] = JSON.parse(request);
        const truth = JSON.stringify(await replayTransport(tape).request(method, params));
        for (const reply of FAULTS.filter((one) => JSON.stringify(one) !== truth)) {
          const honest = replayTransport(tape);
          const broken: RpcTransport = {
            request: async (method, params) =>
              JSON.stringify([method, params]) === request ? reply : honest.request(method, params),
          };
          expect(`${request.slice(0, 200)} ${JSON.stringify(reply)}: ${await decide(broken)}`).not.toMatch(/: allow$/);
        }
      }
    });

    test("a look-alike is denied whatever else is true of it", async () => {
      const found = await decided({ address: fake });
      expect(found).toMatchObject({ decision: "deny" });
      expect(found.denies).toContain("trade.registry_mismatch");
    });

    test.each([
      { it: "that holds nothing", side: "buy", index: 7, holds: 0n },
      { it: "that holds some", side: "buy", index: 8, holds: 10n ** 18n },
      { it: "that would sell", side: "sell", index: 9, holds: 10n ** 19n },
    ] as const)("a wallet $it is denied what is closed to it alone", async ({ side, index, holds }) => {
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_000_000_000n]);
      const wallet = chain().accounts[index] as Address;
      const abi = at("StockToken").abi as Abi;
      if (holds > 0n) await send(chain(), stock, TOKEN_ABI, "transfer", [wallet, holds]);
      expect(await decided({ side, wallet })).toMatchObject({ decision: "allow" });
      await send(chain(), stock, abi, "setBlocked", [wallet, true]);
      expect(await decided({ side, wallet })).toMatchObject({ decision: "deny", denies: ["trade.token_danger"] });
      expect(await decided({ side })).toMatchObject({ decision: "allow" });
    });

    test("a paused price denies, though a pool would have one", async () => {
      await send(chain(), feed, at("TestFeed").abi as Abi, "push", [20_000_000_000n]);
      await send(chain(), stock, at("StockToken").abi as Abi, "pauseOracle");
      expect(await decided()).toMatchObject({ decision: "deny", denies: ["trade.no_price"] });
      await send(chain(), stock, at("StockToken").abi as Abi, "unpauseOracle");
    });

    test("a new authority is a new token: what was remembered is not believed", async () => {
      const view = await reader.pin();
      if (!view.ok) throw new Error(view.error.message);
      const { timestamp } = view.value.block;
      const options = { venues: { quotes: [] }, seed: "memory" };
      const own = safetyMemory();
      const first = await own.check(view.value, fake, options, Number(timestamp));
      const again = await own.check(view.value, fake, options, Number(timestamp) + 1);
      expect([first, again].map((one) => one.ok && one.value.remembered)).toEqual([false, true]);
      await send(chain(), fake, at("StockToken").abi as Abi, "transferOwnership", [chain().accounts[5]]);
      const later = await reader.pin();
      if (!later.ok) throw new Error(later.error.message);
      const changed = await own.check(later.value, fake, options, Number(timestamp) + 2);
      expect(changed.ok && changed.value.remembered).toBe(false);
      const expired = await own.check(later.value, fake, options, Number(timestamp) + 120);
      expect(expired.ok && expired.value.remembered).toBe(false);
    });

    test("a chain whose clock is not the gate's is not believed", async () => {
      const asked = await query();
      const whole = tradeChain(reader, { registry, venues: {}, seed: "trade", memory });
      expect(await whole.token(stock, asked.now)).toMatchObject({ ok: true });
      expect(await whole.token(stock, asked.now + 10_000)).toMatchObject({ ok: false, error: { code: "chain.moved" } });
      expect(await readTrade(reader, { ...asked, now: asked.now + 10_000 })).toMatchObject({
        ok: false,
        error: { code: "chain.moved" },
      });
    });
  });
});
