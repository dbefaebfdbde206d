import {
  type Action,
  type Answer,
  err,
  isObject,
  type JsonObject,
  type JsonValue,
  KINDS,
  type Kind,
  type MappingError,
  mapToolCall,
  normaliseTarget,
  ok,
  type Remedy,
  type RemedyChange,
  type Result,
  type ToolMapping,
} from "@countersign/core";
import { readDecision } from "../../native/readDecision.ts";
import { type Fault, invalid, type Problem, problemOf } from "../../problem.ts";
import { inputFaults } from "../../schema/inputFaults.ts";
import { evaluationInput, evaluationsInput, type Semantic } from "./schema.ts";

/** One evaluation as it was asked. */
export interface Evaluation {
  readonly subject: { readonly type: string; readonly id: string; readonly properties?: JsonObject };
  readonly action: { readonly name: string; readonly properties?: JsonObject };
  readonly resource: { readonly type: string; readonly id: string; readonly properties?: JsonObject };
  readonly context?: JsonObject;
}

export interface Evaluations {
  /** Null where there are none: then the request is a single evaluation. */
  readonly evaluations: readonly JsonObject[] | null;
  readonly semantic: Semantic;
}

export function readEvaluation(body: JsonValue): Result<Evaluation, Problem> {
  return refusedBy(evaluationInput, body) ?? ok(body as unknown as Evaluation);
}

/**
 * Fills each evaluation with what stands outside of them. A member that is there replaces the default whole, but for what
 * it has to have and has not.
 */
export function readEvaluations(body: JsonValue): Result<Evaluations, Problem> {
  const refused = refusedBy(evaluationsInput, body);
  if (refused !== undefined) return refused;
  const {
    evaluations = [],
    options,
    ...defaults
  } = body as unknown as {
    evaluations?: readonly JsonObject[];
    options?: { evaluations_semantic?: Semantic };
  } & JsonObject;
  return ok({
    evaluations: evaluations.length === 0 ? null : evaluations.map((one) => filled(one, defaults)),
    semantic: options?.evaluations_semantic ?? "execute_all",
  });
}

const NEEDED = { subject: ["type", "id"], action: ["name"], resource: ["type", "id"] } as const;

function filled(one: JsonObject, defaults: JsonObject): JsonObject {
  const entities = Object.entries(NEEDED).flatMap(([name, members]) => {
    const [own, outside] = [one[name], defaults[name]];
    if (own === undefined || outside === undefined || !isObject(own) || !isObject(outside)) return [];
    const missing = members.filter((member) => !Object.hasOwn(own, member) && Object.hasOwn(outside, member));
    return [[name, { ...own, ...Object.fromEntries(missing.map((member) => [member, outside[member]])) }] as const];
  });
  return { ...defaults, ...one, ...(Object.fromEntries(entities) as JsonObject) };
}

function refusedBy(schema: typeof evaluationInput, body: JsonValue): Result<never, Problem> | undefined {
  const [first, ...rest] = inputFaults(schema, body);
  return first === undefined ? undefined : err(invalid([first, ...rest]));
}

/**
 * Resources that the policy maps are named `authzen/<type>/<action>`, or `authzen/<type>`, in its section `tools`. The
 * scope nearest the platform that has either wins, so that no later one takes an action out of what it says of the type.
 */
function toolOf({ resource, action }: Evaluation, tools: readonly ToolMapping[]): string {
  const [exact, byType] = [`authzen/${resource.type}/${action.name}`, `authzen/${resource.type}`];
  const nearest = tools.find(({ tool }) => tool === exact || tool === byType);
  return tools.some(({ tool, scope }) => tool === exact && scope === nearest?.scope) ? exact : byType;
}

const isKind = (text: unknown): text is Kind => KINDS.some((kind) => kind === text);

/**
 * The action that an evaluation asks about. A resource whose type is a kind of action is the target as it stands, the verb
 * is the action's name, and native members of an action are in `action.properties`: such an ask has the digest that it has
 * through every other face. Any other type is what the policy's section `tools` says of it, with the action's name as its
 * verb where only the type is mapped; of what it does not speak the kind is `unspecified`, which no permit matches.
 * `refused`: the evaluation is one, and lacks what the policy needs to know of it.
 */
