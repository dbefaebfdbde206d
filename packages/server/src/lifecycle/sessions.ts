import { openSession, problemOfFault, writeSession } from "@countersign/api";
import { type Agents, err, ok, type Sessions } from "@countersign/core";
import { actorOf, principalOf } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface SessionsFace {
  readonly store: Agents;
  readonly sessions: Sessions;
}

/** Conversations that enforcers hold apart. */
export const sessionsService = ({ store, sessions }: SessionsFace) =>
  service("sessions", [
    handler(openSession, async ({ agent }, caller) => {
      const principal = await principalOf(caller, agent, store);
      if (!principal.ok) return principal;
      const opened = await sessions.open({ tenant: caller.tenant, agent, by: actorOf(caller) });
      return opened.ok ? ok(writeSession(opened.value, agent)) : err(problemOfFault(opened.error));
    }),
  ]);
