import { formatInstant, instantFromMillis, type JsonObject, type Stop } from "@countersign/core";
import * as z from "zod/mini";
import { idOf, maybeTime, operation, reason, time } from "./operation.ts";
import { described, once } from "./schema.ts";

const scope = described(
  z.string().check(z.regex(/^(?:tenant|(?:org|team|agent):[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]{1,128})$/u)),
  "`tenant`, `org:…`, `team:…` or `agent:…`: whom it stops.",
);

export const stopSchema = z.strictObject({
  id: idOf("stop"),
  scope,
  reason: z.string(),
  cause: described(z.enum(["person", "breaker"]), "`breaker`: set by an outcome unlike its approval."),
  since: time,
  until: described(maybeTime, "When it lifts itself; null when only a person lifts it."),
  by: z.string(),
});

export const listStops = operation(
  {
    name: "list_stops",
    title: "List stops",
    description: "Stops in force now, newest first.",
    needs: ["review", "enforce", "audit", "admin"],
    changes: "nothing",
  },
  ["GET", "/v1/stops"],
  z.strictObject({}),
  z.strictObject({ items: z.array(stopSchema) }),
);

export const putStop = operation(
  {
    name: "put_stop",
    title: "Stop",
    description:
      "From the moment this is answered, every decision, redemption and use of a grant in the scope is refused, and open holds there cannot be approved.",
    needs: ["review", "admin"],
    changes: "the log",
  },
  ["POST", "/v1/stops"],
  z.strictObject({
    scope,
    reason,
    until: z.optional(described(z.string(), "RFC 3339 with an offset; without it a person has to lift the stop.")),
    ...once,
  }),
  stopSchema,
);

export const liftStop = operation(
  {
    name: "lift_stop",
    title: "Lift a stop",
    description: "What was stopped goes on. A credential of a person.",
    needs: ["review", "admin"],
    changes: "the log",
  },
  ["DELETE", "/v1/stops/{id}"],
  z.strictObject({ id: idOf("stop"), reason, ...once }),
  z.strictObject({ id: idOf("stop"), lifted_at: time }),
);

export const writeStop = ({ id, scope: where, reason: why, cause, since, until, by }: Stop): JsonObject => ({
  id,
  scope: where,
  reason: why,
  cause,
  since: formatInstant(instantFromMillis(since)),
  until: until === null ? null : formatInstant(instantFromMillis(until)),
  by,
});
