import { formatDecimal, type JsonValue } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { readTradeConfig } from "./config.ts";

const WALLET = "0x00000000000000000000000000000000000000F7";
const LEAST = { registry: "robinhood", rpc: ["https://rpc.example"] };

describe("the setting for trades", () => {
  test("has the published limits where nothing is said, and nobody above the first tier", () => {
    const read = readTradeConfig(LEAST);
    if (!read.ok) throw new Error(read.error[0].path);
    const { settings, tiers } = read.value.rules;
    expect(settings.ceilings.map(formatDecimal)).toEqual(["5000", "25000", "100000"]);
    expect(settings).toMatchObject({ unregistered: "denied", maxSlippageBps: 500, denyTradesPerMinute: 25 });
    expect(tiers.size).toBe(0);
  });

  test("is read whole, with addresses as bytes", () => {
    const read = readTradeConfig({
      ...LEAST,
      venues: { v2: { factory: WALLET, fee_bps: 30 } },
      ceilings_usd: ["100", "200.5", "100000"],
      max_loss_usd: "10",
      tiers: { trader: 3 },
      blocked: [WALLET],
      clusters: { desk: [WALLET] },
      shared_funders: [WALLET],
    });
    if (!read.ok) throw new Error(read.error[0].path);
    const { rules, venues } = read.value;
    expect(rules.settings.ceilings.map(formatDecimal)).toEqual(["100", "200.5", "100000"]);
    expect([...rules.blocked]).toEqual([WALLET.toLowerCase()]);
    expect([...rules.sharedFunders]).toEqual([WALLET.toLowerCase()]);
    expect(rules.clusters.get(WALLET.toLowerCase())).toBe("desk");
    expect(rules.tiers.get("trader")).toBe(3);
    expect(venues).toEqual({ v2: { factory: WALLET, feeBps: 30 } });
  });

  test.each<[string, object, string]>([
    ["a higher ceiling than the published", { ceilings_usd: ["5000.01", "1", "1"] }, "/ceilings_usd/0"],
    ["a ceiling that is no amount", { ceilings_usd: ["1e3", "1", "1"] }, "/ceilings_usd/0"],
    ["a higher loss", { max_loss_usd: "1001" }, "/max_loss_usd"],
    ["wider slippage", { max_slippage_bps: 501 }, "/max_slippage_bps"],
    ["more trades a minute", { deny_trades_per_minute: 26 }, "/deny_trades_per_minute"],
    ["a fourth tier", { tiers: { trader: 4 } }, "/tiers/trader"],
    ["a blocked name", { blocked: ["me"] }, "/blocked/0"],
    ["a shared funder that is no address", { shared_funders: ["exchange"] }, "/shared_funders/0"],
    ["a wallet in two clusters", { clusters: { a: [WALLET], b: [WALLET.toLowerCase()] } }, "/clusters"],
    ["no node", { rpc: [] }, "/rpc"],
    ["a node that is no URL", { rpc: ["https://["] }, "/rpc/0"],
    ["an internal range that is none", { internal: { addresses: ["10.0.0.0/99"] } }, "/internal/addresses/0"],
    ["something that nobody knows", { colour: "red" }, "/colour"],
  ])("is refused with %s", (_, change, path) => {
    const read = readTradeConfig({ ...LEAST, ...change } as JsonValue);
    expect(read.ok ? null : read.error[0].path).toBe(path);
  });
});
