import { AsyncLocalStorage } from "node:async_hooks";
import { createSchemaCache } from "../check/schema/cache.ts";
import { withCompiledSchemas } from "../check/schema/contracts.ts";
import type { Outcome } from "../decision/decision.ts";
import type * as draft from "../gate/draft.ts";
import type * as gate from "../gate/gate.ts";
import { replayEntry } from "../gate/replay/replayEntry.ts";
import { canonicalize } from "../json/canonical.ts";
import type { JsonValue } from "../json/value.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import type { PolicySourceError } from "../policy/source.ts";
import { LOG_START, recordText } from "../record/logRecord.ts";
import type { Sha256 } from "../record/merkle.ts";
import { err } from "../result.ts";

/** What came of deciding again in one test file. */
export interface ReplayWatch {
  decisions: number;
  /** Why a decision was not the same the second time, in words. */
  readonly disagreements: string[];
}

/** The policy that the gate was given for the decision it is making, as it judges by it. */
const deciding = new AsyncLocalStorage<{ policy: EffectivePolicy | null }>();
const schemas = createSchemaCache(500);

/** A gate whose policies are noticed. Nothing else of it is touched. */
export const watchedGate =
  (createGate: typeof gate.createGate): typeof gate.createGate =>
  (ports) => {
    const noticed = async (policy: EffectivePolicy | null): Promise<void> => {
      const now = deciding.getStore();
      if (policy !== null && now !== undefined) now.policy = await withCompiledSchemas(policy, schemas);
    };
    const { policies } = ports;
    const effective: typeof policies.effective = async (asker) => {
      const found = await policies.effective(asker);
      if (found.ok) await noticed(found.value);
      return found;
    };
    const versioned: typeof policies.versioned =
      policies.versioned === undefined
        ? undefined
        : async (asker) => {
            const found = (await policies.versioned?.(asker)) ?? err(NOT_READ);
            if (found.ok) await noticed(found.value.policy);
            return found;
          };
    const made = createGate({ ...ports, policies: { effective, ...(versioned === undefined ? {} : { versioned }) } });
    return { decide: (request) => deciding.run({ policy: null }, () => made.decide(request)) };
  };

const NOT_READ: PolicySourceError = { code: "policy.unavailable", message: "the policy in force cannot be read" };

/** Drafts a decision as it is, and decides it again from what would be exported of it. */
export const watchedDraft =
  (draftDecision: typeof draft.draftDecision, watch: ReplayWatch): typeof draft.draftDecision =>
  (parts, random, sha256) => {
    const now = deciding.getStore();
    if (now !== undefined) {
      watch.decisions += 1;
      const whole = draftDecision({ ...parts, content: { keep: "full", keepFor: null } }, fixedSalts, sha256);
      const why = disagreementOf(parts, whole, now.policy, sha256);
      if (why !== null) watch.disagreements.push(`${parts.answer.id} ${why}`);
    }
    return draftDecision(parts, random, sha256);
  };

const fixedSalts = (length: number): Uint8Array => new Uint8Array(length).fill(7);

/** Null when the decision is made again as it was: verdict, basis and findings. */
export function disagreementOf(
  { ask, decided }: Pick<draft.DraftParts, "ask" | "decided">,
  { id, agent, codes, record, content }: ReturnType<typeof draft.draftDecision>,
  policy: EffectivePolicy | null,
  sha256: Sha256,
): string | null {
  const text = recordText({
    tenant: ask.asker.tenant,
    seq: 0,
    at: "2026-01-01T00:00:00.000Z",
    kind: "decide",
    ref: id,
    agent,
    codes,
    prev: LOG_START,
    chain: null,
    body: `{"decision":${record}}`,
  });
  const kept = content === undefined ? null : { fields: content.fields, salts: content.salts };
  const again = replayEntry({ seq: 0, leaf_hash: "", record: text, content: kept }, () => policy, sha256);
  // Of an ask that holds a secret nothing may be kept.
  if (kept === null && decided.findings.some(({ check }) => check === "credentials")) return null;
  if (again?.kind !== "replayed") return `cannot be decided again: ${again?.reason ?? "it is no decision"}`;
  const [first, second] = [figures(decided), figures(again.after)];
  return first === second ? null : `was ${first}, and is ${second}`;
}

/** What of a decision its record holds. */
function figures(outcome: Outcome): string {
  if (outcome.kind === "fault") return canonicalize({ ...outcome });
  const findings = outcome.findings.map(({ check, code, severity, path }) => ({
    check,
    code,
    severity,
    path: path ?? null,
  }));
  return canonicalize({ verdict: outcome.verdict, basis: outcome.basis as unknown as JsonValue, findings });
}
