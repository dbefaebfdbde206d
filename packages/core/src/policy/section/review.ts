import { SURFACES, type Surface } from "../../action/action.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Seconds } from "../../time/duration.ts";
import { GATE_BANDS, type GateBand, type Notify } from "../effective.ts";
import type { Names } from "../mandate.ts";
import type { Report } from "../problem.ts";
import { readBoolean, readInteger, readList, readObject, readOneOf, readText } from "../reader.ts";

/** Thirty days: what nobody has looked at by then, nobody will. */
export const LONGEST_SLA = 2_592_000;
const NOTICE_LENGTH = 2_000;
const TARGETS = 64;
export const PERSON_LENGTH = 128;
export const WEBHOOK_ID = "^hook_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

export const TELLS_NOBODY: Notify = { sse: { only: [] }, webhooks: { only: [] }, remindBefore: null };

/** What one document says of review. Null says nothing, and leaves it to the other scopes. */
export interface ReviewPart {
  readonly enabled: boolean | null;
  readonly gateOn: Readonly<Record<Surface, GateBand | null>>;
  readonly onTimeout: "reject" | "release" | null;
  readonly sla: Seconds | null;
  readonly notice: string | null;
  readonly notify: Notify;
  readonly approvers: 1 | 2;
}

/** `review: {enabled?, gate_on?, on_timeout?, sla_seconds?, notice?, notify?, approvers?}` */
export function readReview(value: JsonValue, path: string, report: Report): ReviewPart | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const enabled = object.optional("enabled", (one, at) => readBoolean(one, at, report));
  const gateOn = object.optional("gate_on", (one, at) => {
    const inner = readObject(one, at, report);
    const read = SURFACES.map(
      (surface) =>
        [
          surface,
          inner?.optional(surface, (band, bandAt) => readOneOf(band, bandAt, report, GATE_BANDS)) ?? null,
        ] as const,
    );
    inner?.close();
    return Object.fromEntries(read) as Record<Surface, GateBand | null>;
  });
  const onTimeout = object.optional("on_timeout", (one, at) => readOneOf(one, at, report, ["reject", "release"]));
  const sla = object.optional("sla_seconds", (one, at) => readInteger(one, at, report, 1, LONGEST_SLA));
  const notice = object.optional("notice", (one, at) => readText(one, at, report, NOTICE_LENGTH));
  const notify = object.optional("notify", (one, at) => readNotify(one, at, report));
  const approvers = object.optional("approvers", (one, at) => readInteger(one, at, report, 1, 2));
  object.close();
  if (sla !== undefined && notify !== undefined && notify.remindBefore !== null && notify.remindBefore >= sla)
    report(
      "policy.out_of_range",
      `${path}/notify/remind_before_seconds`,
      "a reminder this long before the end would never be sent",
      `less than sla_seconds, ${sla}`,
    );
  return {
    enabled: enabled ?? null,
    gateOn: gateOn ?? { incoming: null, outgoing: null, tool_calls: null, tool_responses: null },
    onTimeout: onTimeout ?? null,
    sla: (sla ?? null) as Seconds | null,
    notice: notice ?? null,
    notify: notify ?? TELLS_NOBODY,
    approvers: approvers === 2 ? 2 : 1,
  };
}

/** `notify: {sse?, webhooks?, remind_before_seconds?}`, the first two `true`, `false` or a list of names. */
function readNotify(value: JsonValue, path: string, report: Report): Notify | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const sse = object.optional("sse", (one, at) => readTold(one, at, report, readPerson));
  const webhooks = object.optional("webhooks", (one, at) => readTold(one, at, report, readWebhookId));
  const remind = object.optional("remind_before_seconds", (one, at) => readInteger(one, at, report, 1, LONGEST_SLA));
  object.close();
  const read = {
    sse: sse ?? TELLS_NOBODY.sse,
    webhooks: webhooks ?? TELLS_NOBODY.webhooks,
    remindBefore: (remind ?? null) as Seconds | null,
  };
  if (read.remindBefore !== null && !tells(read.sse) && !tells(read.webhooks))
    report(
      "policy.out_of_range",
      `${path}/remind_before_seconds`,
      "a reminder needs somebody who is told",
      "sse, webhooks",
    );
  return read;
}

function readTold(
  value: JsonValue,
  path: string,
  report: Report,
  read: (value: JsonValue, path: string, report: Report) => string | undefined,
): Names | undefined {
  if (value === true) return { everyone: true };
  if (value === false) return { only: [] };
  if (Array.isArray(value)) {
    const only = readList(value, path, report, TARGETS, read);
    return only && { only: [...new Set(only)] };
  }
  report("policy.wrong_type", path, "this has to be true, false or a list of names", "true, false or a list");
  return undefined;
}

const readPerson = (value: JsonValue, path: string, report: Report) => readText(value, path, report, PERSON_LENGTH);

function readWebhookId(value: JsonValue, path: string, report: Report): string | undefined {
  if (typeof value === "string" && new RegExp(WEBHOOK_ID).test(value)) return value;
  report(
    "policy.wrong_value",
    path,
    "this is not the id of a webhook",
    "hook_ and a UUID, as GET /v1/webhooks lists them",
  );
  return undefined;
}

export const tells = (names: Names): boolean => "everyone" in names || names.only.length > 0;
