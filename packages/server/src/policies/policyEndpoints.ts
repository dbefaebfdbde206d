import {
  effectivePolicy,
  getPolicy,
  listPolicies,
  type NativeOperation,
  type Problem,
  policyHistory,
  previewPolicy,
  problemOf,
  problemOfFault,
  problemOfSave,
  putPolicy,
  readInput,
  rollBackPolicy,
  writeVersion,
} from "@countersign/api";
import {
  type Agents,
  composedView,
  composeParts,
  documentLimits,
  err,
  examinePolicy,
  findSecrets,
  instantFromMillis,
  isObject,
  isScopeId,
  type JsonObject,
  type JsonValue,
  type Ledger,
  type NotifyTargets,
  ok,
  POLICY_SCHEMA,
  type Policies,
  type PolicyVersion,
  parseJson,
  pointerOf,
  type RandomBytes,
  type Result,
  readPart,
  type Saved,
  type SavePorts,
  type SchemaCache,
  type Scope,
  type StoredPolicies,
  savePolicy,
  scopeOf,
  withExemptions,
} from "@countersign/core";
import { actorOf, type Caller } from "../caller.ts";
import { secretAt } from "../face/service.ts";
import { demandCondition, type Endpoint, type EndpointAnswer, type EndpointRequest } from "../route/endpoint.ts";
import { dialectOperation } from "../route/openapi.ts";
import type { Operation } from "../route/operation.ts";

export interface PolicyDesk {
  readonly store: Ledger & Policies & Agents & NotifyTargets;
  readonly policies: StoredPolicies;
  readonly schemas: SchemaCache;
  /** The tenant whose people write the platform's documents. */
  readonly operator: string;
  readonly clock: () => number;
  readonly random: RandomBytes;
}

const HISTORY = 100;

type Answered = Promise<Result<EndpointAnswer, Problem>>;

/** Policies by scope: read, written, tried, gone back to, and as they compose. */
export function policyEndpoints(desk: PolicyDesk): readonly Endpoint[] {
  const { store } = desk;
  return [
    endpoint(listPolicies, async ({ caller }) => {
      const scopes = await store.policyScopes(caller.tenant);
      if (!scopes.ok) return err(problemOfFault(scopes.error));
      const native = scopes.value.filter((scope) => !/^(?:card|exemptions):/.test(scope));
      const heads = await store.policyHeads(caller.tenant, native);
      return heads.ok
        ? ok({ body: { items: heads.value.map((head) => ({ ...head })) } })
        : err(problemOfFault(heads.error));
    }),
    schemaEndpoint,
    endpoint(effectivePolicy, (request) => effective(desk, request)),
    endpoint(getPolicy, async (request) => {
      const place = placeOf(desk, request, "read");
      if (!place.ok) return place;
      const found = await versionOf(desk, place.value, request.query["version"] as number | undefined);
      if (!found.ok) return found;
      const { scope, digest, text } = found.value;
      const document = parseJson(text, documentLimits, "plain");
      if (!document.ok) return err(problemOf("policy.unavailable"));
      return ok({ body: { scope, ...writeVersion(found.value), document: document.value }, etag: digest });
    }),
    endpoint(policyHistory, async (request) => {
      const place = placeOf(desk, request, "read");
      if (!place.ok) return place;
      const limit = (request.query["limit"] as number | undefined) ?? HISTORY;
      const before = request.query["before"] as number | undefined;
      const history = await store.policyHistory(place.value.tenant, place.value.scope, limit, before);
      if (!history.ok) return err(problemOfFault(history.error));
      return history.value.length === 0 && before === undefined
        ? err(problemOf("policy.unknown"))
        : ok({ body: { items: history.value.map(writeVersion) } });
    }),
    {
      ...endpoint(putPolicy, (request) => {
        const reason = reasonOf(request);
        return reason.ok
          ? save(desk, request, request.body ?? null, reason.value, "policy.put")
          : Promise.resolve(reason);
      }),
      operation: documented(putPolicy),
      body: { yaml: true, limit: documentLimits.bytes },
    },
    {
      ...endpoint(previewPolicy, async (request) => {
        const place = placeOf(desk, request, "read");
        if (!place.ok) return place;
        const examined = await examinePolicy(portsOf(desk), {
          ...place.value,
          read: readPart,
          document: request.body ?? null,
        });
        if (!examined.ok) return err(problemOfSave(examined.error));
        const { part, warnings } = examined.value;
        return ok({ body: { scope: part.scope, digest: part.digest, warnings: warnings.map((one) => ({ ...one })) } });
      }),
      operation: documented(previewPolicy),
      body: { yaml: true, limit: documentLimits.bytes },
    },
    endpoint(rollBackPolicy, async (request) => {
      const place = placeOf(desk, request, "write");
      if (!place.ok) return place;
      const input = readInput(rollBackPolicy, {
        ...(isObject(request.body ?? null) ? (request.body as JsonObject) : {}),
        ...request.params,
      });
      if (!input.ok) return input;
      if (findSecrets(input.value.reason ?? "").length > 0) return err(secretAt("/reason"));
      const found = await versionOf(desk, place.value, input.value.version);
      if (!found.ok) return found;
      const document = parseJson(found.value.text, documentLimits, "plain");
      if (!document.ok) return err(problemOf("policy.unavailable"));
      return save(desk, request, document.value, input.value.reason, "policy.rollback");
    }),
  ];
}

