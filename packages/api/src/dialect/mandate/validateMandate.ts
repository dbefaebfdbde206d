import {
  type ExactJson,
  type HexSha256,
  hasEnded,
  type Instant,
  type JsonObject,
  mandateDigest,
  quoted,
  sha256Hex,
  type Unreached,
  unreachedClauses,
} from "@countersign/core";
import { inputFaults } from "../../schema/inputFaults.ts";
import { isDeeperThan, isObject, MOST_LEVELS } from "./bounds.ts";
import { type ReadMandate, readMandate } from "./readMandate.ts";
import { conformance, joined } from "./reasons.ts";
import { VALIDATE_MANDATE } from "./schema.ts";

export interface ValidateDeps {
  readonly now: Instant;
  readonly sha256?: HexSha256;
}

/** Says whether a mandate is sound, and everything that is wrong with it. Never throws. */
export function validateMandate(input: ExactJson, { now, sha256 = sha256Hex }: ValidateDeps): JsonObject {
  try {
    return validate(input, now, sha256);
  } catch {
    return invalid("the mandate could not be evaluated");
  }
}

function validate(input: ExactJson, now: Instant, sha256: HexSha256): JsonObject {
  if (!isObject(input)) return invalid("the input is not an object");
  if (isDeeperThan(input, MOST_LEVELS)) return invalid(`the input nests deeper than ${MOST_LEVELS} levels`);
  const { mandate: written } = input;
  if (!isObject(written)) return invalid("the mandate is not an object");
  const [unknown] = inputFaults({ ...VALIDATE_MANDATE.inputSchema, properties: { mandate: {} } }, input);
  if (unknown !== undefined) return invalid(`the input ${conformance(unknown)}`);
  const read = readMandate(written);
  const { problems, mandate } = read;
  const also = alsoText(read);
  if (problems.length > 0) return invalid(joined(problems) + also);
  const expired = mandate.expires !== undefined && hasEnded(mandate.expires, now);
  const reason = expired
    ? `the mandate is sound, and it expired at ${String(written["not_valid_after"])}`
    : "the mandate is sound";
  return {
    schema_version: "0.1-draft",
    valid: true,
    reason: reason + also,
    clauses: mandate.clauses.length,
    expired,
    mandate_ref: mandate.id,
    mandate_digest: mandateDigest(written, sha256),
  };
}

const invalid = (reason: string): JsonObject => ({ schema_version: "0.1-draft", valid: false, reason });

/** Clauses that nothing reaches and that no pair accounts for. They change nothing, and are worth knowing. */
function alsoText({ mandate, shadowed }: ReadMandate): string {
  const unreached = unreachedClauses(mandate).filter(({ clause }) => !shadowed.has(clause));
  return unreached.length === 0 ? "" : `; also: ${joined(unreached.map(unreachedText))}`;
}

/** Deciders that are named. */
const MOST_NAMED = 5;

function unreachedText({ clause, deciders }: Unreached): string {
  const named = deciders.slice(0, MOST_NAMED).map(({ id }) => quoted(id));
  const more = deciders.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const what = deciders.length === 1 ? `earlier clause ${all} decides` : `earlier clauses ${all} together decide`;
  return `clause ${quoted(clause.id)} is unreachable, ${what} all it covers`;
}
