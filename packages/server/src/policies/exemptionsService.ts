import {
  exemptSectionOf,
  grantExemption,
  listExemptions,
  type Problem,
  problemOf,
  problemOfFault,
  revokeExemption,
} from "@countersign/api";
import {
  type Actor,
  type Appended,
  canonicalize,
  digest,
  EXEMPT_SECTIONS,
  EXEMPTION_LASTS,
  EXEMPTION_LIMIT,
  type Exemption,
  err,
  exemptionScope,
  formatInstant,
  idempotent,
  instantFromMillis,
  isLive,
  isScopeId,
  type JsonObject,
  jsonLimits,
  type Ledger,
  millisOf,
  newId,
  ok,
  type Policies,
  type PutPolicy,
  parseInstant,
  parseJson,
  type RandomBytes,
  type Result,
  readExemptions,
} from "@countersign/core";
import { actorOf } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface ExemptionsFace {
  readonly store: Ledger & Policies;
  readonly operator: string;
  readonly clock: () => number;
  readonly random: RandomBytes;
}

/** How often another writer may come first. */
const TRIES = 5;

/** The one way to loosen, for one agent and a time. */
export const exemptionsService = (face: ExemptionsFace) =>
  service("exemptions", [
    handler(listExemptions, async ({ agent }, caller) => {
      const held = await read(face, caller.tenant, agent);
      return held.ok ? ok({ items: held.value.live.map(write) }) : held;
    }),
    handler(grantExemption, async (input, caller) => {
      const { agent, over = "tenant", reason, expires_at, granted_by: named } = input;
      if (caller.holder.kind !== "person") return err(problemOf("actor.not_allowed"));
      if (named !== undefined && named !== caller.holder.person) return err(problemOf("identity.mismatch"));
      const patterns = input.patterns ?? input.exempt_patterns;
      const meant = input.exempt_section === undefined ? input.section : exemptSectionOf(input.exempt_section);
      const section = meant === (input.section ?? meant) ? meant : undefined;
      if (section === undefined)
        return err(
          problemOf({
            code: "request.invalid",
            path: input.exempt_section === undefined ? "/section" : "/exempt_section",
            message:
              meant === undefined
                ? "there is no section of this name to be exempted from"
                : "the two names are of different sections",
            expected: EXEMPT_SECTIONS.join(", "),
          }),
        );
      if (over === "platform" && caller.tenant !== face.operator) return err(problemOf("credential.scope"));
      if (patterns !== undefined && section !== "protected")
        return err(problemOf({ code: "request.invalid", path: "/patterns", message: "only protected has patterns" }));
      const now = face.clock();
      const end = readEnd(expires_at, now);
      if (!end.ok) return end;
      const exemption: Exemption = {
        id: newId("exm", now, face.random),
        section,
        patterns: patterns ?? null,
        over,
        reason,
        grantedBy: caller.holder.person,
        grantedAt: instantFromMillis(now),
        expiresAt: end.value,
      };
      const { idempotency_key: key, ...asked } = input;
      const by = actorOf(caller);
      const once = idempotent(
        "exemption.grant",
        by,
        key,
        JSON.parse(JSON.stringify(asked)) as JsonObject,
        JSON.stringify(write(exemption)),
      );
      const saved = await change(
        face,
        caller.tenant,
        agent,
        by,
        reason,
        "exemption.grant",
        (live) =>
          live.length < EXEMPTION_LIMIT
            ? ok([...live, exemption])
            : err(
                problemOf({
                  code: "request.invalid",
                  path: "",
                  message: `an agent has at most ${EXEMPTION_LIMIT} exemptions`,
                }),
              ),
        once,
      );
      if (!saved.ok) return saved;
      const first = saved.value.replayed?.answer;
      return ok(first == null ? write(exemption) : (JSON.parse(first) as JsonObject));
    }),
    handler(revokeExemption, async ({ agent, id, reason }, caller) => {
      const saved = await change(face, caller.tenant, agent, actorOf(caller), reason, "exemption.revoke", (live) =>
        live.some((one) => one.id === id)
          ? ok(live.filter((one) => one.id !== id))
          : err(problemOf("exemption.unknown")),
      );
      return saved.ok ? ok({ id, revoked_at: formatInstant(instantFromMillis(saved.value.at)) }) : saved;
    }),
  ]);

/** Null stays until it is revoked; ninety days where nothing is said. */
function readEnd(text: string | null | undefined, now: number): Result<Exemption["expiresAt"], Problem> {
  if (text === null) return ok(null);
  if (text === undefined) return ok(instantFromMillis(now + EXEMPTION_LASTS * 1000));
  const read = parseInstant(text);
  const expected = "a time to come, as RFC 3339 has it";
  if (read.ok && millisOf(read.value) > now) return ok(read.value);
  const message = read.ok ? "the exemption would have ended before it began" : read.error.message;
  return err(problemOf({ code: "request.invalid", path: "/expires_at", message, expected }));
}

interface Held {
  readonly live: readonly Exemption[];
  readonly digest: string | null;
}

async function read({ store, clock }: ExemptionsFace, tenant: string, agent: string): Promise<Result<Held, Problem>> {
  if (!isScopeId(agent)) return err(problemOf("agent.unknown"));
  const found = await store.policies(tenant, [exemptionScope(agent)]);
  if (!found.ok) return err(problemOfFault(found.error));
  const [version] = found.value;
  if (version === undefined) return ok({ live: [], digest: null });
  const document = parseJson(version.text, jsonLimits, "plain");
  const all = document.ok ? readExemptions(document.value) : document;
  if (!all.ok) return err(problemOf("policy.unavailable"));
  const now = instantFromMillis(clock());
  return ok({ live: all.value.filter((one) => isLive(one, now)), digest: version.digest });
}

/** Writes the next version of an agent's exemptions. Those that have ended are not in it any more. */
async function change(
  face: ExemptionsFace,
  tenant: string,
  agent: string,
  by: Actor,
  reason: string,
  event: NonNullable<PutPolicy["event"]>,
  to: (live: readonly Exemption[]) => Result<readonly Exemption[], Problem>,
  once: ReturnType<typeof idempotent> = {},
): Promise<Result<Appended, Problem>> {
  const scope = exemptionScope(agent);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const held = await read(face, tenant, agent);
    if (!held.ok) return held;
    const next = to(held.value.live);
    if (!next.ok) return next;
    const document = { exemptions: next.value.map(write) };
    // What does not read would block the agent, and could not be taken back.
    if (!readExemptions(document).ok) return err(problemOf("request.invalid"));
    const committed = await face.store.commit(tenant, {
      kind: "policy.put",
      scope,
      id: newId("pol", face.clock(), face.random),
      digest: digest("countersign-policy-v1", [{ scope, document, after: held.value.digest }]),
      text: canonicalize(document),
      replaces: held.value.digest,
      by,
      reason,
      event,
      ...once,
    });
    if (committed.ok) return ok(committed.value);
    if (committed.error.code !== "policy.stale" && committed.error.code !== "policy.exists")
      return err(problemOfFault(committed.error));
  }
  return err(problemOf("store.busy"));
}

const write = ({ id, section, patterns, over, reason, grantedBy, grantedAt, expiresAt }: Exemption): JsonObject => ({
  id,
  section,
  ...(patterns === null ? {} : { patterns: [...patterns] }),
  over,
  reason,
  granted_by: grantedBy,
  granted_at: formatInstant(grantedAt),
  expires_at: expiresAt === null ? null : formatInstant(expiresAt),
});
