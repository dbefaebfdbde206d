import {
  authored,
  type CardWarning,
  type Conflict,
  cardInput,
  composeUnjudged,
  conflictsOf,
  outsideCeiling,
  type Problem,
  problemOf,
  problemOfFault,
  problemOfSave,
  readCard,
  readStoredCard,
  type Said,
  warningsOf,
  writeComposedCard,
  writeStoredCard,
} from "@countersign/api";
import {
  cardScope,
  composedView,
  composeParts,
  digest,
  err,
  formatInstant,
  type InForce,
  instantFromMillis,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type PolicyPart,
  type Provenance,
  type Result,
  type Scope,
  savePolicy,
  scopesOf,
  sha256Hex,
  withExemptions,
} from "@countersign/core";
import { actorOf } from "../caller.ts";
import { askerOf, type PolicyDesk, placeOf, portsOf, reasonOf } from "../policies/policyEndpoints.ts";
import { demandCondition, type Endpoint, type EndpointAnswer, type EndpointRequest } from "../route/endpoint.ts";
import type { Operation } from "../route/operation.ts";

const CARD_LIMIT = 64 * 1024;
const REPLAYED_FOR = 86_400_000;
const READERS = ["policy", "audit", "admin"] as const;

type Answered = Promise<Result<EndpointAnswer, Problem>>;

/** Protection cards: read, written, tried, and as they compose. */
export function cardEndpoints(desk: PolicyDesk): readonly Endpoint[] {
  const at = "/v1/protection/{scope}/{id}";
  const body = { yaml: true, limit: CARD_LIMIT };
  return [
    {
      operation: describe(
        "GET",
        at,
        "Read a protection card",
        "The card of one scope as it was written; with `include=sources` every card that composes with it.",
      ),
      needs: READERS,
      answer: (request) => getCard(desk, request),
    },
    {
      operation: describe(
        "PUT",
        at,
        "Write a protection card",
        "Saves a card, JSON or YAML, of at most 64 KiB. Needs `Idempotency-Key`, and `If-Match` or `If-None-Match: *`; `?reason=` says why.",
        cardInput,
      ),
      needs: ["policy"],
      body,
      answer: (request) => putCard(desk, request),
    },
    {
      operation: describe(
        "POST",
        `${at}/preview-compose`,
        "Try a protection card",
        "Composes a draft with the scopes above it, without saving anything, and lists what they tighten.",
        cardInput,
      ),
      needs: READERS,
      body,
      answer: (request) => previewCard(desk, request),
    },
    {
      operation: describe(
        "GET",
        "/v1/protection/agent/{id}/effective",
        "The card in force for an agent",
        "The composed card, and of each field the scope that it comes from.",
      ),
      needs: READERS,
      answer: (request) => effectiveCard(desk, request),
    },
    ...LEGACY.map(([method, path, to]) => legacy(method, path, to)),
  ];
}

function describe(
  method: Operation["method"],
  path: string,
  title: string,
  description: string,
  input: JsonObject | null = null,
): Operation {
  return { method, path, group: "card", title, description, input, output: { type: "object" }, sold: false };
}

async function getCard(desk: PolicyDesk, request: EndpointRequest): Answered {
  const place = placeOf(desk, request, "read");
  if (!place.ok) return place;
  const found = await storedCard(desk, place.value.tenant, place.value.scope);
  if (!found.ok) return found;
  if (request.query["include"] === "sources") return sources(desk, request, place.value.scope);
  return found.value === null
    ? err(problemOf("policy.unknown"))
    : ok({ body: found.value, etag: String(found.value["content_hash"]) });
}

async function storedCard(
  { store, operator }: PolicyDesk,
  tenant: string,
  scope: Scope,
): Promise<Result<JsonObject | null, Problem>> {
  const of = scope.startsWith("platform:") ? operator : tenant;
  const found = await store.policies(of, [cardScope(scope)]);
  if (!found.ok) return err(problemOfFault(found.error));
  const [version] = found.value;
  if (version === undefined) return ok(null);
  const card = writeStoredCard(version);
  return card === null ? err(problemOf("policy.unavailable")) : ok(card);
}

