import {
  type Ask,
  BLANK_POLICY,
  decimalFromNumber,
  digest,
  type EffectivePolicy,
  err,
  type FieldRule,
  type Finding,
  type JsonObject,
  type JsonValue,
  type Money,
  type Names,
  ok,
  prepareFields,
  type Result,
  type RowContract,
  type SpendRules,
  THRESHOLDS,
} from "@countersign/core";
import { invalid, type Problem } from "../../problem.ts";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { checkActionInput, checkSpendInput, cleanDataInput, validateDataInput } from "./schema.ts";

/** One question in the model's words. */
export interface Question {
  readonly ask: Ask;
  readonly policy: EffectivePolicy;
}

/** What this interface calls the band that stops: the shipped block threshold. Below it nothing is found. */
const DETECTION = { warn: THRESHOLDS.block, quarantine: THRESHOLDS.block, block: THRESHOLDS.block } as const;

/** Amounts here have no currency: the caller compares like with like. */
const UNIT = "unit";

/** Nobody is known here: advice rests on what the call carries, not on who sent it. */
const ASKER = { tenant: "caller", agent: "caller", teams: [] } as const;

interface CheckAction {
  readonly action: JsonObject & { readonly type: string; readonly amount?: number; readonly merchant?: string };
  readonly data?: JsonObject;
  readonly contract?: { readonly [path: string]: FieldRule };
  readonly allow_extra?: boolean;
  readonly evidence?: readonly { readonly source: string }[];
  readonly trusted_sources?: readonly string[];
  readonly require_evidence?: boolean;
  readonly detect_instructions?: boolean;
  readonly remaining_budget?: number;
  readonly per_transaction_limit?: number;
  readonly allowed_merchants?: readonly string[];
}

export function readCheckAction(input: JsonValue): Result<Question, Problem> {
  const read = validated<CheckAction>(checkActionInput, input);
  if (!read.ok) return read;
  const { action, data, contract, evidence = [], trusted_sources: trusted, ...rules } = read.value;
  const pays = action.type === "payment";
  const payment = readPayment({ ...rules, amount: action.amount, merchant: action.merchant }, "/action/amount");
  if (!payment.ok) return payment;
  const detect = rules.detect_instructions ?? true;
  return ok({
    ask: {
      asker: ASKER,
      action: { kind: "unspecified", verb: "act", target: "", ...(pays ? payment.value.action : {}) },
      material: {
        evidence: evidence.map(({ source }) => ({ source })),
        ...(contract === undefined ? {} : { data: data ?? {} }),
        ...(detect && data !== undefined ? { texts: [{ surface: "incoming", text: JSON.stringify(data) }] } : {}),
      },
    },
    policy: {
      ...policyOf(read.value, ["action", "data", "evidence"]),
      spend: pays ? [payment.value.rules] : [],
      given: pays && rules.remaining_budget === undefined ? [BUDGET_REQUIRED] : [],
      evidence: {
        required: rules.require_evidence ?? true,
        trusted: trusted === undefined ? { everyone: true } : { only: trusted },
        maxAge: {},
      },
      contracts: contract === undefined ? [] : [contractOf(contract, rules.allow_extra)],
      screening: detect
        ? {
            mode: "enforce",
            thresholds: DETECTION,
            surfaces: { incoming: true, outgoing: false, tool_calls: false, tool_responses: false },
          }
        : null,
    },
  });
}

interface CheckSpend extends Limits {
  readonly amount: number;
  readonly merchant?: string;
}

export function readCheckSpend(input: JsonValue): Result<Question, Problem> {
  const read = validated<CheckSpend>(checkSpendInput, input);
  if (!read.ok) return read;
  const payment = readPayment(read.value, "/amount");
  if (!payment.ok) return payment;
  return ok({
    ask: { asker: ASKER, action: { verb: "pay", target: "", ...payment.value.action } },
    policy: { ...policyOf(read.value, ["amount", "merchant"]), spend: [payment.value.rules] },
  });
}

interface ValidateData {
  readonly data: JsonObject;
  readonly fields: { readonly [path: string]: FieldRule };
  readonly allow_extra?: boolean;
}

export function readValidateData(input: JsonValue): Result<Question, Problem> {
  const read = validated<ValidateData>(validateDataInput, input);
  if (!read.ok) return read;
  const { data, fields, allow_extra: allowExtra } = read.value;
  return ok({
    ask: { asker: ASKER, material: { data } },
    policy: { ...policyOf(read.value, ["data"]), contracts: [contractOf(fields, allowExtra)] },
  });
}

export interface CleanRequest {
  readonly rows: readonly JsonValue[];
  readonly contract: RowContract;
}

