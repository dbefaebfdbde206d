import {
  getAgent,
  listAgents,
  PAGE,
  type Problem,
  problemOf,
  problemOfFault,
  putAgent,
  removeAgent,
  writePage,
} from "@countersign/api";
import {
  type Agent,
  type Agents,
  err,
  formatInstant,
  idempotent,
  instantFromMillis,
  isScopeId,
  type JsonObject,
  type Ledger,
  ok,
  type Policies,
  type Result,
} from "@countersign/core";
import { actorOf, type Caller } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface AgentsFace {
  readonly store: Ledger & Agents & Pick<Policies, "policyScopes">;
}

/** The directory of agents: who there is, and whose policies they are under. */
export const agentsService = ({ store }: AgentsFace) =>
  service("agents", [
    handler(listAgents, async ({ after, limit = PAGE }, caller) => {
      const page = await store.agents(caller.tenant, { limit, ...(after === undefined ? {} : { after }) });
      if (!page.ok) return err(problemOfFault(page.error));
      const items = page.value.items.filter(({ state }) => state !== "removed");
      return ok(writePage({ items, next: page.value.next }, writeAgent));
    }),
    handler(getAgent, async ({ id }, caller) => {
      const found = await store.agent(caller.tenant, id);
      if (!found.ok) return err(problemOfFault(found.error));
      return found.value === null || found.value.state === "removed"
        ? err(problemOf("agent.unknown"))
        : ok(writeAgent(found.value));
    }),
    handler(putAgent, async ({ id, teams, display, disabled, reason, idempotency_key: key }, caller) => {
      const wrong = await judgeNames(store, caller, id, teams);
      if (wrong !== null) return err(wrong);
      const asked = {
        id,
        teams: [...teams],
        display: display ?? null,
        disabled: disabled ?? null,
        reason: reason ?? null,
      };
      const put = await store.commit(caller.tenant, {
        kind: "agent.put",
        ...idempotent("agent.put", actorOf(caller), key, asked),
        id,
        org: caller.tenant,
        teams: [...new Set(teams)],
        state: disabled === true ? "disabled" : "active",
        by: actorOf(caller),
        ...(display === undefined ? {} : { display }),
        ...(reason === undefined ? {} : { reason }),
      });
      if (!put.ok) return err(problemOfFault(put.error));
      return ok({ id, teams: [...new Set(teams)], display: display ?? null, disabled: disabled === true });
    }),
    handler(removeAgent, async ({ id, reason }, caller) => {
      const found = await store.agent(caller.tenant, id);
      if (!found.ok) return err(problemOfFault(found.error));
      if (found.value === null || found.value.state === "removed") return err(problemOf("agent.unknown"));
      const { org, display } = found.value;
      const put = await store.commit(caller.tenant, {
        kind: "agent.put",
        id,
        org,
        teams: [],
        state: "removed",
        by: actorOf(caller),
        ...(display === null ? {} : { display }),
        ...(reason === undefined ? {} : { reason }),
      });
      if (!put.ok) return err(problemOfFault(put.error));
      return ok({ id, removed_at: formatInstant(instantFromMillis(put.value.at)) });
    }),
  ]);

const writeAgent = ({ id, teams, display, state }: Agent): JsonObject => ({
  id,
  teams: [...teams],
  display,
  disabled: state === "disabled",
});

/** What is wrong with the names, if anything: two agents that a person cannot tell apart would share a reader's trust. */
async function judgeNames(
  store: AgentsFace["store"],
  { tenant }: Caller,
  id: string,
  teams: readonly string[],
): Promise<Problem | null> {
  const form = "A-Z a-z 0-9 . _ - with a letter or digit at both ends";
  const strange = (path: string): Problem =>
    problemOf({ code: "request.invalid", path, message: "this is no id of a scope", expected: form });
  if (!isScopeId(id)) return strange("/id");
  const at = teams.findIndex((team) => !isScopeId(team));
  if (at >= 0) return strange(`/teams/${at}`);
  const scopes = teams.length === 0 ? ok([]) : await store.policyScopes(tenant);
  if (!scopes.ok) return problemOfFault(scopes.error);
  const misspelt = teams.findIndex((team) => isMisspelt(team, scopes.value));
  if (misspelt >= 0) {
    const message = "a team has this id in another letter case, and its policies would not count";
    return problemOf({ code: "request.invalid", path: `/teams/${misspelt}`, message, expected: "its own spelling" });
  }
  const known = await store.agent(tenant, id);
  if (!known.ok) return problemOfFault(known.error);
  if (known.value !== null) return null;
  const twin = await findTwin(store, tenant, id.toLowerCase());
  if (!twin.ok) return twin.error;
  if (!twin.value) return null;
  const message = "an agent has this id in another letter case";
  return problemOf({ code: "request.invalid", path: "/id", message, expected: "an id that differs in more" });
}

function isMisspelt(team: string, scopes: readonly string[]): boolean {
  const written = scopes.flatMap((scope) => /^(?:card:)?team:(.*)$/.exec(scope)?.[1] ?? []);
  return !written.includes(team) && written.some((other) => other.toLowerCase() === team.toLowerCase());
}

const PAGE_OF_ALL = 1000;

async function findTwin(store: Agents, tenant: string, folded: string): Promise<Result<boolean, Problem>> {
  let after: string | undefined;
  do {
    const page = await store.agents(tenant, { limit: PAGE_OF_ALL, ...(after === undefined ? {} : { after }) });
    if (!page.ok) return err(problemOfFault(page.error));
    if (page.value.items.some((agent) => agent.id.toLowerCase() === folded)) return ok(true);
    after = page.value.next ?? undefined;
  } while (after !== undefined);
  return ok(false);
}
