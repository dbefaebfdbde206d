import type { Ask } from "../action/action.ts";
import { spendSeries } from "../check/spendSeries.ts";
import { stopScopes } from "../check/stop.ts";
import type { Decided } from "../decision/decision.ts";
import { canonicalize } from "../json/canonical.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { formatDecimal } from "../money/decimal.ts";
import { formatMoney } from "../money/money.ts";
import { type ContentRules, KEEPINGS, type PolicySourceRef } from "../policy/effective.ts";
import type { ScopeVersion } from "../policy/source.ts";
import { encodeBase64url } from "../record/base64url.ts";
import { commitToFields, SALT_LENGTH } from "../record/commitment.ts";
import type { Sha256 } from "../record/merkle.ts";
import { formatInstant } from "../time/instant.ts";
import type { Answer } from "./answer.ts";
import { type Gathered, ledgerWindow } from "./gather.ts";
import type { RandomBytes } from "./ids.ts";
import type { AwaitedMark, Decide, Idempotency, Millis, NewHold } from "./ledger/change.ts";
import { redactContent } from "./redactContent.ts";

/**
 * What is kept beside the record, where it can be erased, and how long; null until it is erased. The record itself holds
 * commitments only. `redacted` keeps what is no words, no secret and no personal data.
 */
export type ContentKeeping = "none" | { readonly keep: "full" | "redacted"; readonly keepFor: Millis | null };

/** What a gate keeps where a policy says something of it: never more, and never longer, than the gate is set to. */
export function keepingUnder(set: ContentKeeping, rules: ContentRules | null): ContentKeeping {
  if (set === "none" || rules === null) return set;
  if (rules.keep === "none") return "none";
  const keep = KEEPINGS.indexOf(rules.keep) > KEEPINGS.indexOf(set.keep) ? rules.keep : set.keep;
  const said = rules.for === null ? null : rules.for * 1000;
  return { keep, keepFor: said === null || set.keepFor === null ? (said ?? set.keepFor) : Math.min(said, set.keepFor) };
}

export interface DraftParts {
  readonly ask: Ask;
  readonly credential: string;
  /** A session of the credential's own. Of any other, the name is content. */
  readonly session: string | undefined;
  readonly decided: Decided;
  readonly gathered: Gathered;
  readonly answer: Answer;
  readonly audience: string;
  readonly hold: NewHold | undefined;
  readonly grant: string | undefined;
  readonly idempotency: Idempotency | undefined;
  readonly redeemFor: Millis;
  readonly content: ContentKeeping;
  /** The documents of the effective policy, and the exemptions that loosened it. */
  readonly sources: readonly PolicySourceRef[];
  readonly exemptions: readonly string[];
  /** Of the documents, under the names that the ledger has for them. */
  readonly versions: readonly ScopeVersion[];
  readonly marks: readonly string[];
  readonly nearMisses: number;
  /** Marks that would have counted, and were not there when the ledger was read. */
  readonly notLeft: readonly AwaitedMark[];
}

/** Everything one decision makes durable, as one change. */
export function draftDecision(parts: DraftParts, random: RandomBytes, sha256: Sha256): Decide {
  const { ask, decided, gathered, answer } = parts;
  const fields = {
    ...contentOf(ask, gathered),
    ...(answer.screening === undefined ? {} : { scores: scoresOf(answer.screening) }),
  };
  const salts = new Map(Object.keys(fields).map((name) => [name, random(SALT_LENGTH)]));
  const kept = contentKept(parts, fields, salts);
  const record: JsonObject = {
    verdict: decided.verdict,
    enforcement: answer.enforcement,
    basis: decided.basis as unknown as JsonValue,
    findings: decided.findings.map(({ check, code, severity, path }) => ({
      check,
      code,
      severity,
      ...(path === undefined ? {} : { path }),
    })),
    policy: answer.policy_digest,
    ...(parts.sources.length === 0
      ? {}
      : { policy_parts: parts.sources.map(({ scope, digest }) => ({ scope, digest })) }),
    ...(parts.exemptions.length === 0 ? {} : { exemptions: [...parts.exemptions] }),
    ...(answer.screening === undefined ? {} : { screening: bandsOf(answer.screening) }),
    ...(parts.session === undefined ? {} : { session: parts.session }),
    engine: answer.engine,
    now: formatInstant(gathered.now),
    audience: parts.audience,
    // What is kept is then not all of what was decided, and the record says so.
    ...(kept.content !== undefined && parts.content !== "none" && parts.content.keep === "redacted"
      ? { content: "redacted" }
      : {}),
    commitments: commitToFields(fields, salts, sha256),
  };
  return {
    kind: "decide",
    id: answer.id,
    agent: ask.asker.agent,
    credential: parts.credential,
    ...(parts.session === undefined ? {} : { session: parts.session }),
    verdict: decided.verdict,
    actionDigest: answer.action_digest,
    policyDigest: answer.policy_digest,
    ...(parts.versions.length === 0 ? {} : { policyVersions: parts.versions }),
    record: canonicalize(record),
    codes: [...new Set(decided.findings.map(({ code }) => code))],
    scopes: stopScopes(ask),
    redeemFor: parts.redeemFor,
    reservations: decided.verdict === "allow" ? reservationsOf(ask, gathered) : [],
    ...(parts.grant === undefined ? {} : { grant: parts.grant }),
    ...(parts.marks.length === 0 ? {} : { marks: parts.marks }),
    ...(parts.nearMisses === 0 ? {} : { nearMisses: parts.nearMisses }),
    ...(parts.notLeft.length === 0 ? {} : { notLeft: { since: gathered.ledger.now, marks: parts.notLeft } }),
    ...(parts.hold === undefined ? {} : { hold: parts.hold }),
    ...(parts.idempotency === undefined ? {} : { idempotency: parts.idempotency }),
    ...kept,
  };
}