interface CleanData {
  readonly rows: readonly JsonValue[];
  readonly primary_key?: string;
  readonly required_fields?: readonly string[];
  readonly numeric_ranges?: RowContract["numericRanges"];
  readonly trim_strings?: boolean;
  readonly remove_duplicates?: boolean;
}

export const MOST_ROWS = 500;

/** Every rule is put to every row, so that a long list of them would make an answer many times its question. */
const MOST_RULES = 256;

/** Too many rows, and rows that are no objects, are bad rows and not bad requests: the answer to them is BLOCK. */
const cleanRequest: InputSchema = {
  ...cleanDataInput,
  properties: {
    ...cleanDataInput.properties,
    rows: { type: "array" },
    required_fields: { ...cleanDataInput.properties.required_fields, maxItems: MOST_RULES },
    numeric_ranges: { ...cleanDataInput.properties.numeric_ranges, maxItems: MOST_RULES },
  },
};

export function readCleanData(input: JsonValue): Result<CleanRequest, Problem> {
  const read = validated<CleanData>(cleanRequest, input);
  if (!read.ok) return read;
  const { rows, primary_key, required_fields, numeric_ranges, trim_strings, remove_duplicates } = read.value;
  return ok({
    rows,
    contract: {
      primaryKey: primary_key ?? "id",
      requiredFields: required_fields ?? [],
      numericRanges: numeric_ranges ?? [],
      strings: trim_strings === true ? "trim" : "keep",
      duplicateRows: remove_duplicates === true ? "drop" : "keep",
      maxRows: MOST_ROWS,
    },
  });
}

/** The input as its schema has it, which the type `T` says too. */
export function validated<T>(schema: InputSchema, input: JsonValue): Result<T, Problem> {
  const [first, ...rest] = inputFaults(schema, input);
  return first === undefined ? ok(input as unknown as T) : err(invalid([first, ...rest]));
}

interface Limits {
  readonly remaining_budget?: number;
  readonly per_transaction_limit?: number;
  readonly allowed_merchants?: readonly string[];
}

interface Payment {
  readonly action: { readonly kind: "transaction"; readonly amount?: Money; readonly counterparty?: string };
  readonly rules: SpendRules;
}

function readPayment(
  limits: Limits & { readonly amount?: number | undefined; readonly merchant?: string | undefined },
  amountPath: string,
): Result<Payment, Problem> {
  const amount = moneyOf(limits.amount, amountPath);
  const budget = moneyOf(limits.remaining_budget, "/remaining_budget");
  const limit = moneyOf(limits.per_transaction_limit, "/per_transaction_limit");
  if (!amount.ok) return amount;
  if (!budget.ok) return budget;
  if (!limit.ok) return limit;
  const counterparties: Names =
    limits.allowed_merchants === undefined ? { everyone: true } : { only: limits.allowed_merchants };
  return ok({
    action: {
      kind: "transaction",
      ...(amount.value === undefined ? {} : { amount: amount.value }),
      // An empty name is nobody, whom no list allows.
      ...(limits.merchant === undefined || limits.merchant === "" ? {} : { counterparty: limits.merchant }),
    },
    rules: {
      scope: SCOPE,
      ceilings: [
        ...(budget.value === undefined ? [] : [{ max: budget.value, code: "spend.budget_exceeded" as const }]),
        ...(limit.value === undefined ? [] : [{ max: limit.value, code: "spend.ceiling_exceeded" as const }]),
      ],
      budgets: [],
      counterparties,
      deniedCounterparties: [],
      amountRequired: ["transaction"],
      otherCurrencies: "block",
    },
  });
}

/** A JSON number means its shortest decimal here, as the contract has it. */
function moneyOf(value: number | undefined, path: string): Result<Money | undefined, Problem> {
  if (value === undefined) return ok(undefined);
  const amount = decimalFromNumber(value);
  if (amount.ok) return ok({ amount: amount.value, currency: UNIT });
  return err(invalid([{ path, message: amount.error.message, expected: amount.error.expected }]));
}

const SCOPE = "caller";

const contractOf = (fields: CheckAction["contract"] & object, allowExtra = true) => ({
  scope: SCOPE,
  id: "contract",
  fields: prepareFields({ fields, extra: allowExtra ? "allowed" : "refused" }),
  requiredFor: [],
});

/** What a call carries beside the question is its policy; what it does not mention is not judged. */
function policyOf(input: object, question: readonly string[]): EffectivePolicy {
  const rules = Object.entries(input).filter(([name]) => !question.includes(name));
  return {
    ...BLANK_POLICY,
    digest: digest("countersign-policy-v1", Object.fromEntries(rules)),
    origin: "caller",
    rule: "firewall",
  };
}

const BUDGET_REQUIRED: Finding = {
  check: "spend",
  code: "spend.budget_required",
  severity: "block",
  path: "/remaining_budget",
  message: "a payment needs the budget that remains",
  retry: "changed",
};
