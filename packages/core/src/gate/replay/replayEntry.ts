import type { Ask, Asker } from "../../action/action.ts";
import type { GrantInHand } from "../../decision/compose.ts";
import { decide, factsNeeded } from "../../decision/decide.ts";
import type { Outcome } from "../../decision/decision.ts";
import type { Finding, Verdict } from "../../decision/finding.ts";
import { type Fact, type Facts, factsOf } from "../../fact/fact.ts";
import { parseJson } from "../../json/parseJson.ts";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { EffectivePolicy } from "../../policy/effective.ts";
import { decodeBase64url } from "../../record/base64url.ts";
import { opensCommitment } from "../../record/commitment.ts";
import type { Sha256 } from "../../record/merkle.ts";
import { type Instant, parseInstant } from "../../time/instant.ts";
import { askOfFields } from "../keptAsk.ts";
import type { ExportedEntry } from "../log/exportLog.ts";

/**
 * Why a decision cannot be made again. `content_not_kept`: nothing was kept, or it was erased, or the ask held a secret.
 * `content_redacted`: what is kept is not all of what was asked; where redaction changed nothing, the decision is made
 * again. `content_altered`: what is kept is not what the record commits to. `facts_not_kept`: the policy needs a fact that was
 * not looked up then, and nothing else settles the verdict. `unreadable`: this is no record of a decision.
 */
export type NotReplayedReason =
  | "content_not_kept"
  | "content_redacted"
  | "content_altered"
  | "facts_not_kept"
  | "unreadable";

export interface Replayed {
  readonly kind: "replayed";
  readonly id: string;
  readonly agent: string;
  readonly at: string;
  readonly ask: Ask;
  readonly before: Verdict;
  readonly after: Outcome;
  /** Findings as the record has them. */
  readonly codes: readonly string[];
  readonly engine: string;
}

export interface NotReplayed {
  readonly kind: "not_replayed";
  readonly id: string;
  readonly agent: string;
  readonly at: string;
  readonly before: Verdict | null;
  readonly reason: NotReplayedReason;
}

/** Gives the policy that is tried, for an agent as it was then; null when none is in force for it. */
export type PolicyFor = (asker: Asker) => EffectivePolicy | null;

/**
 * Makes one decision of an exported log again under another policy, with the facts and at the time of then. Null for an
 * entry that is about something else. Each decision is made alone: what was spent before it is what was spent then.
 */
export function replayEntry(entry: ExportedEntry, policyFor: PolicyFor, sha256: Sha256): Replayed | NotReplayed | null {
  const record = readRecord(entry.record);
  if (record === undefined)
    return { kind: "not_replayed", id: "", agent: "", at: "", before: null, reason: "unreadable" };
  if (record.kind !== "decide") return null;
  const { ref: id, agent, at, verdict: before } = record;
  const not = (reason: NotReplayedReason): NotReplayed => ({ kind: "not_replayed", id, agent, at, before, reason });
  if (entry.content === null) return not("content_not_kept");
  const kept = readContent(entry.content, record, sha256);
  if (typeof kept === "string") return not(kept);
  const ask = askOfFields(kept, { tenant: record.tenant, agent, teams: textsOf(kept["teams"]) });
  const facts = readFacts(kept["facts"]);
  if (ask === undefined || facts === undefined) return not("unreadable");
  const policy = policyFor(ask.asker);
  const after = decideAgain(ask, policy, facts.facts, record);
  // The policy of then asked for the same facts, and got what it got.
  if (policy !== null && policy.digest !== record.policy && restsOnUnknown(after)) {
    const missing = factsNeeded(ask, policy, record.now).some(({ fact, of }) => !facts.names.has(`${fact}\n${of}`));
    if (missing) return not("facts_not_kept");
  }
  return { kind: "replayed", id, agent, at, ask, before, after, codes: record.codes, engine: record.engine };
}

/** What became of the money of a decision: `released` where it is free again. */
export interface Settled {
  readonly decision: string;
  readonly money: string;
}

/** What an entry behind a decision says of its money; null for one that says nothing of it. */
export function settledBy({ record }: ExportedEntry): Settled | null {
  if (!/"kind":"(?:outcome|release)"/.test(record)) return null;
  const parsed = parseJson(record, limits, "rounded");
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const { kind, ref, body } = parsed.value;
  if ((kind !== "outcome" && kind !== "release") || typeof ref !== "string" || !isObject(body ?? null)) return null;
  const { money, result, by } = body as JsonObject;
  if (typeof money !== "string") return null;
  // Where no budget counted it nothing is freed, and who may not free money is not believed here either.
  const isFreed = money === "none" && result === "failed" && by !== undefined && isObject(by) && by["kind"] !== "agent";
  return { decision: ref, money: isFreed ? "released" : money };
}

