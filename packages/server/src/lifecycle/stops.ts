import { liftStop, listStops, type Problem, problemOf, problemOfFault, putStop, writeStop } from "@countersign/api";
import {
  err,
  formatInstant,
  idempotent,
  instantFromMillis,
  type Ledger,
  millisOf,
  newId,
  ok,
  parseInstant,
  type RandomBytes,
  type Result,
  type Stops,
} from "@countersign/core";
import { actorOf } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface StopsFace {
  readonly store: Ledger & Stops;
  readonly clock: () => number;
  readonly random: RandomBytes;
}

/** What an operator has stopped. */
export const stopsService = ({ store, clock, random }: StopsFace) =>
  service("stops", [
    handler(listStops, async (_, { tenant }) => {
      const stops = await store.stops(tenant);
      return stops.ok ? ok({ items: stops.value.map(writeStop) }) : err(problemOfFault(stops.error));
    }),
    handler(putStop, async ({ scope, reason, until, idempotency_key: key }, caller) => {
      const end = readUntil(until);
      if (!end.ok) return end;
      const drawn = newId("stop", clock(), random);
      const by = actorOf(caller);
      const put = await store.commit(caller.tenant, {
        kind: "stop.put",
        id: drawn,
        scope,
        reason,
        until: end.value,
        by,
        ...idempotent("stop.put", by, key, { scope, reason, until: until ?? null }, drawn),
      });
      if (!put.ok)
        return err(put.error.code === "input.malformed" ? tooLate(put.error.message) : problemOfFault(put.error));
      const id = put.value.replayed?.answer ?? drawn;
      const cause = "person";
      return ok(
        writeStop({ id, scope, reason, cause, since: put.value.at, until: end.value, by: by.id, liftedAt: null }),
      );
    }),
    handler(liftStop, async ({ id, reason, idempotency_key: key }, caller) => {
      const by = actorOf(caller);
      const done = idempotent("stop.lift", by, key, { id, reason });
      const lifted = await store.commit(caller.tenant, { kind: "stop.lift", id, reason, by, ...done });
      if (!lifted.ok) return err(problemOfFault(lifted.error));
      return ok({ id, lifted_at: formatInstant(instantFromMillis(lifted.value.at)) });
    }),
  ]);

const EXPECTED = "a time to come, as RFC 3339 has it";

/** Whether it is still to come is the ledger's to say: a stop that is asked for again may have ended meanwhile. */
function readUntil(text: string | undefined): Result<number | null, Problem> {
  if (text === undefined) return ok(null);
  const read = parseInstant(text);
  return read.ok ? ok(millisOf(read.value)) : err(tooLate(read.error.message));
}

const tooLate = (message: string): Problem =>
  problemOf({ code: "request.invalid", message, path: "/until", expected: EXPECTED });
