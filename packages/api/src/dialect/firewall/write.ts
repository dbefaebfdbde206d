import {
  type CleanedRows,
  type Decided,
  type Finding,
  type JsonObject,
  type Result,
  type RowError,
  type RowIssue,
  redact,
} from "@countersign/core";
import { VERSION } from "../../version.ts";
import { MOST_ROWS, type Question } from "./read.ts";

/** Stable, and all there are: see the codes of this dialect in the documentation. */
export type FirewallCode =
  | "EVIDENCE_REQUIRED"
  | "UNTRUSTED_SOURCE"
  | "INSTRUCTION_DETECTED"
  | "AMOUNT_REQUIRED"
  | "BUDGET_REQUIRED"
  | "BUDGET_EXCEEDED"
  | "TRANSACTION_LIMIT_EXCEEDED"
  | "MERCHANT_REQUIRED"
  | "MERCHANT_NOT_ALLOWED"
  | "REQUIRED_FIELD"
  | "TYPE_MISMATCH"
  | "BELOW_MIN"
  | "ABOVE_MAX"
  | "NOT_IN_ENUM"
  | "UNEXPECTED_FIELD"
  | "DUPLICATE_KEY"
  | "MISSING_PRIMARY_KEY"
  | "INVALID_ROW"
  | "INTERNAL_ERROR";

interface Reason {
  readonly code: FirewallCode;
  readonly field?: string;
  readonly expected?: string;
  readonly message: string;
  readonly note?: string;
  readonly row?: number;
}

/** The families of `trust_check_action`, in the order in which their reasons are listed. */
export const CHECKS = ["evidence", "trusted_sources", "instructions", "contract", "spend"] as const;
type Family = (typeof CHECKS)[number];

/** What each finding is called here, and the field it is about where the finding does not name one. */
const CODES: Readonly<Record<string, readonly [Family, FirewallCode, field?: string]>> = {
  "evidence.required": ["evidence", "EVIDENCE_REQUIRED", "evidence"],
  "evidence.untrusted_source": ["trusted_sources", "UNTRUSTED_SOURCE"],
  "instructions.block": ["instructions", "INSTRUCTION_DETECTED", "data"],
  "fields.required": ["contract", "REQUIRED_FIELD"],
  "fields.type_mismatch": ["contract", "TYPE_MISMATCH"],
  "fields.below_min": ["contract", "BELOW_MIN"],
  "fields.above_max": ["contract", "ABOVE_MAX"],
  "fields.not_in_enum": ["contract", "NOT_IN_ENUM"],
  "fields.unexpected": ["contract", "UNEXPECTED_FIELD"],
  "spend.amount_required": ["spend", "AMOUNT_REQUIRED", "amount"],
  "spend.budget_required": ["spend", "BUDGET_REQUIRED", "remaining_budget"],
  "spend.budget_exceeded": ["spend", "BUDGET_EXCEEDED", "amount"],
  "spend.ceiling_exceeded": ["spend", "TRANSACTION_LIMIT_EXCEEDED", "amount"],
  "spend.counterparty_required": ["spend", "MERCHANT_REQUIRED", "merchant"],
  "spend.counterparty_not_allowed": ["spend", "MERCHANT_NOT_ALLOWED", "merchant"],
};

/** In the words of this interface, where the model's would speak of scopes and counterparties. */
const MESSAGES: { readonly [code in FirewallCode]?: string } = {
  INSTRUCTION_DETECTED: "the data holds what reads like instructions to an agent",
  AMOUNT_REQUIRED: "a payment needs an amount",
  BUDGET_EXCEEDED: "the amount is above the remaining budget",
  TRANSACTION_LIMIT_EXCEEDED: "the amount is above the limit for one transaction",
  MERCHANT_REQUIRED: "with a list of merchants a merchant is needed",
  MERCHANT_NOT_ALLOWED: "the merchant is not on the list",
  REQUIRED_FIELD: "a required field is missing, null or empty",
  TYPE_MISMATCH: "the field has another type",
  BELOW_MIN: "the number is below the minimum",
  ABOVE_MAX: "the number is above the maximum",
  NOT_IN_ENUM: "the value is not one of those allowed",
  UNEXPECTED_FIELD: "the rules name no such field",
};

const SERVICE = { ok: true, service: "countersign", version: VERSION } as const;

const ADVICE = "advice only: nothing is enforced or recorded here; treat every error as BLOCK";

interface Judged {
  readonly verdict: "ALLOW" | "BLOCK";
  readonly reasons: readonly Reason[];
}

