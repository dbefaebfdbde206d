import {
  type Action,
  err,
  isObject,
  type JsonValue,
  type Material,
  normaliseTarget,
  ok,
  parseMoney,
  type Result,
} from "@countersign/core";
import { type Fault, invalid, type Problem } from "../problem.ts";
import { decisionFaults } from "./decisionFaults.ts";
import { isDecisionRequest } from "./isDecisionRequest.ts";
import type { DecisionRequestWire } from "./schema.ts";

/** What `POST /v1/decisions` asks. Who asks is not in it: that is the credential's to say. */
export interface DecisionQuestion {
  readonly action?: Action;
  readonly material?: Material;
  /** Whom the credential is to speak for; the gate refuses it where the credential does not reach. */
  readonly agent?: string;
  readonly session?: string;
  readonly idempotencyKey: string;
  readonly audience?: string;
}

/**
 * Reads a body as `decisionRequestSchema` has it, and what the schema cannot say: amounts are exact decimals, targets
 * have one normal form, and something is asked. Fails with `request.invalid` and everything that is wrong.
 */
export function readDecision(body: JsonValue): Result<DecisionQuestion, Problem> {
  const refused = isDecisionRequest(body) ? null : decisionFaults(body);
  if (refused !== null) return err(invalid(refused));
  // The schema says what the body is; taken is the body itself, which no library has copied.
  const { action, material, agent, session, idempotency_key, audience } = body as unknown as DecisionRequestWire;
  const faults: Fault[] = [];
  const read = action === undefined ? undefined : readAction(action, faults);
  if (action === undefined && (material === undefined || isEmpty(material))) {
    faults.push({ path: "", message: "nothing is asked", expected: "an action, material, or both" });
  }
  const [first, ...rest] = faults;
  if (first !== undefined) return err(invalid([first, ...rest]));
  return ok({
    ...(read === undefined ? {} : { action: read }),
    ...(material === undefined ? {} : { material: material as Material }),
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    idempotencyKey: idempotency_key,
    ...(audience === undefined ? {} : { audience }),
  });
}

/** Data is a value, and an empty list is one; of the others an empty list holds nothing. */
const isEmpty = (material: object): boolean =>
  Object.entries(material).every(([name, part]) => name !== "data" && Array.isArray(part) && part.length === 0);

function readAction(action: NonNullable<DecisionRequestWire["action"]>, faults: Fault[]): Action {
  const target = normaliseTarget(action.target);
  if (!target.ok) faults.push({ path: "/action/target", message: target.error.message });
  if (action.amount === undefined) return action as Omit<typeof action, "amount"> as Action;
  const { value, currency } = action.amount;
  const amount = parseMoney(value, currency);
  if (amount.ok) return { ...action, amount: amount.value } as Action;
  const { path = "", message, expected } = amount.error;
  faults.push({ path: `/action/amount${path}`, message, expected });
  return action as Omit<typeof action, "amount"> as Action;
}

/** For faces that take an ask without a key of its own, such as the command line: they give one. */
export function withIdempotencyKey(body: JsonValue, key: string): JsonValue {
  return isObject(body) && !Object.hasOwn(body, "idempotency_key") ? { ...body, idempotency_key: key } : body;
}
