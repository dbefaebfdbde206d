import { liftStop, listStops, type Problem, problemOf, problemOfFault, putStop, writeStop } from "@countersign/api";
import {
  err,
  formatInstant,
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
    handler(putStop, async ({ scope, reason, until }, caller) => {
      const end = readUntil(until, clock());
      if (!end.ok) return end;
      const id = newId("stop", clock(), random);
      const by = actorOf(caller);
      const put = await store.commit(caller.tenant, { kind: "stop.put", id, scope, reason, until: end.value, by });
      if (!put.ok) return err(problemOfFault(put.error));
      const cause = "person";
      return ok(
        writeStop({ id, scope, reason, cause, since: put.value.at, until: end.value, by: by.id, liftedAt: null }),
      );
    }),
    handler(liftStop, async ({ id, reason }, caller) => {
      const lifted = await store.commit(caller.tenant, { kind: "stop.lift", id, reason, by: actorOf(caller) });
      if (!lifted.ok) return err(problemOfFault(lifted.error));
      return ok({ id, lifted_at: formatInstant(instantFromMillis(lifted.value.at)) });
    }),
  ]);

function readUntil(text: string | undefined, now: number): Result<number | null, Problem> {
  if (text === undefined) return ok(null);
  const read = parseInstant(text);
  const expected = "a time to come, as RFC 3339 has it";
  if (!read.ok)
    return err(problemOf({ code: "request.invalid", message: read.error.message, path: "/until", expected }));
  const millis = millisOf(read.value);
  return millis > now
    ? ok(millis)
    : err(
        problemOf({
          code: "request.invalid",
          message: "the stop would have ended before it began",
          path: "/until",
          expected,
        }),
      );
}
