import { SURFACES, type Surface } from "../../action/action.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Seconds } from "../../time/duration.ts";
import { GATE_BANDS, type GateBand } from "../effective.ts";
import type { Report } from "../problem.ts";
import { readBoolean, readInteger, readObject, readOneOf, readText } from "../reader.ts";

/** Thirty days: what nobody has looked at by then, nobody will. */
export const LONGEST_SLA = 2_592_000;
const NOTICE_LENGTH = 2_000;

/** What one document says of review. Null says nothing, and leaves it to the other scopes. */
export interface ReviewPart {
  readonly enabled: boolean | null;
  readonly gateOn: Readonly<Record<Surface, GateBand | null>>;
  readonly onTimeout: "reject" | "release" | null;
  readonly sla: Seconds | null;
  readonly notice: string | null;
  readonly notify: { readonly sse: boolean; readonly webhooks: boolean };
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
  const notify = object.optional("notify", (one, at) => {
    const inner = readObject(one, at, report);
    const on = (name: string) => inner?.optional(name, (flag, flagAt) => readBoolean(flag, flagAt, report)) ?? false;
    const read = { sse: on("sse"), webhooks: on("webhooks") };
    inner?.close();
    return read;
  });
  const approvers = object.optional("approvers", (one, at) => readInteger(one, at, report, 1, 2));
  object.close();
  return {
    enabled: enabled ?? null,
    gateOn: gateOn ?? { incoming: null, outgoing: null, tool_calls: null, tool_responses: null },
    onTimeout: onTimeout ?? null,
    sla: (sla ?? null) as Seconds | null,
    notice: notice ?? null,
    notify: notify ?? { sse: false, webhooks: false },
    approvers: approvers === 2 ? 2 : 1,
  };
}
