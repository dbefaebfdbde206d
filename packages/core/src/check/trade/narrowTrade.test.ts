import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/value.ts";
import { compareDecimals, formatDecimal } from "../../money/decimal.ts";
import { composeParts } from "../../policy/compose.ts";
import { readPart } from "../../policy/readPart.ts";
import { narrowTrade, type TradeLimits } from "./narrowTrade.ts";
import { TRADE_SETTINGS } from "./trade.ts";

const limitsOf = (...sections: JsonObject[]): readonly TradeLimits[] =>
  composeParts(
    sections.map((trade) => {
      const read = readPart({ trade }, "org:acme");
      if (!read.ok) throw new Error(JSON.stringify(read.error));
      return read.value;
    }),
  ).trade;

test("the lowest of each limit stands, and what one denies is denied", () => {
  const settings = narrowTrade(
    { ...TRADE_SETTINGS, unregistered: "allowed_when_safe" },
    limitsOf(
      { ceilings_usd: ["9000", "100", "50"], max_slippage_bps: 300, unregistered: "denied" },
      {
        ceilings_usd: ["4000", "200", "99999999"],
        max_loss_usd: "10.50",
        deny_trades_per_minute: 5,
        unregistered: "allowed_when_safe",
      },
    ),
  );
  expect(settings.ceilings.map(formatDecimal)).toEqual(["4000", "100", "50"]);
  expect(formatDecimal(settings.maxLoss)).toBe("10.5");
  expect(settings).toMatchObject({
    maxSlippageBps: 300,
    warnTradesPerMinute: 10,
    denyTradesPerMinute: 5,
    unregistered: "denied",
  });
});

test("no document loosens what the gate was set to", () => {
  expect(narrowTrade(TRADE_SETTINGS, limitsOf({ unregistered: "allowed_when_safe" })).unregistered).toBe("denied");
});

test("A later scope never loosens.", () => {
  const dollars = fc.integer({ min: 0, max: 200_000 }).map(String);
  const section = fc.record(
    {
      ceilings_usd: fc.tuple(dollars, dollars, dollars).map((three) => [...three]),
      max_loss_usd: dollars,
      max_slippage_bps: fc.nat(500),
      warn_trades_per_minute: fc.nat(10),
      deny_trades_per_minute: fc.nat(25),
      unregistered: fc.constantFrom("denied", "allowed_when_safe"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(section, { maxLength: 4 }), section, (stack, later) => {
      const base = { ...TRADE_SETTINGS, unregistered: "allowed_when_safe" } as const;
      const before = narrowTrade(base, limitsOf(...(stack as JsonObject[])));
      const after = narrowTrade(base, limitsOf(...(stack as JsonObject[]), later as JsonObject));
      for (const tier of [0, 1, 2] as const)
        expect(compareDecimals(after.ceilings[tier], before.ceilings[tier])).toBeLessThanOrEqual(0);
      expect(compareDecimals(after.maxLoss, before.maxLoss)).toBeLessThanOrEqual(0);
      expect(after.maxSlippageBps).toBeLessThanOrEqual(before.maxSlippageBps);
      expect(after.warnTradesPerMinute).toBeLessThanOrEqual(before.warnTradesPerMinute);
      expect(after.denyTradesPerMinute).toBeLessThanOrEqual(before.denyTradesPerMinute);
      if (before.unregistered === "denied") expect(after.unregistered).toBe("denied");
    }),
  );
});

describe("refuses", () => {
  test.each<{ it: string; section: JsonObject; want: string }>([
    { it: "two ceilings", section: { ceilings_usd: ["1", "2"] }, want: "policy.out_of_range /trade/ceilings_usd" },
    {
      it: "a ceiling that is a number",
      section: { ceilings_usd: [1, "2", "3"] },
      want: "policy.amount /trade/ceilings_usd/0",
    },
    {
      it: "a slippage beyond the published one",
      section: { max_slippage_bps: 501 },
      want: "policy.out_of_range /trade/max_slippage_bps",
    },
    { it: "an unknown key", section: { max_loss: "1" }, want: "policy.unknown_key /trade/max_loss" },
  ])("$it", ({ section, want }) => {
    const read = readPart({ trade: section }, "org:acme");
    expect(read.ok ? [] : read.error.map(({ code, path }) => `${code} ${path}`)).toEqual([want]);
  });
});
