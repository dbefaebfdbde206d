import {
  type Clause,
  type ClauseMatch,
  type ExactObject,
  findCredentialHints,
  type Instant,
  type JsonObject,
  type JsonValue,
  type Kind,
  type Mandate,
  parseDecimal,
  parseInstant,
  quoted,
  shadowings,
  toDoubles,
} from "@countersign/core";
import { inputFaults } from "../../schema/inputFaults.ts";
import { conformance, credentialPaths } from "./reasons.ts";
import { mandateSchema } from "./schema.ts";

/** A mandate as it came, in core's terms as far as it can be read, and everything that makes it unsound. */
export interface ReadMandate {
  readonly problems: readonly string[];
  /** What could be read. Complete, and fit to be evaluated, when there are no problems. */
  readonly mandate: Mandate;
  /** Clauses that an earlier one shadows, which is one of the problems. */
  readonly shadowed: ReadonlySet<Clause>;
}

const EFFECTS = { permit: "allow", deny: "block", escalate: "review" } as const;

/** The rules of the mandate dialect, in their published order; all that do not hold are told. */
export function readMandate(written: ExactObject): ReadMandate {
  const faults = inputFaults(mandateSchema, written, Number.POSITIVE_INFINITY);
  const source = toDoubles(written) as JsonObject;
  const credentials = findCredentialHints(source, "mandate");
  const problems = faults.map((fault) => `the mandate ${conformance(fault)}`);
  if (credentials.length > 0) {
    problems.push(`the mandate appears to carry a credential at ${credentialPaths(credentials, "mandate")}`);
    // The rules below name ids and prefixes, and one of those could be the credential.
    return { problems, mandate: NOTHING, shadowed: new Set() };
  }
  const broken = new Set(faults.map(({ path }) => /^\/clauses\/(\d+)/.exec(path)?.[1]));
  const clauses = listOf(source["clauses"]).filter(
    (_, at) => !broken.has(String(at)),
  ) as unknown as readonly WrittenClause[];
  problems.push(...blankTexts(source), ...expiryProblems(source), ...clauseProblems(clauses));
  const mandate = mandateOf(source, clauses);
  const shadowed = new Set<Clause>();
  for (const { earlier, later } of shadowings(mandate)) {
    shadowed.add(later);
    const part = "already decides part or all of what it covers";
    problems.push(`clause ${quoted(later.id)} is unreachable, earlier clause ${quoted(earlier.id)} ${part}`);
  }
  return { problems, mandate, shadowed };
}

const NOTHING: Mandate = {
  id: "",
  clauses: [],
  requiresHuman: [],
  otherwise: "block",
  matching: "decoded",
  verbs: "fold",
};

/** A clause that conforms to the schema. */
interface WrittenClause {
  readonly id: string;
  readonly effect: keyof typeof EFFECTS;
  readonly note?: string;
  readonly match: {
    readonly kind: readonly Kind[];
    readonly verb?: readonly string[];
    readonly target_prefix?: readonly string[];
    readonly counterparty?: readonly string[];
    readonly max_amount?: { readonly value: string; readonly currency: string };
  };
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

/** White space as the reference evaluator strips it. */
export const isBlank = (text: string): boolean => /^[\s\u001c-\u001f\u0085]*$/u.test(text);

/** What is empty where the schema asks for a character was told already. */
function blankTexts(source: JsonObject): readonly string[] {
  return ["mandate_id", "purpose", "issued_by"].flatMap((name) => {
    const text = source[name];
    const told = text === "" && name !== "issued_by";
    return typeof text === "string" && isBlank(text) && !told ? [`${name} is blank`] : [];
  });
}

function expiryProblems(source: JsonObject): readonly string[] {
  const text = source["not_valid_after"];
  if (typeof text !== "string" || expiryOf(text) !== undefined) return [];
  return ["not_valid_after is not an RFC 3339 date-time with an offset"];
}

/** A leap second, wherever it stands, is read as the second before it. */
function expiryOf(text: string): Instant | undefined {
  const read = parseInstant(text.replace(/^(.{10}[Tt][0-9]{2}:[0-9]{2}):60/u, "$1:59"));
  return read.ok ? read.value : undefined;
}

function clauseProblems(clauses: readonly WrittenClause[]): readonly string[] {
  const seen = new Set<string>();
  return clauses.flatMap((clause) => {
    const problems = isBlank(clause.id) ? [`clause id ${quoted(clause.id)} is blank`] : [];
    if (seen.has(clause.id)) problems.push(`duplicate clause id ${quoted(clause.id)}`);
    seen.add(clause.id);
    return [...problems, ...matchProblems(clause)];
  });
}

function matchProblems({ id, match }: WrittenClause): readonly string[] {
  const problems: string[] = [];
  const of = `clause ${quoted(id)} match`;
  for (const name of ["verb", "target_prefix", "counterparty"] as const) {
    if (match[name]?.includes("") === true) problems.push(`${of}.${name} has an empty string`);
  }
  for (const prefix of match.target_prefix ?? []) {
    if (prefix !== "" && !prefix.endsWith("/")) {
      problems.push(`${of}.target_prefix ${quoted(prefix)} has no boundary, end it with '/'`);
    }
  }
  if (match.max_amount === undefined) return problems;
  if (match.max_amount.currency === "") problems.push(`${of}.max_amount.currency is empty`);
  const value = parseDecimal(match.max_amount.value);
  if (!value.ok) problems.push(`${of}.max_amount.value is not a plain non-negative decimal`);
  return problems;
}

/** Leaves out what could not be read: nothing is judged by it then. */
function mandateOf(source: JsonObject, clauses: readonly WrittenClause[]): Mandate {
  const id = source["mandate_id"];
  const expiry = source["not_valid_after"];
  const until = typeof expiry === "string" ? expiryOf(expiry) : undefined;
  return {
    ...NOTHING,
    id: typeof id === "string" ? id : "",
    clauses: clauses.flatMap(readClause),
    requiresHuman: listOf(source["requires_human"]) as readonly Kind[],
    otherwise: source["default"] === "escalate" ? "review" : "block",
    ...(until === undefined ? {} : { expires: { until, inclusive: false } }),
  };
}

function readClause({ id, effect, note, match }: WrittenClause): readonly Clause[] {
  const amount = match.max_amount === undefined ? undefined : parseDecimal(match.max_amount.value);
  if (amount?.ok === false) return [];
  const read: ClauseMatch = {
    kind: match.kind,
    ...(match.verb === undefined ? {} : { verb: match.verb }),
    ...(match.target_prefix === undefined ? {} : { targetPrefix: match.target_prefix }),
    ...(match.counterparty === undefined ? {} : { counterparty: match.counterparty }),
    ...(amount === undefined || match.max_amount === undefined
      ? {}
      : { maxAmount: { amount: amount.value, currency: match.max_amount.currency } }),
  };
  return [{ id, effect: EFFECTS[effect], match: read, ...(note === undefined ? {} : { note }) }];
}