/** Every card above an agent, whether there is one or not, and what they come to. */
async function sources(desk: PolicyDesk, request: EndpointRequest, scope: Scope): Answered {
  const { tenant } = request.caller;
  const agent = scope.startsWith("agent:") ? scope.slice("agent:".length) : null;
  const asker = agent === null ? null : await askerOf(desk.store, request.caller, agent);
  if (asker !== null && !asker.ok) return asker;
  const scopes: readonly Scope[] = asker === null ? [scope] : scopesOf(asker.value);
  const rows: JsonObject[] = [];
  for (const one of scopes) {
    const card = await storedCard(desk, tenant, one);
    if (!card.ok) return card;
    rows.push({ scope: one, available: card.value !== null, card: card.value });
  }
  const composed = asker === null ? null : await composedCard(desk, asker.value);
  if (composed !== null && !composed.ok) return composed;
  return ok({ body: { sources: rows, composed: composed === null ? null : composed.value.card } });
}

async function composedCard(
  { policies, clock }: PolicyDesk,
  asker: { readonly tenant: string; readonly agent: string; readonly teams: readonly string[] },
) {
  const found = await policies.inForce(asker);
  if (!found.ok) return err(problemOfFault(found.error));
  return ok(compose(found.value, asker.agent, clock()));
}

function compose({ parts: all, exemptions }: InForce, agent: string, now: number) {
  const { parts, applied } = withExemptions(all, exemptions, instantFromMillis(now));
  const policy = composeParts(parts, applied);
  return { parts, policy, card: writeComposedCard({ agent, now, parts, policy }) };
}

async function effectiveCard(desk: PolicyDesk, { caller, params }: EndpointRequest): Answered {
  const asker = await askerOf(desk.store, caller, params["id"] ?? "");
  if (!asker.ok) return asker;
  const composed = await composedCard(desk, asker.value);
  if (!composed.ok) return composed;
  const { parts, policy, card } = composed.value;
  if (parts.length === 0) return err(problemOf("policy.unknown"));
  const { provenance } = composedView(parts, policy);
  const { integrity, reviewer } = composeUnjudged(parts);
  const from = (field: string, said: Said<unknown> | null): JsonObject =>
    said === null ? {} : { [field]: { scope: said.scope, version: said.version } };
  return ok({
    body: {
      card,
      field_provenance: {
        ...fieldProvenance(provenance),
        ...from("review.gate_on.integrity", integrity),
        ...from("review.reviewer", reviewer),
      },
    },
    etag: policy.digest,
  });
}

/** The pointers of the native view in the words of the card. */
const FIELDS: readonly (readonly [from: RegExp, to: string])[] = [
  [/^\/screening\/mode$/, "mode"],
  [/^\/screening\/thresholds\/(\w+)$/, "thresholds.$1"],
  [/^\/screening\/surfaces\/(\w+)$/, "screen_surfaces.$1"],
  [/^\/screening\/trusted_sources\/agents\/(\d+)$/, "trusted_sources.agent_ids.$1"],
  [/^\/screening\/trusted_sources\/domains\/(\d+)$/, "trusted_sources.domains.$1"],
  [/^\/screening\/trusted_sources\/addresses\/(\d+)$/, "trusted_sources.ip_ranges.$1"],
  [/^\/protected\/(\w+)\/(\d+)$/, "protected_surface.$1.$2"],
  [/^\/protected\/(\w+)\/(\d+)\/severity$/, "protected_surface.$1.$2.severity"],
  [/^\/review\/notice$/, "review.quarantine_notice"],
  [/^\/review\/notify\/(sse|webhooks)$/, "review.notify.$1"],
  [/^\/review\/(\w+)$/, "review.$1"],
  [/^\/review\/gate_on\/(\w+)$/, "review.gate_on.$1"],
];

function fieldProvenance(provenance: readonly Provenance[]): JsonObject {
  const fields = provenance.flatMap(({ path, scope, document, version }) => {
    const [from, to] = FIELDS.find(([form]) => form.test(path)) ?? [];
    return from === undefined || to === undefined
      ? []
      : [[path.replace(from, to), { scope, document, version }] as const];
  });
  return Object.fromEntries(fields);
}

