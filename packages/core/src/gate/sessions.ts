import { canonicalize } from "../json/canonical.ts";
import { err, ok, type Result } from "../result.ts";
import type { Principal } from "./answer.ts";
import { newId, type RandomBytes } from "./ids.ts";
import type { Actor, Millis } from "./ledger/change.ts";
import type { LedgerError, StoreError } from "./ledger/refusal.ts";
import type { Ledger, Log, LogEntry, Store, TenantId } from "./ports.ts";

/** As long as marks are kept: a session forgets nothing sooner than its credential does. */
export const SESSION_LASTS: Millis = 86_400_000;

export interface Session {
  /** `ses_` and a UUID. */
  readonly id: string;
  readonly expiresAt: Millis;
}

/**
 * Conversations that an enforcer holds apart. In one of its own, rules over what was done before look at that session and
 * not at all that its credential did. Whoever could open one for itself could shed its past, so no agent can.
 */
export interface Sessions {
  /** `actor.not_allowed` for everybody but an enforcer. */
  open(request: {
    readonly tenant: TenantId;
    readonly agent: string;
    readonly by: Actor;
  }): Promise<Result<Session, LedgerError>>;
  /** Whether this credential opened it, for this agent, and it is not over. A name that the caller made up is not. */
  isOwn(principal: Principal, session: string): Promise<Result<boolean, StoreError>>;
}

export interface SessionPorts {
  readonly store: Ledger & Pick<Log, "entriesAbout"> & Pick<Store, "now">;
  readonly clock: () => Millis;
  readonly random: RandomBytes;
}

const OPENED = "session.open";
const ID = /^ses_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createSessions({ store, clock, random }: SessionPorts): Sessions {
  return {
    async open({ tenant, agent, by }) {
      if (by.kind !== "enforcer" || by.credential === undefined)
        return err({ code: "actor.not_allowed", message: "only an enforcer opens a session" });
      const id = newId("ses", clock(), random);
      const opened = await store.commit(tenant, {
        kind: "note",
        type: OPENED,
        ref: id,
        agent,
        record: canonicalize({ agent, by: { kind: by.kind, id: by.id }, credential: by.credential }),
      });
      return opened.ok ? ok({ id, expiresAt: opened.value.at + SESSION_LASTS }) : opened;
    },

    async isOwn({ tenant, agent, credential }, session) {
      if (!ID.test(session)) return ok(false);
      const about = await store.entriesAbout(tenant, session);
      if (!about.ok) return about;
      const opened = about.value.find(({ kind }) => kind === OPENED);
      if (opened === undefined || opened.agent !== agent || credentialIn(opened) !== credential) return ok(false);
      const now = await store.now(tenant);
      return now.ok ? ok(now.value < opened.at + SESSION_LASTS) : now;
    },
  };
}

/** The text is our own; one that somebody changed is nobody's session, and shows when the log is verified. */
function credentialIn({ record }: LogEntry): string | null {
  try {
    const { credential } = JSON.parse(record).body;
    return typeof credential === "string" ? credential : null;
  } catch {
    return null;
  }
}
