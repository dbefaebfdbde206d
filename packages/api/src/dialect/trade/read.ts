import {
  type Decimal,
  decimalFromNumber,
  err,
  formatDecimal,
  isObject,
  type JsonValue,
  ok,
  type Result,
  signedDecimalFromNumber,
} from "@countersign/core";
import { invalid, type Problem } from "../../problem.ts";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { auditTrailInput, evaluateTradeInput, simulateBalanceInput, tokenSafetyInput } from "./schema.ts";

/** One trade that is asked about. Addresses are in lower case: they compare as bytes. */
export interface TradeQuestion {
  readonly wallet: string;
  readonly symbol: string;
  readonly address: string;
  readonly side: "buy" | "sell";
  /** Whole tokens. */
  readonly amount: Decimal;
  readonly maxSlippageBps: number;
  readonly requestId: string | null;
  readonly unregistered: "refused" | "requested";
}

export interface BalanceQuestion {
  readonly token: string;
  readonly holder: string;
  /** Signed decimal. */
  readonly delta: string;
  readonly decimals: number;
}

export interface AuditQuestion {
  readonly wallet: string;
  readonly limit: number;
}

const ADDRESS = "^0x[0-9a-fA-F]{40}$";
const address = { type: "string", pattern: ADDRESS } as const satisfies InputSchema;

/** The published schema leaves these open; what is judged has a form and an end. */
const trade: InputSchema = {
  ...evaluateTradeInput,
  properties: {
    ...evaluateTradeInput.properties,
    asset: { type: "string", minLength: 1, maxLength: 64 },
    wallet: address,
    contract_address: address,
    request_id: { type: "string", minLength: 1, maxLength: 128 },
    // Not listed: whoever asks for it must know what it is, and the operator has to permit it besides.
    allow_unregistered: { type: "boolean" },
  },
};
const safety: InputSchema = { ...tokenSafetyInput, properties: { contract_address: address } };
const balance: InputSchema = {
  ...simulateBalanceInput,
  properties: { ...simulateBalanceInput.properties, holder: address, token_address: address },
};
const audit: InputSchema = {
  ...auditTrailInput,
  properties: { ...auditTrailInput.properties, wallet: address },
};

interface TradeInput {
  readonly side: "buy" | "sell";
  readonly asset: string;
  readonly amount: number;
  readonly wallet: string;
  readonly request_id?: string;
  readonly contract_address: string;
  readonly max_slippage_bps?: number;
  readonly allow_unregistered?: boolean;
}

export function readTradeQuestion(input: JsonValue): Result<TradeQuestion, Problem> {
  const read = validated<TradeInput>(trade, input);
  if (!read.ok) return read;
  const given = read.value;
  const amount = decimalFromNumber(given.amount);
  if (!amount.ok)
    return err(invalid([{ path: "/amount", message: amount.error.message, expected: amount.error.expected }]));
  return ok({
    wallet: given.wallet.toLowerCase(),
    symbol: given.asset,
    address: given.contract_address.toLowerCase(),
    side: given.side,
    amount: amount.value,
    maxSlippageBps: given.max_slippage_bps ?? evaluateTradeInput.properties.max_slippage_bps.default,
    requestId: given.request_id ?? null,
    unregistered: given.allow_unregistered === true ? "requested" : "refused",
  });
}

/** The address of a token, in lower case. */
export function readTokenQuestion(input: JsonValue): Result<string, Problem> {
  const read = validated<{ readonly contract_address: string }>(safety, input);
  return read.ok ? ok(read.value.contract_address.toLowerCase()) : read;
}

export function readBalanceQuestion(input: JsonValue): Result<BalanceQuestion, Problem> {
  const read = validated<{
    readonly delta: number;
    readonly holder: string;
    readonly token_address: string;
    readonly decimals?: number;
  }>(balance, input);
  if (!read.ok) return read;
  const {
    delta,
    holder,
    token_address: token,
    decimals = simulateBalanceInput.properties.decimals.default,
  } = read.value;
  const exact = signedDecimalFromNumber(delta);
  if (!exact.ok)
    return err(invalid([{ path: "/delta", message: exact.error.message, expected: exact.error.expected }]));
  return ok({ token: token.toLowerCase(), holder: holder.toLowerCase(), delta: formatDecimal(exact.value), decimals });
}

export function readAuditQuestion(input: JsonValue): Result<AuditQuestion, Problem> {
  const read = validated<{ readonly wallet: string; readonly limit?: number }>(audit, input);
  if (!read.ok) return read;
  const { wallet, limit = auditTrailInput.properties.limit.default } = read.value;
  return ok({ wallet: wallet.toLowerCase(), limit });
}

/** A payment that came among the arguments, and the arguments without it: paid either way, the same is asked. */
export function splitProof(input: JsonValue): { readonly input: JsonValue; readonly proof: string | null } {
  if (!isObject(input) || typeof input["payment_proof"] !== "string") return { input, proof: null };
  const { payment_proof: proof, ...rest } = input;
  return { input: rest, proof };
}

function validated<T>(schema: InputSchema, input: JsonValue): Result<T, Problem> {
  const [first, ...rest] = inputFaults(schema, input);
  return first === undefined ? ok(input as unknown as T) : err(invalid([first, ...rest]));
}
