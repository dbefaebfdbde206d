import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { readRegistry } from "./readRegistry.ts";

const A = `0x${"a1".repeat(20)}`;
const B = `0x${"B2".repeat(20)}`;
const TOKEN = {
  symbol: "NVDA",
  address: B,
  decimals: 18,
  kind: "stock",
  calendar: "nyse",
  pools: [{ currency0: A, currency1: B, fee: 3000, tickSpacing: 60, hooks: `0x${"0".repeat(40)}`, source: "s" }],
  oracleSwitch: "asked",
  pegged: false,
  source: "the issuer's page",
  feed: { address: A, decimals: 8, description: "NVDA / USD", source: "s" },
};
const CHAIN = { chainId: 4663, name: "Test", tokens: [TOKEN], source: "s" };

test("reads a chain, addresses in lower case", () => {
  expect(readRegistry(CHAIN)).toMatchObject({ ok: true, value: { tokens: [{ address: B.toLowerCase() }] } });
});

test.each([
  { it: "no object", value: [], path: "" },
  { it: "a member that is not known", value: { ...CHAIN, extra: 1 }, path: "/extra" },
  { it: "a token without a source", value: { ...CHAIN, tokens: [{ ...TOKEN, source: "" }] }, path: "/tokens/0/source" },
  {
    it: "an address that is none",
    value: { ...CHAIN, tokens: [{ ...TOKEN, address: "0x12" }] },
    path: "/tokens/0/address",
  },
  {
    it: "an address that is there twice",
    value: { ...CHAIN, tokens: [TOKEN, { ...TOKEN, symbol: "X" }] },
    path: "/tokens/1/address",
  },
  {
    it: "a symbol that is there twice",
    value: { ...CHAIN, tokens: [TOKEN, { ...TOKEN, symbol: "nvda", address: A }] },
    path: "/tokens/1/symbol",
  },
  {
    it: "a calendar that is not known",
    value: { ...CHAIN, tokens: [{ ...TOKEN, calendar: "lse" }] },
    path: "/tokens/0/calendar",
  },
  {
    it: "decimals that are no whole number",
    value: { ...CHAIN, tokens: [{ ...TOKEN, decimals: 1.5 }] },
    path: "/tokens/0/decimals",
  },
  {
    it: "an age of nothing",
    value: { ...CHAIN, tokens: [{ ...TOKEN, feed: { ...TOKEN.feed, maxAge: { open: 0, closed: 1 } } }] },
    path: "/tokens/0/feed/maxAge/open",
  },
  {
    it: "currencies in the wrong order",
    value: { ...CHAIN, tokens: [{ ...TOKEN, pools: [{ ...TOKEN.pools[0], currency0: B, currency1: A }] }] },
    path: "/tokens/0/pools/0/currency1",
  },
  {
    it: "a symbol that turns text around",
    value: { ...CHAIN, tokens: [{ ...TOKEN, symbol: "NV\u202eDA" }] },
    path: "/tokens/0/symbol",
  },
])("refuses $it, and says where", ({ value, path }) => {
  expect(readRegistry(value as JsonValue)).toMatchObject({ ok: false, error: { code: "registry.malformed", path } });
});

test("no JSON makes it throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void readRegistry(value as JsonValue)));
});
