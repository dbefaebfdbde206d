import { expect, test } from "vitest";
import { type Decimal, parseDecimal } from "../../money/decimal.ts";
import type { OraclePrice } from "./oracle.ts";
import { choosePrice, judgePool, POOL_RULES, type PoolReading } from "./price.ts";

const usd = (text: string): Decimal => {
  const read = parseDecimal(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};
const quoted = (bid: string, ask: string, spot = "200", depth = "1000000"): PoolReading => ({
  state: "quoted",
  venue: "uniswap_v4",
  bid: usd(bid),
  ask: usd(ask),
  spot: usd(spot),
  depth: usd(depth),
});

test.each([
  { it: "a pool that could not be read", pool: { state: "failed", reason: "x" } as const, want: "unreadable" },
  { it: "a price of zero", pool: quoted("0", "201"), want: "unreadable" },
  { it: "a pool with little in it", pool: quoted("199", "201", "200", "9999"), want: "shallow" },
  { it: "a pool that pays more than it takes", pool: quoted("202", "201"), want: "crossed" },
  { it: "bid and ask far apart", pool: quoted("174.8", "228.9"), want: "spread" },
  { it: "a trade that moves the price", pool: quoted("207", "207"), want: "impact" },
  { it: "the same the other way", pool: quoted("193", "193"), want: "impact" },
])("refuses $it", ({ pool, want }) => {
  expect(judgePool(pool, POOL_RULES, "buy")).toEqual({ state: "unusable", defect: want });
});

test.each(["buy", "sell"] as const)("a %s is priced at the trader's side of the quote", (side) => {
  expect(judgePool(quoted("199", "201"), POOL_RULES, side)).toMatchObject({
    state: "price",
    usd: usd(side === "buy" ? "201" : "199"),
  });
});

const oracle = (text: string): OraclePrice => ({ state: "price", usd: usd(text), age: 1 });
const bad = (defect: "stale" | "paused"): OraclePrice => ({ state: "unusable", defect });
const pool = judgePool(quoted("200", "200"), POOL_RULES, "buy");

test.each([
  {
    it: "takes the oracle first",
    oracle: oracle("200"),
    pool,
    want: { state: "price", source: "oracle", apart: false },
  },
  {
    it: "says when the two are apart",
    oracle: oracle("190"),
    pool,
    want: { state: "price", source: "oracle", apart: true },
  },
  {
    it: "takes the pool when the oracle is stale",
    oracle: bad("stale"),
    pool,
    want: { state: "price", source: "uniswap_v4", oracle: "stale" },
  },
  {
    it: "takes no pool's word when the issuer paused the oracle",
    oracle: bad("paused"),
    pool,
    want: { state: "unavailable", oracle: "paused" },
  },
  {
    it: "makes up nothing",
    oracle: undefined,
    pool: undefined,
    want: { state: "unavailable", oracle: "absent", pool: "absent" },
  },
])("$it", ({ oracle: feed, pool: quote, want }) => {
  expect(choosePrice(feed, quote)).toMatchObject(want);
});
