import type { Ask } from "../action/action.ts";
import { AGENT_MARKS } from "../check/instructions/screenTexts.ts";
import { CREDENTIAL_MARKS } from "../check/sequence/sequence.ts";
import { type BudgetInstance, budgetsOf } from "../check/spend.ts";
import { stopKey, stopScopes } from "../check/stop.ts";
import { type Fact, type FactKey, type Facts, factsOf } from "../fact/fact.ts";
import type { JsonValue } from "../json/value.ts";
import type { EffectivePolicy } from "../policy/effective.ts";
import { err, ok, type Result } from "../result.ts";
import { compareInstants, formatInstant, type Instant, instantFromMillis, millisOf } from "../time/instant.ts";
import type { Window } from "../time/window.ts";
import type { Millis, SpendWindow } from "./ledger/change.ts";
import type { StoreError } from "./ledger/refusal.ts";
import type { Ledger, LedgerFacts, LeftMark } from "./ports.ts";

/** Looks up one kind of fact: addresses of names, a token's safety, a price. What it does not find in time is unknown. */
export interface FactSource {
  readonly fact: string;
  gather(
    ask: Ask,
    keys: readonly FactKey[],
    now: Instant,
  ): Promise<readonly { readonly key: FactKey; readonly fact: Fact }[]>;
}

export interface Gathered {
  readonly now: Instant;
  readonly ledger: LedgerFacts;
  readonly budgets: readonly BudgetInstance[];
  readonly facts: Facts;
}

export interface GatherQuery {
  readonly ask: Ask;
  readonly policy: EffectivePolicy | null;
  readonly credential: string;
  /** A session of the credential's own, in which marks are looked for. */
  readonly session?: string;
  readonly actionDigest: string | null;
  readonly idempotency?: { readonly key: string; readonly digest: string };
  /** What the checks of this ask need, as they name it. */
  readonly needs: (now: Instant) => readonly FactKey[];
}

const SOURCE = "ledger";
const MARKS_KEPT: Millis = 86_400_000;
const POSTURE_KEPT: Millis = 600_000;

/**
 * Reads what the ledger knows in one snapshot, at the ledger's own time. Windows are named by our clock first; where
 * that names another calendar window than the ledger's time does, the ledger is asked once more.
 */
export async function gather(
  ledger: Ledger,
  sources: readonly FactSource[],
  deadline: () => Promise<void>,
  query: GatherQuery,
  estimate: Millis,
): Promise<Result<Gathered, StoreError>> {
  const { ask, policy } = query;
  let named = instantFromMillis(estimate);
  for (let tries = 0; tries < 3; tries += 1) {
    const asked = policy === null ? [] : budgetsOf(ask, policy, named);
    const wants = new Set(query.needs(named).map(nameOf));
    const read = await ledger.facts(ask.asker.tenant, {
      agent: ask.asker.agent,
      credential: query.credential,
      ...(query.session === undefined ? {} : { session: query.session }),
      scopes: stopScopes(ask),
      spent: asked.map(({ series, window, amount }) => ({
        series,
        currency: amount.currency,
        window: ledgerWindow(window),
      })),
      actionDigest: query.actionDigest,
      ...(query.idempotency === undefined ? {} : { idempotency: query.idempotency }),
      ...(wants.has(nameOf(CREDENTIAL_MARKS)) ? { marksWithin: MARKS_KEPT } : {}),
      ...(wants.has(nameOf(AGENT_MARKS)) ? { agentMarksWithin: POSTURE_KEPT } : {}),
    });
    if (!read.ok) return err(read.error);
    const now = instantFromMillis(read.value.now);
    const budgets = policy === null ? [] : budgetsOf(ask, policy, now);
    if (!budgets.every(({ window }, index) => sameWindow(window, asked[index]?.window))) {
      named = now;
      continue;
    }
    const known = [
      ...budgets.map(({ key }, index) => ({
        key,
        fact: knownAs({ spent: read.value.spent[index] ?? null, reserved: "0" }, now),
      })),
      {
        key: stopKey(ask),
        fact: knownAs(
          read.value.stops.map(({ id }) => id),
          now,
        ),
      },
      ...(wants.has(nameOf(CREDENTIAL_MARKS)) ? [{ key: CREDENTIAL_MARKS, fact: marksAs(read.value.marks, now) }] : []),
      ...(wants.has(nameOf(AGENT_MARKS)) ? [{ key: AGENT_MARKS, fact: marksAs(read.value.agentMarks, now) }] : []),
    ];
    const answered = new Set(known.map(({ key }) => nameOf(key)));
    const missing = query.needs(now).filter((key) => !answered.has(nameOf(key)));
    const found = missing.length === 0 ? [] : await lookUpAll(sources, deadline(), ask, missing, now);
    return ok({ now, ledger: read.value, budgets, facts: factsOf([...known, ...found.flat()]) });
  }
  return err({ code: "store.busy", message: "the time of the log moved on three times while it was read" });
}

const nameOf = ({ fact, of }: FactKey): string => `${fact}\n${of}`;

const marksAs = (marks: readonly LeftMark[], now: Instant): Fact =>
  knownAs(
    marks
      .map(({ mark, at }) => ({ mark, at: formatInstant(instantFromMillis(at)) }))
      .sort((a, b) => (a.mark < b.mark ? -1 : 1)),
    now,
  );

const knownAs = (value: JsonValue, now: Instant): Fact => ({
  state: "known",
  value,
  source: SOURCE,
  at: formatInstant(now),
});

type Found = readonly { readonly key: FactKey; readonly fact: Fact }[];

async function lookUpAll(
  sources: readonly FactSource[],
  late: Promise<void>,
  ask: Ask,
  missing: readonly FactKey[],
  now: Instant,
): Promise<readonly Found[]> {
  return Promise.all(
    sources.map(async (source) => {
      const keys = missing.filter(({ fact }) => fact === source.fact);
      if (keys.length === 0) return [];
      const unknown = (reason: string): Found => keys.map((key) => ({ key, fact: { state: "unknown", reason } }));
      try {
        return await Promise.race([
          source.gather(ask, keys, now),
          late.then(() => unknown(`${source.fact} did not come in time`)),
        ]);
      } catch {
        return unknown(`${source.fact} could not be looked up`);
      }
    }),
  );
}

export function ledgerWindow(window: Window): SpendWindow {
  return window.kind === "rolling"
    ? { rolling: millisOf(window.through) - millisOf(window.after) }
    : { from: millisOf(window.start), until: millisOf(window.before) };
}

/** A rolling window is given to the ledger by its length, and so is the same at any time. */
const sameWindow = (window: Window, other: Window | undefined): boolean =>
  other?.kind === window.kind &&
  (window.kind === "rolling" || compareInstants(window.start, (other as typeof window).start) === 0);
