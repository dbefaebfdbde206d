import { type Problem, problemOf, problemOfFault } from "@countersign/api";
import {
  type Actor,
  type Agents,
  err,
  type KeyHolder,
  type KeyScope,
  type Material,
  ok,
  type Principal,
  type Result,
} from "@countersign/core";

/** Who a request comes from, by its credential and by nothing that it says of itself. */
export interface Caller {
  readonly tenant: string;
  /** `key_…`, or `loopback` for the caller without one. */
  readonly credential: string;
  readonly scopes: ReadonlySet<KeyScope>;
  readonly holder: KeyHolder;
}

/** Without a credential, on loopback: the agent `local`, which may ask for decisions and advice and nothing else. */
export const LOCAL: Caller = {
  tenant: "local",
  credential: "loopback",
  scopes: new Set(["decide"]),
  holder: { kind: "agent", agent: "local" },
};

/** Whether the credential reaches so far; a problem when it does not. */
export const demand = (caller: Caller, scope: KeyScope): Problem | null =>
  caller.scopes.has(scope) ? null : problemOf("credential.scope");

/**
 * For whom the caller asks. A credential of an agent speaks for that agent alone; one of an enforcer for the agents on
 * its list, and has to name one; a person asks for nobody. Any other name is `identity.mismatch`.
 */
export async function principalOf(
  caller: Caller,
  named: string | undefined,
  agents: Agents,
): Promise<Result<Principal, Problem>> {
  const agent = agentOf(caller.holder, named);
  if (agent === undefined) return err(problemOf("identity.mismatch"));
  const found = await agents.agent(caller.tenant, agent);
  if (!found.ok) return err(problemOfFault(found.error));
  if (found.value !== null && found.value.state !== "active") return err(problemOf("identity.mismatch"));
  return ok({ tenant: caller.tenant, agent, teams: found.value?.teams ?? [], credential: caller.credential });
}

function agentOf(holder: KeyHolder, named: string | undefined): string | undefined {
  switch (holder.kind) {
    case "agent":
      return named === undefined || named === holder.agent ? holder.agent : undefined;
    case "enforcer":
      return named !== undefined && (holder.agents === "any" || holder.agents.includes(named)) ? named : undefined;
    case "person":
      return undefined;
  }
}

/** Whether the caller may read what belongs to an agent: its own, one on its list, or any for those who review or audit. */
export function maySee({ holder, scopes }: Caller, agent: string): boolean {
  if (scopes.has("audit") || scopes.has("review")) return true;
  return holder.kind === "agent"
    ? holder.agent === agent
    : holder.kind === "enforcer" && (holder.agents === "any" || holder.agents.includes(agent));
}

/** Where texts came from counts from whoever observed it: of what an agent says of that, nothing is taken. */
export function observedBy({ holder }: Caller, material: Material): Material {
  if (holder.kind === "enforcer" || material.texts === undefined) return material;
  return { ...material, texts: material.texts.map(({ from: _, ...text }) => text) };
}

/** Who gives advice its name in the log: the agent, or the credential where it speaks for many. */
export const adviceFor = ({ holder, credential }: Caller): string =>
  holder.kind === "agent" ? holder.agent : credential;

/** Whose things a list shows to the caller: null for everybody's. */
export function agentsSeen({ holder, scopes }: Caller): readonly string[] | null {
  if (scopes.has("audit") || scopes.has("review")) return null;
  if (holder.kind === "agent") return [holder.agent];
  if (holder.kind === "person") return [];
  return holder.agents === "any" ? null : holder.agents;
}

/** Whether the caller acts for an agent: itself, or one on its list. Reading about an agent is not acting for it. */
export const actsFor = ({ holder }: Caller, agent: string): boolean =>
  holder.kind === "agent"
    ? holder.agent === agent
    : holder.kind === "enforcer" && (holder.agents === "any" || holder.agents.includes(agent));

/** Who the people are is told to people only. */
export const readerOf = ({ holder }: Caller) => (holder.kind === "person" ? "person" : "program");

/** Who did it, as a record names them: from the credential, and never from what a request says. */
export function actorOf({ holder, credential }: Caller): Actor {
  switch (holder.kind) {
    case "agent":
      return { kind: "agent", id: holder.agent, credential };
    case "enforcer":
      return { kind: "enforcer", id: holder.id, credential };
    case "person":
      return { kind: "person", id: holder.person, credential };
  }
}