/** The structure of the document, for editors. Everybody may read it: it says nothing of any policy. */
const schemaEndpoint: Endpoint = {
  operation: {
    method: "GET",
    path: "/schemas/policy.json",
    group: "policies",
    title: "Schema of policies",
    description: "JSON Schema 2020-12 of the policy document.",
    input: null,
    output: { type: "object" },
    sold: false,
  },
  needs: null,
  answer: async () => ok({ body: POLICY_SCHEMA }),
};

/** An operation whose body is a policy, as the reference tells of it. The structure of its sections is published apart. */
function documented(operation: NativeOperation): Operation {
  const described = dialectOperation("policies", operation);
  const members = (schema: JsonObject | null) => (schema?.["properties"] ?? {}) as JsonObject;
  const sections = Object.keys(members(POLICY_SCHEMA)).map((name) => [
    name,
    { description: `As \`properties.${name}\` of \`/schemas/policy.json\` has it.` },
  ]);
  return {
    ...described,
    input: { ...described.input, properties: { ...members(described.input), ...Object.fromEntries(sections) } },
  };
}

/** An operation and what answers it; what the address and the query say is read by its schema first. */
export function endpoint(operation: NativeOperation, answer: (request: EndpointRequest) => Answered): Endpoint {
  return {
    operation: dialectOperation("policies", operation),
    needs: operation.needs,
    async answer(request) {
      if (operation.http.method === "GET") {
        const input = readInput(operation, { ...request.query, ...request.params });
        if (!input.ok) return input;
      }
      return answer(request);
    },
  };
}

interface Place {
  readonly tenant: string;
  readonly scope: Scope;
}

/**
 * Where the documents of a scope are. The organisation is the tenant; the platform is the operator's: for everybody else
 * neither exists under another name.
 */
export function placeOf(
  { operator }: Pick<PolicyDesk, "operator">,
  { caller, params }: Pick<EndpointRequest, "caller" | "params">,
  to: "read" | "write",
): Result<Place, Problem> {
  const { scope: kind = "", id = "" } = params;
  const scope = scopeOf(kind, id);
  if (!scope.ok) {
    const { message, expected } = scope.error;
    return err(problemOf({ code: "request.invalid", path: isScopeId(id) ? "/scope" : "/id", message, expected }));
  }
  if (kind === "platform" && caller.tenant !== operator)
    return err(problemOf(to === "write" ? "credential.scope" : "policy.unknown"));
  if (kind === "org" && id !== caller.tenant) return err(problemOf("policy.unknown"));
  return ok({ tenant: caller.tenant, scope: scope.value });
}

