import { err, ok, type Result } from "../result.ts";
import type { Scope } from "./effective.ts";

/** Where a document can be written, in the order of composition. */
export const SCOPE_KINDS = ["platform", "org", "team", "agent"] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The one scope above all tenants. */
export const PLATFORM_SCOPE = "platform:default";

export interface ScopeError {
  readonly code: "scope.malformed";
  readonly message: string;
  readonly expected: string;
}

/** Ids of teams and agents. One spelling: no letters that look alike, nothing that a path or a list would split. */
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

export const isScopeId = (id: string): boolean => ID.test(id);

/** `team` and `ops` as `team:ops`. The platform has the one id `default`. */
export function scopeOf(kind: string, id: string): Result<Scope, ScopeError> {
  const known = SCOPE_KINDS.find((one) => one === kind);
  if (known === undefined) return malformed("there is no scope of this kind", SCOPE_KINDS.join(", "));
  if (known === "platform" && id !== "default") return malformed("the platform has one scope only", PLATFORM_SCOPE);
  if (!isScopeId(id))
    return malformed("this is no id of a scope", "1 to 128 of A-Z a-z 0-9 . _ - with letters or digits at the ends");
  return ok(`${known}:${id}`);
}

const malformed = (message: string, expected: string): Result<never, ScopeError> =>
  err({ code: "scope.malformed", message, expected });

export const kindOf = (scope: Scope): ScopeKind | undefined => SCOPE_KINDS.find((kind) => scope.startsWith(`${kind}:`));

export const isPlatform = (scope: Scope): boolean => scope.startsWith("platform:");
export const isAgentScope = (scope: Scope): boolean => scope.startsWith("agent:");

/** Every scope that has a say for an agent, in the order of composition. */
export const scopesOf = (agent: {
  readonly tenant: string;
  readonly agent: string;
  readonly teams: readonly string[];
}) =>
  [
    PLATFORM_SCOPE,
    `org:${agent.tenant}`,
    ...[...agent.teams].sort().map((team) => `team:${team}`),
    `agent:${agent.agent}`,
  ] as const;
