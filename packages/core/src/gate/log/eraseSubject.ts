import { ok, type Result } from "../../result.ts";
import type { Actor } from "../ledger/change.ts";
import { ERASED_AT_ONCE } from "../ledger/erase.ts";
import type { LedgerError } from "../ledger/refusal.ts";
import type { Decisions, Ledger, TenantId } from "../ports.ts";

export interface Erasure {
  /** `agent:NAME`, or whom else content is about. */
  readonly subject: string;
  readonly reason: string;
  readonly by: Actor;
}

export interface Erased {
  /** Beside so many records something was destroyed, or is there no more to be. */
  readonly erased: number;
  /** The index of the last record that says so. */
  readonly seq: number;
}

const AGENT = "agent:";

/**
 * Destroys everything that is kept of a subject, however much that is, in changes of their own. Of an agent also the
 * digests of decisions whose content was never kept or has gone by time: they alone would confirm a guess.
 */
export async function eraseSubject(
  tenant: TenantId,
  store: Ledger & Pick<Decisions, "decisions">,
  { subject, reason, by }: Erasure,
): Promise<Result<Erased, LedgerError>> {
  let erased = 0;
  let seq = -1;
  for (let more = true; more; ) {
    const done = await store.commit(tenant, { kind: "erase", what: { subject }, reason, by });
    if (!done.ok) return done;
    erased += done.value.erased;
    seq = done.value.seq;
    more = done.value.erased === ERASED_AT_ONCE;
  }
  if (!subject.startsWith(AGENT)) return ok({ erased, seq });
  const agents = [subject.slice(AGENT.length)];
  let after: string | undefined;
  do {
    const page = await store.decisions(tenant, {
      agents,
      limit: ERASED_AT_ONCE,
      ...(after === undefined ? {} : { after }),
    });
    if (!page.ok) return page;
    const decisions = page.value.items.flatMap(({ id, erasedAt }) => (erasedAt === null ? [id] : []));
    if (decisions.length > 0) {
      const done = await store.commit(tenant, { kind: "erase", what: { decisions }, reason, by });
      if (!done.ok) return done;
      erased += done.value.erased;
      seq = done.value.seq;
    }
    after = page.value.next ?? undefined;
  } while (after !== undefined);
  return ok({ erased, seq });
}
