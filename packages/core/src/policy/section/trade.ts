import type { TradeLimits } from "../../check/trade/narrowTrade.ts";
import { TRADE_SETTINGS } from "../../check/trade/trade.ts";
import type { JsonValue } from "../../json/value.ts";
import { type Decimal, parseDecimal } from "../../money/decimal.ts";
import type { Report } from "../problem.ts";
import { readInteger, readList, readObject, readOneOf } from "../reader.ts";

/**
 * `trade: {ceilings_usd?, max_loss_usd?, max_slippage_bps?, warn_trades_per_minute?, deny_trades_per_minute?,
 * unregistered?}`
 */
export function readTradeLimits(value: JsonValue, path: string, report: Report): TradeLimits | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const dollars = (one: JsonValue, at: string) => readDollars(one, at, report);
  const ceilings = object.optional("ceilings_usd", (list, at) => {
    const read = readList(list, at, report, 3, dollars, 3);
    const [first, second, third] = read ?? [];
    return first === undefined || second === undefined || third === undefined
      ? undefined
      : ([first, second, third] as const);
  });
  const maxLoss = object.optional("max_loss_usd", dollars);
  const count = (key: string, most: number) => object.optional(key, (one, at) => readInteger(one, at, report, 0, most));
  const maxSlippageBps = count("max_slippage_bps", TRADE_SETTINGS.maxSlippageBps);
  const warnTradesPerMinute = count("warn_trades_per_minute", TRADE_SETTINGS.warnTradesPerMinute);
  const denyTradesPerMinute = count("deny_trades_per_minute", TRADE_SETTINGS.denyTradesPerMinute);
  const unregistered = object.optional("unregistered", (one, at) =>
    readOneOf(one, at, report, ["denied", "allowed_when_safe"]),
  );
  object.close();
  return {
    ...(ceilings === undefined ? {} : { ceilings }),
    ...(maxLoss === undefined ? {} : { maxLoss }),
    ...(maxSlippageBps === undefined ? {} : { maxSlippageBps }),
    ...(warnTradesPerMinute === undefined ? {} : { warnTradesPerMinute }),
    ...(denyTradesPerMinute === undefined ? {} : { denyTradesPerMinute }),
    ...(unregistered === undefined ? {} : { unregistered }),
  };
}

function readDollars(value: JsonValue, path: string, report: Report): Decimal | undefined {
  const read = parseDecimal(value);
  if (read.ok) return read.value;
  report("policy.amount", path, read.error.message, 'dollars as text, "1000"');
  return undefined;
}
