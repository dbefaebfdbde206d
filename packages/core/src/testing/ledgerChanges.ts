import type { Actor, Decide, NewHold, Outcome, Redeem, Reservation } from "../gate/ledger/change.ts";

let made = 0;

/** An id that no other test has. */
export const freshId = (prefix: string): string => `${prefix}_${process.pid}-${++made}`;

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const person = (id: string): Actor => ({ kind: "person", id, credential: `key_${id}` });
export const enforcer: Actor = { kind: "enforcer", id: "proxy", credential: "key_proxy" };
export const agentSelf: Actor = { kind: "agent", id: "a", credential: "key_a" };

export const decideChange = (parts: Partial<Decide> = {}): Decide => ({
  kind: "decide",
  id: freshId("dec"),
  agent: "a",
  credential: "key_a",
  verdict: "allow",
  actionDigest: "sha256:aa",
  policyDigest: "sha256:pp",
  record: '{"n":1}',
  codes: [],
  scopes: ["tenant", "org:o", "agent:a"],
  redeemFor: 5 * minute,
  reservations: [],
  ...parts,
});

/** A payment that counts towards one daily budget of the agent. */
export const payment = (amount: string, limit: string, parts: Partial<Reservation> = {}): Reservation => ({
  amount,
  currency: "USD",
  series: ["agent:a", "agent:a/counterparty:c"],
  budgets: [{ budget: "daily", series: "agent:a", window: { rolling: day }, limit }],
  ...parts,
});

export const holdOf = (parts: Partial<NewHold> = {}): NewHold => ({
  id: freshId("hold"),
  about: "action",
  risk: 50,
  approvers: 1,
  codes: ["mandate.requires_human"],
  expiresIn: hour,
  onTimeout: "reject",
  grantFor: hour,
  ...parts,
});

export const redeemOf = (decision: string, parts: Partial<Redeem> = {}): Redeem => ({
  kind: "redeem",
  decision,
  by: enforcer,
  actionDigest: "sha256:aa",
  policyDigest: "sha256:pp",
  readUnder: { agent: "a", teams: [], versions: [] },
  ...parts,
});

export const outcomeOf = (decision: string, parts: Partial<Outcome> = {}): Outcome => ({
  kind: "outcome",
  decision,
  by: enforcer,
  result: "executed",
  asApproved: true,
  breaker: freshId("stop"),
  ...parts,
});