async function versionOf(
  { store }: PolicyDesk,
  { tenant, scope }: Place,
  version: number | undefined,
): Promise<Result<PolicyVersion, Problem>> {
  const found =
    version === undefined
      ? await store.policies(tenant, [scope])
      : await store.policyHistory(tenant, scope, 1, version + 1);
  if (!found.ok) return err(problemOfFault(found.error));
  const one = version === undefined ? found.value[0] : found.value.find((other) => other.version === version);
  return one === undefined ? err(problemOf("policy.unknown")) : ok(one);
}

export const portsOf = ({ store, policies, schemas, clock, random }: PolicyDesk): SavePorts => ({
  ledger: store,
  agents: store,
  heads: store,
  policies,
  schemas,
  targets: store,
  clock,
  random,
});

async function save(
  desk: PolicyDesk,
  request: EndpointRequest,
  document: JsonValue,
  reason: string | undefined,
  event: "policy.put" | "policy.rollback",
): Answered {
  const place = placeOf(desk, request, "write");
  if (!place.ok) return place;
  const replaces = demandCondition(request);
  if (!replaces.ok) return replaces;
  const saved = await savePolicy(portsOf(desk), {
    ...place.value,
    kind: "policy",
    read: readPart,
    document,
    replaces: replaces.value,
    by: actorOf(request.caller),
    event,
    ...(reason === undefined ? {} : { reason }),
  });
  if (!saved.ok) return err(problemOfSave(saved.error));
  return ok({ ...savedAnswer(place.value.scope, saved.value), status: replaces.value === null ? 201 : 200 });
}

const savedAnswer = (scope: Scope, { version, digest, warnings }: Saved): EndpointAnswer => ({
  body: { scope, version, digest, warnings: warnings.map((one) => ({ ...one })) },
  etag: digest,
});

/** Why, in the query: the body is the document. */
export function reasonOf({ query }: EndpointRequest): Result<string | undefined, Problem> {
  const { reason, ...others } = query;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return err(
      problemOf({
        code: "request.invalid",
        path: pointerOf([unknown]),
        message: "this is not asked in the query",
        expected: "reason",
      }),
    );
  if (reason === undefined) return ok(undefined);
  if (typeof reason === "string" && findSecrets(reason).length > 0) return err(secretAt("/reason"));
  if (typeof reason === "string" && reason.length >= 1 && reason.length <= 2000 && !/[\p{Cc}\p{Cs}]/u.test(reason))
    return ok(reason);
  return err(problemOf({ code: "request.invalid", path: "/reason", message: "a reason is one line of text" }));
}

async function effective({ store, policies, clock }: PolicyDesk, { caller, query }: EndpointRequest): Answered {
  const agent = query["agent"] as string;
  const asker = await askerOf(store, caller, agent);
  if (!asker.ok) return asker;
  const found = await policies.inForce(asker.value);
  if (!found.ok) return err(problemOfFault(found.error));
  if (found.value.parts.length === 0) return err(problemOf("policy.unknown"));
  const { parts, applied } = withExemptions(found.value.parts, found.value.exemptions, instantFromMillis(clock()));
  const policy = composeParts(parts, applied);
  const view = composedView(parts, policy);
  return ok({
    body: {
      agent,
      teams: [...asker.value.teams],
      digest: policy.digest,
      sources: policy.sources.map((source) => ({ ...source })),
      exemptions: [...applied],
      policy: view.policy,
      provenance: view.provenance.map((one) => ({ ...one })),
    },
    etag: policy.digest,
  });
}

/** An agent as the policies see it. One that the directory does not know is in no team. */
export async function askerOf(agents: Agents, { tenant }: Caller, agent: string) {
  if (!isScopeId(agent)) return err(problemOf("agent.unknown"));
  const found = await agents.agent(tenant, agent);
  if (!found.ok) return err(problemOfFault(found.error));
  return ok({ tenant, agent, teams: found.value?.teams ?? [] });
}