export function actionOf(
  evaluation: Evaluation,
  tools: readonly ToolMapping[],
): Result<Action | { readonly refused: MappingError }, Problem> {
  const { subject, action, resource, context } = evaluation;
  if (isKind(resource.type)) {
    const { kind: _kind, verb: _verb, target: _target, ...more } = action.properties ?? {};
    const native = { ...more, kind: resource.type, verb: action.name, target: resource.id };
    const read = readDecision({ action: native, idempotency_key: "authzen" });
    if (!read.ok) return read;
    return read.value.action === undefined ? err(problemOf("request.invalid")) : ok(read.value.action);
  }
  const parameters: JsonObject = {
    subject: { type: subject.type, ...(subject.properties === undefined ? {} : { properties: subject.properties }) },
    action: { name: action.name, ...(action.properties === undefined ? {} : { properties: action.properties }) },
    resource: { ...resource },
    ...(context === undefined ? {} : { context }),
  };
  const tool = toolOf(evaluation, tools);
  const mapped = mapToolCall({ tools }, tool, parameters);
  if (!mapped.ok) return ok({ refused: mapped.error });
  const target = mapped.value.mapped ? mapped.value.action.target : `${resource.type}:${resource.id}`;
  const isNamed = mapped.value.mapped && tool !== `authzen/${resource.type}`;
  const verb = isNamed ? mapped.value.action.verb : action.name;
  const read = { ...mapped.value.action, verb, target };
  const faults: Fault[] = [];
  if (!/^[A-Za-z0-9._:-]{1,64}$/.test(verb))
    faults.push({ path: "/action/name", message: "this is not a verb", expected: "1 to 64 of A-Z a-z 0-9 . _ : -" });
  const normal = normaliseTarget(target);
  if (!normal.ok) faults.push({ path: "/resource/id", message: normal.error.message });
  const [first, ...rest] = faults;
  return first === undefined ? ok(read) : err(invalid([first, ...rest]));
}

/**
 * A decision as the specification has it: permitted or not, and beside it all that the gate says. `reasons` are the codes
 * of everything that stands against it, `reason` the first of them.
 */
export function writeEvaluation(answer: Answer, { resource }: Pick<Evaluation, "resource">): JsonObject {
  const { id, verdict, enforcement, findings, action_digest, policy_digest, hold, receipt, remedy } = answer;
  const reasons = [...new Set(findings.filter(({ severity }) => severity !== "advisory").map(({ code }) => code))];
  const context = {
    id,
    verdict,
    enforcement,
    reason: reasons[0] ?? verdict,
    reasons,
    findings,
    action_digest,
    policy_digest,
    ...(hold === undefined ? {} : { hold }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(remedy === undefined ? {} : remedyIn(remedy, resource.type)),
  };
  return { decision: verdict === "allow", context: context as unknown as JsonObject };
}

/**
 * Where the change is to be made in the evaluation that was asked. An action that the policy derived from a resource is
 * not the asker's to change member by member: of its amount the words alone say what would pass.
 */
function remedyIn(remedy: Remedy, type: string): { readonly remedy?: Remedy } {
  const { changes } = remedy;
  if (isKind(type))
    return {
      remedy: {
        ...remedy,
        changes: changes.map((one): RemedyChange => ({ ...one, path: pathInEvaluation(one.path) })),
      },
    };
  return changes.every(({ path }) => path === "/action/amount/value") ? { remedy: { ...remedy, changes: [] } } : {};
}

function pathInEvaluation(path: string): string {
  if (path === "/action/target") return "/resource/id";
  if (path === "/action/verb") return "/action/name";
  return path.replace(/^\/action\//, "/action/properties/");
}

/** An evaluation that the policy cannot make an action of: not permitted, as properties that are not there permit nothing. */
export const writeRefused = ({ code, message }: MappingError): JsonObject => ({
  decision: false,
  context: {
    verdict: "block",
    reason: code,
    reasons: [code],
    findings: [{ check: "mapping", code, severity: "block", path: "/resource", message, retry: "changed" }],
  },
});

/** An evaluation of several that failed by itself: not permitted, and why. */
export const writeFailed = ({ status, code, detail }: Problem): JsonObject => ({
  decision: false,
  context: { reason: code, error: { status, code, message: detail } },
});

/** Whether the evaluations behind this one are left out. */
export const endsAt = (semantic: Semantic, decision: boolean): boolean =>
  (semantic === "deny_on_first_deny" && !decision) || (semantic === "permit_on_first_permit" && decision);

/** The metadata document of a decision point under its address. */
export const authzenMetadata = (base: string): JsonObject => ({
  policy_decision_point: base,
  access_evaluation_endpoint: `${base}/access/v1/evaluation`,
  access_evaluations_endpoint: `${base}/access/v1/evaluations`,
});
