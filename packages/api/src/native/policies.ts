import type { PolicyProblem, PolicyVersion } from "@countersign/core";
import {
  EXEMPT_SECTIONS,
  type ExemptSection,
  formatInstant,
  instantFromMillis,
  type JsonObject,
} from "@countersign/core";
import * as z from "zod/mini";
import { type CodedError, type Fault, type Problem, problemOf, problemOfFault, shownPath } from "../problem.ts";
import { idOf, maybeTime, operation, pageOf, paging, reason, time } from "./operation.ts";
import { described, list, name, once } from "./schema.ts";

const scopeKind = described(z.enum(["platform", "org", "team", "agent"]), "Where the document stands.");
const scopeId = described(name(128), "`default` for the platform, the tenant's id for its organisation.");
const digest = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/));
const document = described(z.record(z.string(), z.unknown()), "The policy as it was written.");
export const warning = z.strictObject({ code: z.string(), path: z.string(), message: z.string() });

const versionSchema = z.strictObject({
  version: z.int(),
  digest,
  by: z.string(),
  at: time,
  reason: z.nullable(z.string()),
});

const READERS = ["policy", "audit", "admin"] as const;
const savedSchema = z.strictObject({
  scope: z.string(),
  version: z.int(),
  digest,
  warnings: described(z.array(warning), "What does not bite below the scopes above."),
});

const documentSchema = z.extend(versionSchema, { scope: z.string(), document });
const previewSchema = z.strictObject({ scope: z.string(), digest, warnings: z.array(warning) });
const historySchema = z.strictObject({ items: z.array(versionSchema) });
const listSchema = z.strictObject({
  items: z.array(z.strictObject({ scope: z.string(), version: z.int(), digest })),
});

/** Where a document stands: `platform`, `org`, `team` or `agent`. */
export type ScopeKindWire = z.infer<typeof scopeKind>;
export type PolicyDocumentWire = z.infer<typeof documentSchema>;
export type PolicySavedWire = z.infer<typeof savedSchema>;
export type PolicyPreviewWire = z.infer<typeof previewSchema>;
export type PolicyHistoryWire = z.infer<typeof historySchema>;
export type PolicyListWire = z.infer<typeof listSchema>;
export type EffectivePolicyWire = z.infer<typeof effectiveSchema>;

export const getPolicy = operation(
  {
    name: "get_policy",
    title: "Read a policy",
    description: "The document in force in one scope, or an earlier version of it. Its digest is the entity tag.",
    needs: READERS,
    changes: "nothing",
  },
  ["GET", "/v1/policies/{scope}/{id}"],
  z.strictObject({ scope: scopeKind, id: scopeId, version: z.optional(z.int().check(z.minimum(1))) }),
  documentSchema,
);

export const putPolicy = operation(
  {
    name: "put_policy",
    title: "Write a policy",
    description:
      "Saves a document, JSON or YAML, as the next version of its scope, whole or not at all. Needs `If-Match` with the digest of the version it replaces, or `If-None-Match: *` to create.",
    needs: ["policy"],
    changes: "the log",
  },
  ["PUT", "/v1/policies/{scope}/{id}"],
  z.strictObject({ scope: scopeKind, id: scopeId }),
  savedSchema,
);

export const previewPolicy = operation(
  {
    name: "preview_policy",
    title: "Try a policy",
    description: "Reads a document and compares it with the scopes above, without saving anything.",
    needs: READERS,
    changes: "nothing",
  },
  ["POST", "/v1/policies/{scope}/{id}/preview"],
  z.strictObject({ scope: scopeKind, id: scopeId }),
  previewSchema,
);

export const policyHistory = operation(
  {
    name: "policy_history",
    title: "History of a policy",
    description: "Every version of one scope, newest first: who wrote it, when and why.",
    needs: READERS,
    changes: "nothing",
  },
  ["GET", "/v1/policies/{scope}/{id}/history"],
  z.strictObject({
    scope: scopeKind,
    id: scopeId,
    limit: z.optional(
      described(z.int().check(z.minimum(1), z.maximum(200)), "At most so many; 100 unless told otherwise."),
    ),
    before: z.optional(described(z.int().check(z.minimum(1)), "Only versions before this one.")),
  }),
  historySchema,
);