async function previewCard(desk: PolicyDesk, request: EndpointRequest): Answered {
  const place = placeOf(desk, request, "read");
  if (!place.ok) return place;
  const draft = readCard(request.body ?? null, place.value.scope, null);
  if (!draft.ok) {
    const errors = draft.error.map((one) => ({ ...one }));
    return ok({ body: { ok: false, composed: null, conflicts: [], warnings: [], errors } });
  }
  const found = await tryDraft(desk, request.caller.tenant, draft.value);
  if (!found.ok) return found;
  const { conflicts, card } = found.value;
  const fits = found.value.outside.length === 0;
  return ok({
    body: {
      ok: fits,
      composed: card,
      conflicts: conflicts.map((one) => ({ ...one })),
      warnings: warningsOf(draft.value).map((one) => ({ ...one })),
    },
  });
}

export interface Tried {
  readonly card: JsonObject;
  readonly conflicts: readonly Conflict[];
  /** Trusted sources that the platform's ceiling cuts: with one of these the draft is not to be saved as it is. */
  readonly outside: readonly Conflict[];
}

/** What a draft would come to with everything else that is in force. */
export async function tryDraft(
  { store, policies, clock }: Pick<PolicyDesk, "store" | "policies" | "clock">,
  tenant: string,
  draft: PolicyPart,
): Promise<Result<Tried, Problem>> {
  const { scope } = draft;
  const agent = scope.startsWith("agent:") ? scope.slice("agent:".length) : null;
  const others = await (async (): Promise<Result<InForce, Problem>> => {
    if (agent === null) {
      const above = await policies.above(tenant, scope, []);
      return above.ok ? ok({ parts: above.value, exemptions: [] }) : err(problemOfFault(above.error));
    }
    const known = await store.agent(tenant, agent);
    if (!known.ok) return err(problemOfFault(known.error));
    const found = await policies.inForce({ tenant, agent, teams: known.value?.teams ?? [] });
    return found.ok ? ok(found.value) : err(problemOfFault(found.error));
  })();
  if (!others.ok) return others;
  // The draft takes the place of the card that its scope has now.
  const parts = others.value.parts.filter((part) => part.dialect !== "card" || part.scope !== scope);
  const now = clock();
  const { parts: left } = withExemptions([...parts, draft], others.value.exemptions, instantFromMillis(now));
  const rest = left.slice(0, -1);
  const { card } = compose({ parts: [...parts, draft], exemptions: others.value.exemptions }, agent ?? "template", now);
  return ok({ card, conflicts: conflictsOf(draft, rest), outside: outsideCeiling(draft, rest) });
}

const KEY = /^[\x21-\x7e]{1,128}$/;

