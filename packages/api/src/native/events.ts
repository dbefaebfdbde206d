import { formatInstant, type GateEvent, instantFromMillis, type JsonObject } from "@countersign/core";
import * as z from "zod/mini";
import { recipientsFor } from "./holds.ts";
import { operation, time } from "./operation.ts";
import { described, list, name, verdict } from "./schema.ts";

export const eventSchema = z.strictObject({
  seq: described(z.int(), "The index in the log; also the id that a stream is resumed by."),
  at: time,
  kind: described(z.string(), "`decide`, `redeem`, `hold.approve`, …"),
  ref: described(z.string(), "The id it is about."),
  agent: z.nullable(z.string()),
  codes: z.array(z.string()),
  record_hash: z.string(),
  verdict: described(z.nullable(verdict), "Of a decision."),
  hold: described(z.nullable(z.string()), "The hold that the decision opened."),
  recipients: described(
    z.array(z.string()),
    "Whom the policy wants told: of a hold that opened (`decide`, `appeal`), whose end is near (`hold.due`), or that time has closed. `people`, `person:…`, `webhooks`, `webhook:…`; who the people are is told to people only.",
  ),
});

export const streamEvents = operation(
  {
    name: "stream_events",
    title: "Follow what happens",
    description:
      "Server-sent events: ids, codes and digests, never content; of every agent that the credential may see. A stream begins now, after `Last-Event-ID`, or with `from`, and ends soon after its credential was revoked.",
    needs: [],
    changes: "nothing",
  },
  ["GET", "/v1/events"],
  z.strictObject({
    kinds: z.optional(list(z.string().check(z.regex(/^[a-z][a-z._]{0,63}$/)), 64)),
    agent: z.optional(name(128)),
    from: z.optional(described(z.int().check(z.minimum(0)), "The index of the first event; 0 for everything.")),
  }),
  eventSchema,
);

export const writeEvent = (
  { id, at, kind, ref, agent, codes, recordHash, recipients, ...decided }: GateEvent,
  reader: "person" | "program",
): JsonObject => ({
  seq: id,
  at: formatInstant(instantFromMillis(at)),
  kind,
  ref,
  agent,
  codes,
  record_hash: recordHash,
  verdict: decided.verdict,
  hold: decided.hold,
  recipients: recipientsFor(reader, recipients),
});