/** A review, which these tools do not know, is a block. */
function judged({ verdict, findings }: Decided): Judged {
  const reasons = findings
    .filter(({ severity }) => severity !== "advisory")
    .map((finding) => [rankOf(finding), reasonOf(finding)] as const)
    .sort(([a], [b]) => a - b)
    .map(([, reason]) => reason);
  return { verdict: verdict === "allow" ? "ALLOW" : "BLOCK", reasons };
}

const rankOf = ({ code }: Finding): number => {
  const family = CODES[code]?.[0];
  return family === undefined ? CHECKS.length : CHECKS.indexOf(family);
};

/** A finding that has no name here still blocks. */
function reasonOf(finding: Finding): Reason {
  const [, code, named] = CODES[finding.code] ?? [undefined, "INTERNAL_ERROR" as const];
  const field = named ?? fieldOf(finding);
  return {
    code,
    ...(field === undefined ? {} : { field }),
    ...(code === "TYPE_MISMATCH" && finding.expected !== undefined ? { expected: finding.expected } : {}),
    message: MESSAGES[code] ?? finding.message,
  };
}

/** Data by its path with dots, as contracts name it; evidence by its place in the list. A key can hold a secret. */
function fieldOf({ path = "" }: Finding): string | undefined {
  const below = /^[/]material[/](?:data[/]|(?=evidence[/]))(.*)$/s.exec(path)?.[1];
  if (below === undefined) return undefined;
  const steps = below.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return redact(steps.join("."));
}

export const writeCheckAction = (decided: Decided): JsonObject =>
  answer({ ...SERVICE, ...judged(decided), checks: CHECKS, warning: ADVICE });

export const writeCheckSpend = (decided: Decided): JsonObject =>
  answer({ ...SERVICE, ...judged(decided), warning: `${ADVICE}; amounts are compared without currencies` });

export const writeValidateData = (decided: Decided, { policy }: Question): JsonObject =>
  answer({ ...SERVICE, ...judged(decided), checked_fields: policy.contracts[0]?.fields.checked ?? 0 });

const ROW_CODES: Readonly<Record<RowIssue["code"], readonly [FirewallCode, message: string]>> = {
  "rows.duplicate": ["DUPLICATE_KEY", "an earlier row has the same key"],
  "rows.key_conflict": ["DUPLICATE_KEY", "an earlier row has the same key"],
  "rows.key_missing": ["MISSING_PRIMARY_KEY", "the row has no key"],
  "rows.required": ["REQUIRED_FIELD", "a required field is missing, null or empty"],
  "rows.not_a_number": ["TYPE_MISMATCH", "the value is not a number"],
  "rows.below_min": ["BELOW_MIN", "the number is below the minimum"],
  "rows.above_max": ["ABOVE_MAX", "the number is above the maximum"],
};

/** More are counted and not listed: an answer must not outgrow its question by far. */
const MOST_ISSUES = 5000;

export function writeCleanData(input: number, cleaned: Result<CleanedRows, RowError>): JsonObject {
  if (!cleaned.ok) {
    const row = /^[/]([0-9]+)/.exec(cleaned.error.path)?.[1];
    const issue: Reason = {
      code: "INVALID_ROW",
      message: cleaned.error.message,
      ...(row === undefined ? {} : { row: Number(row) }),
    };
    return cleanAnswer("BLOCK", [issue], [], input);
  }
  const { issues, rows } = cleaned.value;
  return cleanAnswer(issues.length === 0 ? "ALLOW" : "REVIEW", listed(issues), rows, input);
}

function listed(issues: readonly RowIssue[]): readonly Reason[] {
  const list = issues.slice(0, MOST_ISSUES).map((issue): Reason => {
    const [code, message] = ROW_CODES[issue.code];
    const note = "sameAs" in issue ? { note: `the first row with this key is row ${issue.sameAs}` } : {};
    return { code, field: issue.field, message, ...note, row: issue.row };
  });
  const last = list.at(-1);
  const rest = issues.length - list.length;
  return last === undefined || rest === 0
    ? list
    : [...list.slice(0, -1), { ...last, note: `${rest} more issues are not listed` }];
}

const cleanAnswer = (
  verdict: "ALLOW" | "REVIEW" | "BLOCK",
  issues: readonly Reason[],
  rows: readonly JsonObject[],
  input: number,
): JsonObject =>
  answer({
    ...SERVICE,
    verdict,
    issues,
    cleaned_rows: rows,
    input_count: input,
    output_count: rows.length,
    warning: `at most ${MOST_ROWS} rows are cleaned at once, and nothing is converted; what is not said to be wrong was not looked at`,
  });

/** Everything above is plain JSON; the interfaces only lack its index signature. */
const answer = (value: object): JsonObject => value as JsonObject;
