import {
  compareInstants,
  err,
  type Instant,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  parseInstant,
  type Result,
} from "@countersign/core";
import type { Fault } from "../../problem.ts";

export type SpendCode =
  | "incomplete_spend_block"
  | "negative_amount"
  | "negative_mandate_value"
  | "exceeds_max_per_tx"
  | "exceeds_max_period"
  | "asset_not_allowed"
  | "counterparty_not_allowed"
  | "mandate_expired";

export interface SpendCheck {
  readonly codes: readonly SpendCode[];
  readonly check: JsonObject;
}

export const SKIPPED_SPEND: SpendCheck = { codes: [], check: { status: "skip", reason_codes: [] } };

/**
 * A payment against the mandate that comes with it, in atomic units of one asset. Equal to a limit passes, and the
 * instant of expiry still counts. A list of assets or counterparties that is empty or missing restricts nobody here.
 * Fails with the member that cannot be read.
 */
export function judgeSpend(spend: JsonObject, now: Instant): Result<SpendCheck, Fault> {
  const time = readTime(spend, "now", "/spend", now);
  if (!time.ok) return time;
  const proposal = member(spend, "proposal");
  const mandate = member(spend, "mandate");
  if (proposal === null || mandate === null) return ok(INCOMPLETE);
  if (!isObject(proposal)) return unreadable("/spend/proposal", "an object");
  if (!isObject(mandate)) return unreadable("/spend/mandate", "an object");
  const read = readFigures(proposal, mandate);
  if (!read.ok) return read;
  const expires = readTime(mandate, "expires_at", "/spend/mandate", null);
  if (!expires.ok) return expires;
  return ok(judge(read.value, expires.value !== null && compareInstants(time.value ?? now, expires.value) > 0));
}

const INCOMPLETE: SpendCheck = {
  codes: ["incomplete_spend_block"],
  check: { status: "fail", reason_codes: ["incomplete_spend_block"], allowed: false },
};

interface Figures {
  readonly amount: bigint;
  readonly perTx: bigint;
  readonly period: bigint;
  readonly spent: bigint;
  readonly assetFits: boolean;
  readonly counterpartyFits: boolean;
}

function judge({ amount, perTx, period, spent, assetFits, counterpartyFits }: Figures, expired: boolean): SpendCheck {
  const failed: readonly (readonly [SpendCode, boolean])[] = [
    ["negative_amount", amount < 0n],
    ["negative_mandate_value", perTx < 0n || period < 0n || spent < 0n],
    ["exceeds_max_per_tx", amount > perTx],
    ["exceeds_max_period", spent + amount > period],
    ["asset_not_allowed", !assetFits],
    ["counterparty_not_allowed", !counterpartyFits],
    ["mandate_expired", expired],
  ];
  const codes = failed.filter(([, fails]) => fails).map(([code]) => code);
  const before = period - spent;
  const allowed = codes.length === 0;
  return {
    codes,
    check: {
      status: allowed ? "pass" : "fail",
      allowed,
      reason_codes: codes,
      amount_atomic: amount.toString(),
      remaining_before_atomic: before.toString(),
      remaining_after_atomic: (allowed ? before - amount : before).toString(),
    },
  };
}

function readFigures(proposal: JsonObject, mandate: JsonObject): Result<Figures, Fault> {
  const amount = readAtomic(proposal, "amount_atomic", "/spend/proposal");
  if (!amount.ok) return amount;
  const perTx = readAtomic(mandate, "max_per_tx_atomic", "/spend/mandate");
  if (!perTx.ok) return perTx;
  const period = readAtomic(mandate, "max_period_atomic", "/spend/mandate");
  if (!period.ok) return period;
  const spent = readAtomic(mandate, "spent_period_atomic", "/spend/mandate", 0n);
  if (!spent.ok) return spent;
  const assetFits = isListed(proposal, "asset", mandate, "allowed_assets");
  if (!assetFits.ok) return assetFits;
  const counterpartyFits = isListed(proposal, "counterparty", mandate, "allowed_counterparties");
  if (!counterpartyFits.ok) return counterpartyFits;
  return ok({
    amount: amount.value,
    perTx: perTx.value,
    period: period.value,
    spent: spent.value,
    assetFits: assetFits.value,
    counterpartyFits: counterpartyFits.value,
  });
}

/** As many as the largest 256-bit integer has. */
const MOST_DIGITS = 78;
const integer = new RegExp(`^-?(?:0|[1-9][0-9]{0,${MOST_DIGITS - 1}})$`);

/** Digits as text, with a sign, since a negative amount is a verdict here and no error; or a number that is exact. */
function readAtomic(object: JsonObject, name: string, at: string, absent?: bigint): Result<bigint, Fault> {
  const value = member(object, name);
  if (value === null && absent !== undefined) return ok(absent);
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && integer.test(text)) return ok(BigInt(text));
  return unreadable(`${at}/${name}`, `an integer of atomic units as text, at most ${MOST_DIGITS} digits`);
}

/** Letter by letter. A proposal that names nobody is on no list. */
function isListed(proposal: JsonObject, name: string, mandate: JsonObject, list: string): Result<boolean, Fault> {
  const allowed = member(mandate, list);
  const proposed = member(proposal, name);
  if (proposed !== null && typeof proposed !== "string") return unreadable(`/spend/proposal/${name}`, "text");
  if (allowed === null) return ok(true);
  if (!Array.isArray(allowed) || !allowed.every((one) => typeof one === "string")) {
    return unreadable(`/spend/mandate/${list}`, "a list of texts");
  }
  return ok(allowed.length === 0 || (proposed !== null && allowed.includes(proposed)));
}

/** A time that is there and cannot be read is an error: passed over, it would be an expiry that never comes. */
function readTime(object: JsonObject, name: string, at: string, absent: Instant | null): Result<Instant | null, Fault> {
  const value = member(object, name);
  if (value === null) return ok(absent);
  const time = parseInstant(value);
  return time.ok ? ok(time.value) : unreadable(`${at}/${name}`, time.error.expected);
}

/** Absent and null are the same here. */
const member = (object: JsonObject, name: string): JsonValue =>
  Object.hasOwn(object, name) ? (object[name] ?? null) : null;

const unreadable = (path: string, expected: string) =>
  err<Fault>({ path, message: `${path.slice(1).replaceAll("/", ".")} cannot be read`, expected });
