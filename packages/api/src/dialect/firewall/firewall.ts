import {
  cleanRows,
  type Decided,
  decide,
  err,
  type Instant,
  type JsonObject,
  type JsonValue,
  NO_FACTS,
  ok,
  type Result,
  type RowRules,
} from "@countersign/core";
import { type Problem, problemOf } from "../../problem.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { type Question, readCheckAction, readCheckSpend, readCleanData, readValidateData, validated } from "./read.ts";
import { capabilitiesInput, FIREWALL_TOOLS } from "./schema.ts";
import { writeCheckAction, writeCheckSpend, writeCleanData, writeValidateData } from "./write.ts";

export interface FirewallDeps {
  readonly now: Instant;
}

/** The trust firewall: five tools that judge by the policy in the call, and keep nothing. */
export const firewall = {
  tools: FIREWALL_TOOLS,
  /**
   * Answers a tool by its name or a legacy name. An error means BLOCK: `tool.unknown`, `request.invalid`, or `internal`
   * when no verdict could be reached.
   */
  call(tool: string, input: JsonValue, deps: FirewallDeps): Result<JsonObject, Problem> {
    const known = FIREWALL_TOOLS.find(({ name, aliases }) => name === tool || aliases.includes(tool));
    const answer = known === undefined ? undefined : ANSWERS.get(known.name);
    if (answer === undefined) return err(problemOf("tool.unknown"));
    try {
      return answer(input, deps);
    } catch {
      // The text of the error may carry content of the call.
      return err(problemOf("internal"));
    }
  },
} as const;

type Answer = (input: JsonValue, deps: FirewallDeps) => Result<JsonObject, Problem>;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["trust_check_action", (input, deps) => judged(readCheckAction(input), deps, writeCheckAction)],
  ["trust_check_spend", (input, deps) => judged(readCheckSpend(input), deps, writeCheckSpend)],
  ["trust_validate_data", (input, deps) => judged(readValidateData(input), deps, writeValidateData)],
  ["trust_clean_data", cleanData],
  ["trust_get_capabilities", (input) => answerless(validated(capabilitiesInput, input))],
]);

function judged(
  question: Result<Question, Problem>,
  { now }: FirewallDeps,
  write: (decided: Decided, question: Question) => JsonObject,
): Result<JsonObject, Problem> {
  if (!question.ok) return question;
  const outcome = decide(question.value.ask, question.value.policy, NO_FACTS, now);
  return outcome.kind === "decided" ? ok(write(outcome, question.value)) : err(problemOf("internal"));
}

/** As the published interface cleans. */
const CLEANING: RowRules = { duplicates: "same-key", notANumber: "skip", blank: "empty" };

function cleanData(input: JsonValue): Result<JsonObject, Problem> {
  const request = readCleanData(input);
  if (!request.ok) return request;
  const { rows, contract } = request.value;
  return ok(writeCleanData(rows.length, cleanRows(rows, contract, CLEANING)));
}

const answerless = (input: Result<unknown, Problem>): Result<JsonObject, Problem> =>
  input.ok ? ok(CAPABILITIES) : input;