export const rollBackPolicy = operation(
  {
    name: "roll_back_policy",
    title: "Go back to an earlier version",
    description: "Writes an earlier version of the scope as its next one. Needs `If-Match`.",
    needs: ["policy"],
    changes: "the log",
  },
  ["POST", "/v1/policies/{scope}/{id}/rollback"],
  z.strictObject({ scope: scopeKind, id: scopeId, version: z.int().check(z.minimum(1)), reason }),
  savedSchema,
);

export const listPolicies = operation(
  {
    name: "list_policies",
    title: "List policies",
    description: "Every scope of the tenant that has a document.",
    needs: READERS,
    changes: "nothing",
  },
  ["GET", "/v1/policies"],
  z.strictObject({}),
  listSchema,
);

const provenance = z.strictObject({
  path: described(z.string(), "JSON Pointer into `policy`."),
  scope: z.string(),
  document: described(z.enum(["policy", "card"]), "Which of the two documents that a scope can have."),
  version: z.nullable(z.int()),
});

const effectiveSchema = z.strictObject({
  agent: z.string(),
  teams: z.array(z.string()),
  digest,
  sources: z.array(z.strictObject({ scope: z.string(), version: z.nullable(z.int()), digest })),
  exemptions: z.array(z.string()),
  policy: z.record(z.string(), z.unknown()),
  provenance: z.array(provenance),
});

export const effectivePolicy = operation(
  {
    name: "effective_policy",
    title: "What is in force for an agent",
    description: "The composition of every scope above an agent, and of each value the document that it comes from.",
    needs: READERS,
    changes: "nothing",
  },
  ["GET", "/v1/policies/effective"],
  z.strictObject({ agent: name(128) }),
  effectiveSchema,
);

const exemptionSchema = z.strictObject({
  id: idOf("exm"),
  section: z.enum(EXEMPT_SECTIONS),
  patterns: z.optional(z.array(z.string())),
  over: z.enum(["tenant", "platform"]),
  reason: z.string(),
  granted_by: z.string(),
  granted_at: time,
  expires_at: maybeTime,
});

const patterns = list(name(200), 64).check(z.minLength(1));

/** What cards call the sections that can be exempted. */
const CARD_SECTIONS: Readonly<Record<string, ExemptSection>> = {
  mode: "screening.mode",
  thresholds: "screening.thresholds",
  screen_surfaces: "screening.surfaces",
  trusted_sources: "screening.trusted_sources",
  protected_surface: "protected",
  review: "review",
};

/** The section that a card's name means: exactly that, and undefined for a part that is not exempted by itself. */
export function exemptSectionOf(card: string): ExemptSection | undefined {
  const [first = "", ...rest] = card.replace(/^protection[.]/, "").split(".");
  const section = Object.hasOwn(CARD_SECTIONS, first) ? CARD_SECTIONS[first] : undefined;
  return EXEMPT_SECTIONS.find((known) => known === [section, ...rest].join("."));
}

const exemptAgent = { agent: described(name(128), "The agent that is exempted.") };

export const listExemptions = operation(
  {
    name: "list_exemptions",
    title: "List exemptions",
    description: "Exemptions of an agent that have not ended.",
    needs: READERS,
    changes: "nothing",
  },
  ["GET", "/v1/agents/{agent}/exemptions"],
  z.strictObject(exemptAgent),
  z.strictObject({ items: z.array(exemptionSchema) }),
);

export const grantExemption = operation(
  {
    name: "grant_exemption",
    title: "Grant an exemption",
    description:
      "Takes one section of the scopes above away from one agent for a time, ninety days where none is given. Null as its end is until somebody revokes it. The platform's sections are the operator's to take away.",
    needs: ["policy"],
    changes: "the log",
  },
  ["POST", "/v1/agents/{agent}/exemptions"],
  z.strictObject({
    ...exemptAgent,
    section: z.optional(z.enum(EXEMPT_SECTIONS)),
    exempt_section: z.optional(
      described(
        name(128),
        "The section as the card specification names it: `protection.thresholds`, `screen_surfaces`.",
      ),
    ),
    patterns: z.optional(described(patterns, "Of `protected`: only these patterns.")),
    exempt_patterns: z.optional(described(patterns, "As `patterns`, for cards.")),
    granted_by: z.optional(described(name(128), "Taken from the credential; named here it has to be the same.")),
    over: z.optional(z.enum(["tenant", "platform"])),
    reason,
    expires_at: z.optional(z.nullable(z.string())),
    ...once,
  }),
  exemptionSchema,
);

