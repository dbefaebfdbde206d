import { type JsonObject, type RegistryChain, readRegistry } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { type Artifact, chainSuite, deploy, readArtifacts } from "../testing.ts";
import { ROBINHOOD } from "./robinhood.ts";
import { verifyRegistry } from "./verify.ts";

test("the shipped registry is well-formed and gives a source for everything", () => {
  const read = readRegistry(ROBINHOOD);
  expect(read).toMatchObject({ ok: true, value: { chainId: 4663 } });
  expect(read.ok && read.value.tokens.every(({ source }) => source.length > 10)).toBe(true);
});

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const at = (name: string) => artifacts[name] as Artifact;

  chainSuite("a registry at start", (chain) => {
    let reader: ChainReader;
    let stock: Address;
    let dollar: Address;
    let feed: Address;

    beforeAll(async () => {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
      stock = await deploy(chain(), at("StockToken"), ["NVIDIA", "NVDA", 10n ** 27n]);
      dollar = await deploy(chain(), at("UsdStable"), ["Global Dollar", "USDG", "1", 10n ** 18n]);
      feed = await deploy(chain(), at("TestFeed"), [8, "NVDA / USD", 20_000_000_000n]);
    });

    const registry = (change: (token: JsonObject) => JsonObject = (token) => token, chainId = 4663): RegistryChain => {
      const common = { pools: [], source: "this test" };
      const token: JsonObject = {
        ...common,
        symbol: "NVDA",
        address: stock,
        decimals: 18,
        kind: "stock",
        calendar: "nyse",
        oracleSwitch: "asked",
        pegged: false,
        feed: { address: feed, decimals: 8, description: "NVDA / USD", source: "this test" },
      };
      const stable: JsonObject = {
        ...common,
        symbol: "USDG",
        address: dollar,
        decimals: 6,
        kind: "stable",
        calendar: "always",
        oracleSwitch: "absent",
        pegged: true,
      };
      const read = readRegistry({ chainId, name: "Test", source: "this test", tokens: [change(token), stable] });
      if (!read.ok) throw new Error(read.error.message);
      return read.value;
    };

    test("is accepted when the chain answers as it says", async () => {
      expect(await verifyRegistry(reader, registry())).toEqual({ ok: true, value: undefined });
    });

    test.each([
      {
        it: "another chain",
        change: (token: JsonObject) => token,
        chainId: 1,
        code: "chain.wrong_id",
        path: undefined,
      },
      {
        it: "an address without a contract",
        change: (token: JsonObject) => ({ ...token, address: `0x${"12".repeat(20)}` }),
        path: "/tokens/0/address",
      },
      { it: "another symbol", change: (token: JsonObject) => ({ ...token, symbol: "TSLA" }), path: "/tokens/0/symbol" },
      { it: "other decimals", change: (token: JsonObject) => ({ ...token, decimals: 6 }), path: "/tokens/0/decimals" },
      {
        it: "a feed of something else",
        change: (token: JsonObject) => ({
          ...token,
          feed: { ...(token["feed"] as JsonObject), description: "TSLA / USD" },
        }),
        path: "/tokens/0/feed/description",
      },
      {
        it: "a feed with other decimals",
        change: (token: JsonObject) => ({ ...token, feed: { ...(token["feed"] as JsonObject), decimals: 18 } }),
        path: "/tokens/0/feed/decimals",
      },
      {
        it: "a switch that the token does not have",
        change: (token: JsonObject) => ({ ...token, address: feed, symbol: "NVDA" }),
        path: "/tokens/0/oracleSwitch",
      },
    ])("refuses to run with $it", async ({ change, chainId, code = "registry.mismatch", path }) => {
      const verified = await verifyRegistry(reader, registry(change, chainId));
      expect(verified).toMatchObject({ ok: false, error: { code } });
      const error = verified.ok ? undefined : verified.error;
      if (path !== undefined && error?.code === "registry.mismatch") {
        expect(error.mismatches.map((mismatch) => mismatch.path)).toContain(path);
      }
    });
  });
});
