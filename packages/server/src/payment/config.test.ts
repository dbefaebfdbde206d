import type { JsonValue } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { CONFIG_TEXT } from "../testing/paymentWorld.ts";
import { readPaymentConfig } from "./config.ts";

const pathsOf = (change: { readonly [name: string]: JsonValue }): readonly string[] => {
  const read = readPaymentConfig({ ...CONFIG_TEXT, ...change });
  return read.ok ? [] : read.error.map(({ path }) => path);
};

test("the setting is read: prices exactly, addresses in one spelling, URLs without a slash at the end", () => {
  const read = readPaymentConfig({
    ...CONFIG_TEXT,
    price: { action_gate: "0.010", other: "2" },
    pay_to: "0x00000000000000000000000000000000000000AA",
    facilitator: "https://facilitator.example/v2/",
    public_url: "https://gate.example/",
  });
  expect(read).toEqual({
    ok: true,
    value: {
      network: "eip155:4663",
      chainId: 4663,
      asset: { address: CONFIG_TEXT.asset.address, decimals: 6, name: "Pay Dollar", version: "1" },
      payTo: "0x00000000000000000000000000000000000000aa",
      facilitator: "https://facilitator.example/v2",
      rpc: ["https://rpc.example"],
      publicUrl: "https://gate.example",
      maxTimeoutSeconds: 60,
      internal: { addresses: [], names: [] },
      prices: new Map([
        ["action_gate", 10_000n],
        ["other", 2_000_000n],
      ]),
    },
  });
});

describe("a setting that could lose money is refused, and the place is told", () => {
  test.each<{ it: string; change: { readonly [name: string]: JsonValue }; path: string }>([
    {
      it: "a price with more digits than the token has",
      change: { price: { judge: "0.0000001" } },
      path: "/price/judge",
    },
    { it: "a price of nothing", change: { price: { judge: "0.00" } }, path: "/price/judge" },
    { it: "a price below nothing", change: { price: { judge: "-1" } }, path: "/price/judge" },
    { it: "a price with a sign of currency", change: { price: { judge: "$0.01" } }, path: "/price/judge" },
    { it: "a price as a number", change: { price: { judge: 0.01 } }, path: "/price/judge" },
    { it: "no price at all", change: { price: {} }, path: "/price" },
    { it: "a chain that is not EVM", change: { network: "solana:mainnet" }, path: "/network" },
    { it: "a chain id with a leading zero", change: { network: "eip155:01" }, path: "/network" },
    { it: "the zero address", change: { pay_to: `0x${"0".repeat(40)}` }, path: "/pay_to" },
    { it: "the token's own address", change: { pay_to: CONFIG_TEXT.asset.address }, path: "/pay_to" },
    { it: "a name for an address", change: { pay_to: "shop.eth" }, path: "/pay_to" },
    { it: "a facilitator without a scheme", change: { facilitator: "facilitator.example" }, path: "/facilitator" },
    { it: "a facilitator that is no URL", change: { facilitator: "https://:99999" }, path: "/facilitator" },
    { it: "no node of the chain", change: { rpc: [] }, path: "/rpc" },
    { it: "a node that is no URL", change: { rpc: ["https://rpc.example", "http://["] }, path: "/rpc/1" },
    { it: "a public URL with a query", change: { public_url: "https://gate.example/?a=1" }, path: "/public_url" },
    { it: "a public URL with a user", change: { public_url: "https://a:b@gate.example" }, path: "/public_url" },
    { it: "a range that is none", change: { internal: { addresses: ["10.0.0.0/99"] } }, path: "/internal/addresses/0" },
    { it: "a time too short to settle in", change: { max_timeout_seconds: 5 }, path: "/max_timeout_seconds" },
    { it: "a time with a fraction", change: { max_timeout_seconds: 60.5 }, path: "/max_timeout_seconds" },
    { it: "a key that does nothing", change: { max_timeout: 60 }, path: "/max_timeout" },
    {
      it: "a token without a version",
      change: { asset: { address: CONFIG_TEXT.asset.address, decimals: 6, name: "x" } },
      path: "/asset",
    },
  ])("$it", ({ change, path }) => {
    const paths = pathsOf(change);
    expect(paths.some((one) => one === path || one.startsWith(`${path}/`))).toBe(true);
  });

  test.each(["price", "network", "asset", "pay_to", "facilitator", "rpc", "public_url"])("no %s", (name) => {
    const given = Object.fromEntries(Object.entries(CONFIG_TEXT).filter(([key]) => key !== name));
    expect(readPaymentConfig(given)).toMatchObject({ ok: false });
  });

  test.each([null, [], "", 1, true])("%s in its place", (value) => {
    expect(readPaymentConfig(value)).toMatchObject({ ok: false });
  });

  test("everything that is wrong is told at once, and no value is repeated", () => {
    const read = readPaymentConfig({ ...CONFIG_TEXT, pay_to: `0x${"0".repeat(40)}`, rpc: ["http://key-1234["] });
    expect(read.ok ? [] : read.error).toHaveLength(2);
    expect(JSON.stringify(read)).not.toContain("key-1234");
  });
});