export const revokeExemption = operation(
  {
    name: "revoke_exemption",
    title: "Revoke an exemption",
    description: "From the next decision on the section counts again.",
    needs: ["policy"],
    changes: "the log",
  },
  ["DELETE", "/v1/agents/{agent}/exemptions/{id}"],
  z.strictObject({ ...exemptAgent, id: idOf("exm"), reason }),
  z.strictObject({ id: idOf("exm"), revoked_at: time }),
);

const agentSchema = z.strictObject({
  id: z.string(),
  teams: z.array(z.string()),
  display: z.nullable(z.string()),
  disabled: z.boolean(),
});

const agentId = described(name(128), "As credentials and scopes name it.");
const AGENT_READERS = ["policy", "review", "audit", "admin"] as const;

export const getAgent = operation(
  {
    name: "get_agent",
    title: "Look up an agent",
    description: "What the directory says of an agent.",
    needs: AGENT_READERS,
    changes: "nothing",
  },
  ["GET", "/v1/agents/{id}"],
  z.strictObject({ id: agentId }),
  agentSchema,
);

export const listAgents = operation(
  {
    name: "list_agents",
    title: "List agents",
    description: "Every agent of the directory, by id.",
    needs: AGENT_READERS,
    changes: "nothing",
  },
  ["GET", "/v1/agents"],
  z.strictObject({ ...paging }),
  pageOf(agentSchema),
);

/** Money counts in a series for each team: this many, and the ledger keeps them all. */
export const MOST_TEAMS = 8;

export const putAgent = operation(
  {
    name: "put_agent",
    title: "Write an agent",
    description:
      "Adds an agent to the directory or changes it. Its teams say whose policies it is under, from the next decision on.",
    needs: ["admin", "policy"],
    changes: "the log",
  },
  ["PUT", "/v1/agents/{id}"],
  z.strictObject({
    id: agentId,
    teams: list(name(128), MOST_TEAMS),
    display: z.optional(name(128)),
    disabled: z.optional(described(z.boolean(), "Its credentials are refused.")),
    reason: z.optional(reason),
    ...once,
  }),
  agentSchema,
);

export const removeAgent = operation(
  {
    name: "remove_agent",
    title: "Remove an agent",
    description: "Its credentials are refused from then on, and its id stays taken.",
    needs: ["admin"],
    changes: "the log",
  },
  ["DELETE", "/v1/agents/{id}"],
  z.strictObject({ id: agentId, reason: z.optional(reason) }),
  z.strictObject({ id: z.string(), removed_at: time }),
);

export const writeVersion = ({ version, digest: of, by, at, reason: why }: PolicyVersion): JsonObject => ({
  version,
  digest: of,
  by,
  at: formatInstant(instantFromMillis(at)),
  reason: why,
});

const faultOf = ({ code, path, message, expected }: PolicyProblem): Fault => ({
  path: shownPath(path),
  message,
  ...(expected === undefined ? {} : { expected }),
  code,
});

/** Everything that is wrong with a document, as one problem. */
export function problemOfPolicy(problems: readonly PolicyProblem[]): Problem {
  const [first] = problems;
  if (first === undefined) return problemOf("policy.malformed");
  const { path, message, expected } = first;
  const errors = problems.map(faultOf);
  const error: CodedError = {
    code: "policy.malformed",
    message,
    path,
    ...(expected === undefined ? {} : { expected }),
  };
  return { ...problemOf(error), errors };
}

/** The problem of a document that was not saved. */
export const problemOfSave = (error: {
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly PolicyProblem[];
}): Problem => (error.problems === undefined ? problemOfFault(error) : problemOfPolicy(error.problems));
