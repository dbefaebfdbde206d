import type { JsonObject, JsonValue } from "../../json/value.ts";
import { type Decimal, parseDecimal } from "../../money/decimal.ts";
import { err, ok, type Result } from "../../result.ts";
import { type Known, TOKEN_FACTOR_NAMES, TOKEN_STAGES, type TokenFactor } from "../token/factors.ts";
import type { TokenFacts, TokenFlag } from "../token/report.ts";
import { address, listOf, Malformed, members, one, text, whole } from "./members.ts";
import type { OracleReading } from "./oracle.ts";
import type { PoolReading } from "./price.ts";
import type { TradeReadings } from "./readings.ts";
import type { Looked } from "./trade.ts";

/** Readings that were written down, and the token that they are about. */
export interface RecordedReadings {
  readonly address: string;
  readonly readings: TradeReadings;
}

export interface ReadingsFault {
  readonly code: "readings.malformed";
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

const DIGITS = /^-?(?:0|[1-9][0-9]{0,77})$/;
const HASH = /^0x[0-9a-f]{64}$/;

/**
 * Reads recorded readings: `{address, block, token, oracle, pool}`. A token is told by what is not "no": the factors
 * that are there, those that nobody could look at, and the stages that did not run. What was read from a chain as a
 * figure of any size is digits.
 */
export function readReadings(value: JsonValue, chainId: number): Result<RecordedReadings, ReadingsFault> {
  try {
    return ok(recordOf(value, chainId));
  } catch (thrown) {
    if (!(thrown instanceof Malformed)) throw thrown;
    return err({ code: "readings.malformed", path: thrown.path, message: thrown.message });
  }
}

function recordOf(value: JsonValue, chainId: number): RecordedReadings {
  const given = members(value, "", ["address", "block", "token", "oracle", "pool"]);
  const token = address(given["address"], "/address");
  const block = members(given["block"], "/block", ["number", "hash"]);
  const at = {
    number: integer(block["number"], "/block/number").toString(),
    hash: matching(block["hash"], "/block/hash", HASH, "a hash"),
  };
  return {
    address: token,
    readings: {
      block: at,
      token: lookedOf(given["token"], (one, path) => tokenOf(one, path, { chainId, address: token, block: at })),
      oracle: given["oracle"] === null ? null : oracleOf(given["oracle"], "/oracle"),
      pool: given["pool"] === null ? null : poolOf(given["pool"], "/pool"),
    },
  };
}

/** The reason of a reading that failed; undefined for one that did not. */
function failureOf(value: JsonValue | undefined, path: string): string | undefined {
  const given = typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  if (!Object.hasOwn(given, "failed")) return undefined;
  return text(members(given, path, ["failed"])["failed"], `${path}/failed`);
}

function lookedOf(
  value: JsonValue | undefined,
  read: (value: JsonValue | undefined, path: string) => TokenFacts,
): Looked<TokenFacts> {
  const reason = failureOf(value, "/token");
  return reason === undefined ? { known: true, value: read(value, "/token") } : { known: false, reason };
}

function tokenOf(
  value: JsonValue | undefined,
  path: string,
  about: Pick<TokenFacts, "chainId" | "address" | "block">,
): TokenFacts {
  const given = members(value, path, ["yes", "unknown", "notRun", "taxBps", "sellSimulationOk"]);
  const factors = (key: "yes" | "unknown") =>
    listOf(given[key], `${path}/${key}`, TOKEN_FACTOR_NAMES.length, (name, at) => one(name, at, TOKEN_FACTOR_NAMES));
  const [yes, unknown] = [factors("yes"), factors("unknown")];
  const twice = unknown.findIndex((name) => yes.includes(name));
  if (twice !== -1) throw new Malformed(`${path}/unknown/${twice}`, "cannot be known and unknown at once");
  const notRun = listOf(given["notRun"], `${path}/notRun`, TOKEN_STAGES.length, (name, at) =>
    one(name, at, TOKEN_STAGES),
  );
  const taxes = members(given["taxBps"], `${path}/taxBps`, ["buy", "sell", "transfer"]);
  const tax = (key: string) => (taxes[key] === null ? null : whole(taxes[key], `${path}/taxBps/${key}`, 0, 10_000));
  const sold = given["sellSimulationOk"];
  if (sold !== null && typeof sold !== "boolean")
    throw new Malformed(`${path}/sellSimulationOk`, "true, false or null is expected");
  const flag = (name: TokenFactor): TokenFlag => {
    const known: Known = yes.includes(name) ? "yes" : unknown.includes(name) ? "unknown" : "no";
    return { value: known, evidence: [] };
  };
  return {
    ...about,
    codeHash: "",
    authorities: [],
    stages: TOKEN_STAGES.map((stage) => ({
      stage,
      status: notRun.includes(stage) ? "failed" : "ran",
      calls: 0,
      ms: 0,
    })),
    flags: Object.fromEntries(TOKEN_FACTOR_NAMES.map((name) => [name, flag(name)])) as TokenFacts["flags"],
    taxBps: { buy: tax("buy"), sell: tax("sell"), transfer: tax("transfer") },
    sellSimulationOk: sold,
  };
}

function oracleOf(value: JsonValue | undefined, path: string): OracleReading {
  const reason = failureOf(value, path);
  if (reason !== undefined) return { state: "failed", reason };
  const rounds = ["roundId", "answer", "startedAt", "updatedAt", "answeredInRound"] as const;
  const given = members(value, path, [...rounds, "decimals"], ["paused", "sequencer"]);
  const figure = (key: (typeof rounds)[number]) => integer(given[key], `${path}/${key}`);
  const paused = given["paused"] ?? null;
  if (paused !== null && typeof paused !== "boolean")
    throw new Malformed(`${path}/paused`, "true, false or null is expected");
  const sequencer = given["sequencer"] ?? null;
  const uptime = sequencer === null ? null : members(sequencer, `${path}/sequencer`, ["answer", "startedAt"]);
  return {
    state: "read",
    roundId: figure("roundId"),
    answer: figure("answer"),
    startedAt: figure("startedAt"),
    updatedAt: figure("updatedAt"),
    answeredInRound: figure("answeredInRound"),
    decimals: whole(given["decimals"], `${path}/decimals`, 0, 255),
    paused,
    sequencer:
      uptime === null
        ? null
        : {
            answer: integer(uptime["answer"], `${path}/sequencer/answer`),
            startedAt: integer(uptime["startedAt"], `${path}/sequencer/startedAt`),
          },
  };
}

function poolOf(value: JsonValue | undefined, path: string): PoolReading {
  const reason = failureOf(value, path);
  if (reason !== undefined) return { state: "failed", reason };
  const given = members(value, path, ["venue", "bid", "ask", "spot", "depth"]);
  const dollars = (key: string) => decimal(given[key], `${path}/${key}`);
  return {
    state: "quoted",
    venue: one(given["venue"], `${path}/venue`, ["uniswap_v2", "uniswap_v3", "uniswap_v4"]),
    bid: dollars("bid"),
    ask: dollars("ask"),
    spot: dollars("spot"),
    depth: dollars("depth"),
  };
}

const integer = (value: JsonValue | undefined, path: string): bigint =>
  BigInt(matching(value, path, DIGITS, "digits as text"));

function matching(value: JsonValue | undefined, path: string, form: RegExp, what: string): string {
  if (typeof value === "string" && form.test(value)) return value;
  throw new Malformed(path, `${what} is expected`);
}

function decimal(value: JsonValue | undefined, path: string): Decimal {
  const read = parseDecimal(value);
  if (read.ok) return read.value;
  throw new Malformed(path, read.error.message);
}
