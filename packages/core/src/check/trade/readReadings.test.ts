import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { formatDecimal } from "../../money/decimal.ts";
import { TOKEN_FACTOR_NAMES } from "../token/factors.ts";
import { readReadings } from "./readReadings.ts";

const NVDA = "0xD0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC";
const TOKEN: JsonObject = {
  yes: ["owner_can_mint"],
  unknown: ["holder_sells_fail"],
  notRun: ["holders"],
  taxBps: { buy: 0, sell: null, transfer: 10_000 },
  sellSimulationOk: null,
};
const ORACLE: JsonObject = {
  roundId: "9",
  answer: "-20000000000",
  startedAt: "1",
  updatedAt: "2",
  answeredInRound: "9",
  decimals: 8,
  paused: false,
  sequencer: { answer: "0", startedAt: "5" },
};
const POOL: JsonObject = { venue: "uniswap_v4", bid: "199.4", ask: "200.6", spot: "200", depth: "1414200" };
const WHOLE: JsonObject = {
  address: NVDA,
  block: { number: "7", hash: `0x${"ab".repeat(32)}` },
  token: TOKEN,
  oracle: ORACLE,
  pool: POOL,
};

describe("recorded readings", () => {
  test("are read whole: what is not named of a token is no, and nothing is rounded", () => {
    const read = readReadings(WHOLE, 4663);
    if (!read.ok) throw new Error(read.error.path);
    const { address, readings } = read.value;
    expect(address).toBe(NVDA.toLowerCase());
    if (!readings.token.known) throw new Error("test data");
    const { flags, stages, taxBps, chainId } = readings.token.value;
    expect(chainId).toBe(4663);
    expect(taxBps).toEqual({ buy: 0, sell: null, transfer: 10_000 });
    expect(stages.filter(({ status }) => status !== "ran").map(({ stage }) => stage)).toEqual(["holders"]);
    const told = TOKEN_FACTOR_NAMES.filter((name) => flags[name].value !== "no");
    expect(told.map((name) => [name, flags[name].value])).toEqual([
      ["holder_sells_fail", "unknown"],
      ["owner_can_mint", "yes"],
    ]);
    expect(readings.oracle).toMatchObject({ state: "read", answer: -20_000_000_000n, sequencer: { startedAt: 5n } });
    expect(readings.pool?.state === "quoted" && formatDecimal(readings.pool.bid)).toBe("199.4");
  });

  test("may be failures, or not be there", () => {
    const failed = { failed: "the node did not answer in time" };
    const read = readReadings({ ...WHOLE, token: failed, oracle: failed, pool: null }, 4663);
    if (!read.ok) throw new Error(read.error.path);
    const { token, oracle, pool } = read.value.readings;
    expect(token).toEqual({ known: false, reason: failed.failed });
    expect(oracle).toEqual({ state: "failed", reason: failed.failed });
    expect(pool).toBeNull();
  });

  test.each<[string, JsonObject]>([
    ["", { colour: "red" }],
    ["/address", { address: "NVDA" }],
    ["/block/hash", { block: { number: "7", hash: "0x12" } }],
    ["/block/number", { block: { number: 7, hash: `0x${"ab".repeat(32)}` } }],
    ["/token", { token: null }],
    ["/token/yes/0", { token: { ...TOKEN, yes: ["is_nice"] } }],
    ["/token/unknown/0", { token: { ...TOKEN, yes: ["holder_sells_fail"] } }],
    ["/token/notRun/0", { token: { ...TOKEN, notRun: ["all"] } }],
    ["/token/taxBps/buy", { token: { ...TOKEN, taxBps: { buy: -1, sell: 0, transfer: 0 } } }],
    ["/token/sellSimulationOk", { token: { ...TOKEN, sellSimulationOk: "yes" } }],
    ["/token/failed", { token: { failed: "" } }],
    ["/oracle/answer", { oracle: { ...ORACLE, answer: 20 } }],
    ["/oracle/answer", { oracle: { ...ORACLE, answer: "2e10" } }],
    ["/oracle/answer", { oracle: { ...ORACLE, answer: "٢" } }],
    ["/oracle/paused", { oracle: { ...ORACLE, paused: "no" } }],
    ["/oracle/sequencer/answer", { oracle: { ...ORACLE, sequencer: { answer: "up", startedAt: "0" } } }],
    ["/pool/bid", { pool: { ...POOL, bid: "-1" } }],
    ["/pool/bid", { pool: { ...POOL, bid: 199.4 } }],
    ["/pool/venue", { pool: { ...POOL, venue: "sushi" } }],
    ["/pool/failed", { pool: { ...POOL, failed: "no", state: "quoted" } }],
  ])("are refused as a whole for what is wrong at %s: %j", (path, change) => {
    const read = readReadings({ ...WHOLE, ...change }, 4663);
    expect(read).toMatchObject({ ok: false, error: { code: "readings.malformed" } });
    if (path !== "" && path !== "/pool/failed") expect(read.ok ? null : read.error.path).toBe(path);
  });

  test("of any JSON are readings or refused", () => {
    const part = fc.constantFrom(...Object.keys(WHOLE));
    fc.assert(
      fc.property(part, fc.jsonValue({ maxDepth: 4 }), (name, value) => {
        const read = readReadings({ ...WHOLE, [name]: value as JsonValue }, 4663);
        if (!read.ok) expect(read.error.path.startsWith(`/${name}`)).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => void readReadings(value as JsonValue, 4663)));
  });
});
