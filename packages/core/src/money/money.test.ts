import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../testing.ts";
import { fromAtomic, parseAtomic, toAtomic } from "./atomic.ts";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalFromNumber,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  parseSignedDecimal,
  roundDecimal,
  signedDecimalFromNumber,
  subtractDecimals,
  zero,
} from "./decimal.ts";
import { addMoney, compareMoney, formatMoney, type Money, parseCurrency, parseMoney, subtractMoney } from "./money.ts";

const decimal = (text: string): Decimal => {
  const read = parseSignedDecimal(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const code = (result: ReturnType<typeof parseDecimal> | ReturnType<typeof parseAtomic>): string =>
  result.ok ? "accepted" : result.error.code;
const amountText = fc.stringMatching(/^(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/);
const signedText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/);

describe("decimals", () => {
  test.each([
    ["1e3", "amount.malformed"],
    ["-1", "amount.malformed"],
    ["+1", "amount.malformed"],
    [" 1", "amount.malformed"],
    ["1\n", "amount.malformed"],
    ["1,5", "amount.malformed"],
    ["01", "amount.malformed"],
    [".5", "amount.malformed"],
    ["5.", "amount.malformed"],
    ["0x10", "amount.malformed"],
    ["\u0661", "amount.malformed"],
    ["", "amount.malformed"],
    [1, "amount.malformed"],
    [null, "amount.malformed"],
    [["1"], "amount.malformed"],
    [{ toString: () => "1" }, "amount.malformed"],
    ["9".repeat(78), "accepted"],
    ["9".repeat(79), "amount.too_long"],
    [`0.${"1".repeat(77)}`, "accepted"],
    [`0.${"1".repeat(78)}`, "amount.too_long"],
    ["9".repeat(1_000_000), "amount.too_long"],
    ["x".repeat(1_000_000), "amount.too_long"],
  ])("%j as an amount: %s", (text, want) => {
    expect(code(parseDecimal(text))).toBe(want);
  });

  test.each([
    ["-0", "0"],
    ["-0.50", "-0.5"],
    ["-12", "-12"],
    ["7", "7"],
  ])("%s as a signed amount is %s", (text, want) => {
    expect(formatDecimal(decimal(text))).toBe(want);
  });

  test.each(["--1", "-", "+1", "-.5", "-1e3", `-${"9".repeat(79)}`, -1])("%j is no signed amount", (text) => {
    expect(parseSignedDecimal(text).ok).toBe(false);
  });

  test.each([
    [0.1, "0.1"],
    [-0, "0"],
    [19.99, "19.99"],
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [123456789012345680000, "123456789012345680000"],
    [1e77, `1${"0".repeat(77)}`],
    [1e78, "amount.too_long"],
    [1e-77, `0.${"0".repeat(76)}1`],
    [1e-78, "amount.too_long"],
    [5e-324, "amount.too_long"],
    [-0.01, "amount.negative"],
    [Number.NaN, "amount.malformed"],
    [Number.POSITIVE_INFINITY, "amount.malformed"],
  ])("the number %s as an amount is %s", (number, want) => {
    const read = decimalFromNumber(number);
    expect(read.ok ? formatDecimal(read.value) : read.error.code).toBe(want);
  });

  test("a number means its shortest decimal, and reads back as the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e40, max: 1e40 }), (number) => {
        const read = signedDecimalFromNumber(number);
        if (read.ok) expect(Number(formatDecimal(read.value)) === number).toBe(true);
        else expect(Math.abs(number)).toBeLessThan(1e-17);
      }),
    );
  });

  test("equal amounts have one spelling, and it reads back", () => {
    fc.assert(
      fc.property(amountText, fc.nat(10), (text, zeros) => {
        const padded = (text.includes(".") ? text : `${text}.0`) + "0".repeat(zeros);
        expect(formatDecimal(decimal(padded))).toBe(formatDecimal(decimal(text)));
        expect(decimal(formatDecimal(decimal(text)))).toEqual(decimal(text));
      }),
    );
  });

  /** The obvious way: everything as an integer of 60 fraction digits. */
  const fixed = (text: string): bigint => {
    const [whole = "", fraction = ""] = text.replace("-", "").split(".");
    const value = BigInt(whole + fraction.padEnd(60, "0"));
    return text.startsWith("-") ? -value : value;
  };

  test("compares, adds, subtracts and multiplies as integers do", () => {
    fc.assert(
      fc.property(signedText, signedText, (a, b) => {
        const [left, right] = [decimal(a), decimal(b)];
        const difference = fixed(a) - fixed(b);
        expect(compareDecimals(left, right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
        expect(fixed(formatDecimal(addDecimals(left, right)))).toBe(fixed(a) + fixed(b));
        expect(fixed(formatDecimal(subtractDecimals(left, right)))).toBe(difference);
        expect(fixed(formatDecimal(multiplyDecimals(left, right))) * 10n ** 60n).toBe(fixed(a) * fixed(b));
      }),
      { numRuns: 1000 },
    );
  });

  test("rounds only where it is told to, and only in the direction it is told", () => {
    fc.assert(
      fc.property(signedText, fc.nat(12), (text, scale) => {
        const exact = decimal(text);
        const [down, up] = [roundDecimal(exact, scale, "down"), roundDecimal(exact, scale, "up")];
        const step = decimal(scale === 0 ? "1" : `0.${"0".repeat(scale - 1)}1`);
        expect(Math.max(down.scale, up.scale)).toBeLessThanOrEqual(scale);
        expect(compareDecimals(down, exact)).not.toBe(1);
        expect(compareDecimals(up, exact)).not.toBe(-1);
        const gap = subtractDecimals(up, down);
        expect(exact.scale <= scale ? compareDecimals(gap, zero) : compareDecimals(gap, step)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("atomic units", () => {
  test.each([
    ["0", "accepted"],
    ["9".repeat(78), "accepted"],
    ["9".repeat(79), "amount.too_long"],
    ["01", "amount.malformed"],
    ["1.0", "amount.malformed"],
    ["-1", "amount.malformed"],
    ["", "amount.malformed"],
    [1, "amount.malformed"],
  ])("%j: %s", (text, want) => {
    expect(code(parseAtomic(text))).toBe(want);
  });

  test("go there and back without loss", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(36), (units, decimals) => {
        expect(toAtomic(fromAtomic(units, decimals), decimals)).toEqual({ ok: true, value: units });
      }),
    );
  });
});

describe("money", () => {
  const money = (value: string, currency: string): Money => {
    const read = parseMoney(value, currency);
    if (!read.ok) throw new Error(read.error.code);
    return read.value;
  };
  const token = "eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

  test("of two currencies is never compared, added or subtracted", () => {
    const [dollars, euros] = [money("1", "USD"), money("1", "EUR")];
    for (const result of [compareMoney(dollars, euros), addMoney(dollars, euros), subtractMoney(dollars, euros)]) {
      expect(result).toMatchObject({ ok: false, error: { code: "amount.currency_mismatch" } });
    }
  });

  test("of one currency is compared, added and subtracted exactly", () => {
    const [a, b] = [money("0.1", "USDC"), money("0.20", "USDC")];
    expect(compareMoney(a, b)).toEqual({ ok: true, value: -1 });
    const [sum, rest] = [addMoney(a, b), subtractMoney(a, b)];
    expect(sum.ok && formatMoney(sum.value)).toEqual({ value: "0.3", currency: "USDC" });
    expect(rest.ok && formatMoney(rest.value)).toEqual({ value: "-0.1", currency: "USDC" });
  });

  test("on a chain is the same asset however its address is written", () => {
    const [a, b] = [money("1", token), money("1", token.toLowerCase())];
    expect(compareMoney(a, b)).toEqual({ ok: true, value: 0 });
    expect(a).toEqual(b);
  });

  test.each(["", " USD", "US D", "USD\n", "USD\u0421", "\uff35SD", "U\u200bSD", "x".repeat(129), 1, null, undefined])(
    "%j is no currency",
    (currency) => {
      expect(parseCurrency(currency)).toMatchObject({ ok: false, error: { code: "amount.currency_malformed" } });
      expect(parseMoney("1", currency)).toMatchObject({ ok: false, error: { path: "/currency" } });
    },
  );

  test("says which member is at fault", () => {
    expect(parseMoney("1e3", "USD")).toMatchObject({ ok: false, error: { code: "amount.malformed", path: "/value" } });
  });

  test.each(["USD", "usd", "USDC.e", "__proto__", "constructor"])("%s is a currency and keeps its case", (currency) => {
    expect(parseCurrency(currency)).toEqual({ ok: true, value: currency });
  });
});

interface Wire {
  readonly value: string;
  readonly currency: string;
}
type Row = { readonly id: string; readonly why: string } & (
  | { readonly op: "parse"; readonly text: unknown; readonly valid: boolean; readonly canonical?: string }
  | { readonly op: "to_atomic"; readonly text: string; readonly decimals: number; readonly atomic?: string }
  | { readonly op: "from_atomic"; readonly atomic: string; readonly decimals: number; readonly text: string }
  | { readonly op: "compare"; readonly a: string; readonly b: string; readonly order: number }
  | { readonly op: "sum"; readonly terms: readonly string[]; readonly total: string }
  | {
      readonly op: "within_limits";
      readonly amount: Wire;
      readonly max_per_tx?: Wire;
      readonly spent_in_period?: Wire;
      readonly max_period?: Wire;
      readonly within: boolean;
    }
);

sharedSuite("conformance/money", (folder) => {
  const rows = readFileSync(join(folder, "own-money.jsonl"), "utf8").trimEnd().split("\n");
  const judge: { readonly [op in Row["op"]]: (row: Extract<Row, { op: op }>) => void } = {
    parse(row) {
      const read = parseDecimal(row.text);
      expect(read.ok ? formatDecimal(read.value) : undefined).toBe(row.valid ? row.canonical : undefined);
    },
    to_atomic(row) {
      const units = toAtomic(decimal(row.text), row.decimals);
      expect(units.ok ? units.value.toString() : undefined).toBe(row.atomic);
    },
    from_atomic(row) {
      const units = parseAtomic(row.atomic);
      expect(units.ok && formatDecimal(fromAtomic(units.value, row.decimals))).toBe(row.text);
    },
    compare(row) {
      expect(compareDecimals(decimal(row.a), decimal(row.b))).toBe(row.order);
    },
    sum(row) {
      expect(formatDecimal(row.terms.map(decimal).reduce(addDecimals, zero))).toBe(row.total);
    },
    within_limits(row) {
      const read = (wire: Wire | undefined): Money | undefined => {
        if (wire === undefined) return undefined;
        const money = parseMoney(wire.value, wire.currency);
        return money.ok ? money.value : undefined;
      };
      const within = (amount: Money, limit: Money): boolean => {
        const order = compareMoney(amount, limit);
        return order.ok && order.value <= 0;
      };
      const amount = read(row.amount);
      const spent = read(row.spent_in_period);
      const total = amount === undefined || spent === undefined ? undefined : addMoney(amount, spent);
      const [perTx, period] = [read(row.max_per_tx), read(row.max_period)];
      const perTxHolds = row.max_per_tx === undefined || (!!amount && !!perTx && within(amount, perTx));
      const periodHolds = row.max_period === undefined || (!!total?.ok && !!period && within(total.value, period));
      expect(perTxHolds && periodHolds).toBe(row.within);
    },
  };
  test.each(rows.map((row) => JSON.parse(row) as Row))("$id $op: $why", (row) => {
    (judge[row.op] as (row: Row) => void)(row);
  });
});