async function putCard(desk: PolicyDesk, request: EndpointRequest): Answered {
  const place = placeOf(desk, request, "write");
  if (!place.ok) return place;
  const { tenant, scope } = place.value;
  const { idempotencyKey, caller, body } = request;
  if (idempotencyKey === null)
    return err(
      problemOf({
        code: "precondition.missing",
        message: "say by which key this is done once",
        expected: "Idempotency-Key",
      }),
    );
  if (!KEY.test(idempotencyKey))
    return err(
      problemOf({ code: "precondition.malformed", message: "an idempotency key is 1 to 128 printable characters" }),
    );
  const replaces = demandCondition(request);
  if (!replaces.ok) return replaces;
  const card = isObject(body ?? null) ? authored(body as JsonObject) : (body ?? null);
  const reason = reasonOf(request);
  if (!reason.ok) return reason;
  const why = reason.value === undefined ? {} : { reason: reason.value };
  const asked = digest("countersign-record-v1", { put: scope, card, replaces: replaces.value, ...why });
  const key = `card:${caller.credential}:${idempotencyKey}`;
  const before = await answeredBefore(desk, tenant, key, asked);
  if (!before.ok || before.value !== null) return before as Result<EndpointAnswer, Problem>;

  const draft = readCard(card, scope, null);
  if (!draft.ok)
    return err(problemOfSave({ code: "policy.malformed", message: "the card cannot be read", problems: draft.error }));
  const tried = await tryDraft(desk, tenant, draft.value);
  if (!tried.ok) return tried;
  const [outside] = tried.value.outside;
  if (outside !== undefined)
    return err(
      problemOf({
        code: "policy.malformed",
        path: `/${outside.field.replace(".", "/")}`,
        message: "a trusted source is outside the platform's ceiling",
      }),
    );
  const warnings = warningsOf(draft.value);
  const now = desk.clock();
  const assigned = {
    card_id: `pc-${sha256Hex(`${tenant}\n${scope}`).slice(0, 32)}`,
    issued_at: formatInstant(instantFromMillis(now)),
  };
  const saved = await savePolicy(portsOf(desk), {
    tenant,
    scope,
    kind: "card",
    read: readStoredCard,
    document: { card, ...assigned },
    replaces: replaces.value,
    by: actorOf(caller),
    event: "card.put",
    ...why,
    idempotency: ({ version, digest: hash }) => ({
      key,
      digest: asked,
      answer: JSON.stringify(answerOf(card, assigned, version, hash, replaces.value, warnings)),
      keepFor: REPLAYED_FOR,
    }),
  });
  if (!saved.ok) return err(problemOfSave(saved.error));
  const { version, digest: hash, replayed } = saved.value;
  return replayed === undefined
    ? ok(answerOf(card, assigned, version, hash, replaces.value, warnings))
    : ok(asReplayed(replayed));
}

const answerOf = (
  card: JsonValue,
  assigned: JsonObject,
  version: number,
  hash: string,
  replaces: string | null,
  warnings: readonly CardWarning[],
): EndpointAnswer => ({
  status: replaces === null ? 201 : 200,
  body: {
    ...(card as JsonObject),
    ...assigned,
    version,
    content_hash: hash,
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((one) => ({ ...one })) }),
  },
  etag: hash,
});

/** The first answer of a key within a day; the same key for something else is a conflict. */
async function answeredBefore(
  { store }: PolicyDesk,
  tenant: string,
  key: string,
  asked: string,
): Promise<Result<EndpointAnswer | null, Problem>> {
  const facts = await store.facts(tenant, {
    agent: "",
    credential: "",
    scopes: [],
    spent: [],
    actionDigest: null,
    idempotency: { key, digest: asked },
  });
  if (!facts.ok) return err(problemOfFault(facts.error));
  const { replay } = facts.value;
  if (replay === "conflict") return err(problemOf("idempotency.conflict"));
  return ok(replay === null ? null : asReplayed(replay.answer));
}

const asReplayed = (answer: string): EndpointAnswer => ({
  ...(JSON.parse(answer) as EndpointAnswer),
  headers: { "idempotent-replayed": "true" },
});

/** Addresses of before, as the specification of cards still names them. */
const LEGACY: readonly (readonly ["GET" | "POST", string, (id: string) => string])[] = [
  ["POST", "/v1/agents/{id}/protection-card/preview-compose", (id) => `/v1/protection/agent/${id}/preview-compose`],
  ["POST", "/v1/orgs/{id}/protection-template/preview-compose", (id) => `/v1/protection/org/${id}/preview-compose`],
  ["POST", "/v1/teams/{id}/protection-template/preview-compose", (id) => `/v1/protection/team/${id}/preview-compose`],
  ["GET", "/v1/agents/{id}/protection-card", (id) => `/v1/protection/agent/${id}`],
];

const legacy = (method: "GET" | "POST", path: string, to: (id: string) => string): Endpoint => ({
  operation: describe(method, path, "Moved", "This address has moved; the answer says where."),
  needs: [],
  body: { yaml: true, limit: CARD_LIMIT },
  answer: async ({ params }) => {
    const location = to(encodeURIComponent(params["id"] ?? ""));
    return ok({
      status: 308,
      body: { location },
      headers: {
        location,
        deprecation: "true",
        sunset: "Fri, 15 Jan 2027 00:00:00 GMT",
        link: `<${location}>; rel="successor-version"`,
      },
    });
  },
});