/** A grant that was used then is in hand again: the person saw the codes that it turned into advisories. */
function decideAgain(ask: Ask, policy: EffectivePolicy | null, facts: Facts, { now, findings }: ReadRecord): Outcome {
  const bare = decide(ask, policy, facts, now);
  if (bare.kind === "fault" || bare.verdict !== "review") return bare;
  if (!findings.some(({ code }) => code === "grant.used")) return bare;
  const seen = findings.filter(({ severity }) => severity === "advisory").map(({ code }) => code);
  const grant: GrantInHand = { id: "replay", codes: seen };
  const lifted = decide(ask, policy, facts, now, grant);
  return lifted.kind === "decided" && lifted.verdict === "allow" ? lifted : bare;
}

/** Codes of findings that block because something was not looked up. */
const UNKNOWN: readonly string[] = [
  "spend.unknown",
  "limits.unknown",
  "sequence.unknown",
  "stop.unknown",
  "url.unresolved",
];

function restsOnUnknown(outcome: Outcome): boolean {
  if (outcome.kind === "fault") return false;
  const blocks = outcome.findings.filter(({ severity, check }) => severity === "block" && check !== "basis");
  return blocks.length > 0 && blocks.every(({ code }) => UNKNOWN.includes(code));
}

interface ReadRecord {
  readonly tenant: string;
  readonly kind: string;
  readonly ref: string;
  readonly agent: string;
  readonly at: string;
  readonly codes: readonly string[];
  readonly verdict: Verdict;
  readonly engine: string;
  readonly policy: string | null;
  readonly now: Instant;
  readonly findings: readonly Pick<Finding, "code" | "severity">[];
  readonly commitments: JsonObject;
  /** Whether what is kept may be less than what the commitments are to. */
  readonly redacted: boolean;
}

const limits = { bytes: 16 << 20, depth: 256 };

/** What replaying needs of a record. That its text is canonical and in the tree is for the verification of the log. */
function readRecord(text: string): ReadRecord | undefined {
  const parsed = parseJson(text, limits, "rounded");
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { tenant, kind, ref, agent, at, codes, body } = parsed.value;
  if (typeof kind !== "string" || body === undefined || !isObject(body)) return undefined;
  if (kind !== "decide") return { kind } as ReadRecord;
  const { decision } = body;
  if (decision === undefined || !isObject(decision)) return undefined;
  const { verdict, engine, policy, now, findings, commitments, content } = decision;
  const instant = parseInstant(now);
  if (!instant.ok || (verdict !== "allow" && verdict !== "review" && verdict !== "block")) return undefined;
  if (![tenant, ref, agent, at, engine].every((one) => typeof one === "string")) return undefined;
  if (!Array.isArray(findings) || commitments === undefined || !isObject(commitments)) return undefined;
  return {
    tenant: tenant as string,
    kind,
    ref: ref as string,
    agent: agent as string,
    at: at as string,
    codes: textsOf(codes),
    verdict,
    engine: engine as string,
    policy: typeof policy === "string" ? policy : null,
    now: instant.value,
    findings: findings as unknown as ReadRecord["findings"],
    commitments,
    redacted: content === "redacted",
  };
}

/**
 * The kept fields, when they are exactly those that the record commits to. One without a salt was redacted, and is no
 * longer what was asked.
 */
function readContent(
  { fields, salts }: NonNullable<ExportedEntry["content"]>,
  { commitments, redacted }: Pick<ReadRecord, "commitments" | "redacted">,
  sha256: Sha256,
): JsonObject | "content_altered" | "content_redacted" {
  const [kept, salted] = [parseJson(fields, limits, "plain"), parseJson(salts, limits, "plain")];
  if (!kept.ok || !salted.ok || !isObject(kept.value) || !isObject(salted.value)) return "content_altered";
  const names = Object.keys(kept.value);
  if (names.length !== Object.keys(commitments).length) return "content_altered";
  let whole = true;
  for (const name of names) {
    const [commitment, salt] = [commitments[name], salted.value[name]];
    if (typeof commitment === "string" && salt === undefined && redacted) {
      whole = false;
      continue;
    }
    if (typeof commitment !== "string" || typeof salt !== "string") return "content_altered";
    const bytes = decodeBase64url(salt);
    if (bytes === undefined || !opensCommitment(commitment, kept.value[name] as JsonValue, bytes, sha256))
      return "content_altered";
  }
  return whole ? kept.value : "content_redacted";
}

function readFacts(
  value: JsonValue | undefined,
): { readonly facts: Facts; readonly names: ReadonlySet<string> } | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = new Set<string>();
  const entries = [];
  for (const one of value as readonly JsonValue[]) {
    if (!isObject(one) || typeof one["fact"] !== "string" || typeof one["of"] !== "string") return undefined;
    const { fact, of, ...rest } = one;
    names.add(`${fact}\n${of}`);
    entries.push({ key: { fact: fact as string, of: of as string }, fact: rest as unknown as Fact });
  }
  return { facts: factsOf(entries), names };
}

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