/** What came of each text. Its exact score would confirm a guess of it, and is committed to as content is. */
const bandsOf = (screening: NonNullable<Answer["screening"]>): JsonValue =>
  screening.map(({ path, band, trusted }) => ({
    path,
    band,
    ...(trusted === undefined ? {} : { trusted: { ...trusted } }),
  }));

/** Numbers are texts: three digits after the point, as findings have them. */
const scoresOf = (screening: NonNullable<Answer["screening"]>): JsonValue =>
  screening.map(({ path, score, posture_score }) => ({
    path,
    score: score.toFixed(3),
    posture_score: posture_score.toFixed(3),
  }));

/** The money of the action in every series it counts in, with each budget that it has to stay within. */
function reservationsOf(ask: Ask, { budgets }: Gathered): Decide["reservations"] {
  const amount = ask.action?.amount;
  if (amount === undefined || amount.amount.coefficient === 0n) return [];
  const { value, currency } = formatMoney(amount);
  return [
    {
      amount: value,
      currency,
      series: spendSeries(ask),
      budgets: budgets.map(({ scope, budget, series, window }) => ({
        budget: `${scope}/${budget.id}`,
        series,
        window: ledgerWindow(window),
        limit: formatDecimal(budget.max.amount),
      })),
    },
  ];
}

function contentOf({ asker, action, material, session }: Ask, { facts }: Gathered): JsonObject {
  const fields: { [name: string]: JsonValue } = {
    facts: facts.entries().map(({ key, fact }) => ({ ...key, ...fact })),
  };
  // Which teams the agent was in then: what it belongs to now says nothing of it.
  if (asker.teams.length > 0) fields["teams"] = [...asker.teams];
  if (action !== undefined) {
    const { amount, ...rest } = action;
    fields["action"] = {
      ...rest,
      ...(amount === undefined ? {} : { amount: { ...formatMoney(amount) } }),
    } as JsonObject;
  }
  if (material !== undefined) fields["material"] = material as unknown as JsonObject;
  if (session !== undefined) fields["session"] = session;
  return fields;
}

/**
 * An ask that holds a secret is not kept: its findings say where the secret was, and that is all that stays. Who decides
 * a hold has to see all of what will run, so while one is open all of it is there. A field that was redacted is kept
 * without its salt, which would confirm a guess of what is gone; a field with one is whole, and its commitment proves it.
 */
function contentKept(
  { ask, decided, content, hold }: DraftParts,
  fields: JsonObject,
  salts: ReadonlyMap<string, Uint8Array>,
): Pick<Decide, "content"> {
  const secret = decided.findings.some(({ check }) => check === "credentials");
  const subjects = [`agent:${ask.asker.agent}`];
  if (secret || (content === "none" && hold === undefined)) return {};
  const all = { fields: JSON.stringify(fields), salts: saltsText(salts) };
  if (content !== "none" && content.keep === "full") return { content: { ...all, subjects, keepFor: content.keepFor } };
  const held = hold === undefined ? {} : { whileHeld: all };
  if (content === "none") return { content: { fields: "{}", salts: "{}", subjects, keepFor: 0, ...held } };
  const redacted = redactContent(fields);
  const left = new Map([...salts].filter(([name]) => !redacted.changed.has(name)));
  return {
    content: {
      fields: JSON.stringify(redacted.fields),
      salts: saltsText(left),
      subjects,
      keepFor: content.keepFor,
      ...held,
    },
  };
}

const saltsText = (salts: ReadonlyMap<string, Uint8Array>): string =>
  JSON.stringify(Object.fromEntries([...salts].map(([name, salt]) => [name, encodeBase64url(salt)])));
