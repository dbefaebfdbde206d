import type { JsonObject } from "../json/value.ts";
import { digest } from "../record/digest.ts";
import type { Actor, Idempotency, Millis } from "./ledger/change.ts";

const KEPT: Millis = 86_400_000;

/**
 * What makes a change that is asked for twice under one key happen once, for a day. `said` is what was asked: the same
 * key with something else is a conflict. `answer` is what a repetition cannot find out by itself, such as the id that the
 * first one drew. A key counts for one kind of act and one credential: nobody meets another's by chance or on purpose.
 */
export function idempotent(
  act: string,
  by: Actor,
  key: string | undefined,
  said: JsonObject,
  answer = "",
): { readonly idempotency?: Idempotency } {
  if (key === undefined) return {};
  return {
    idempotency: {
      key: `${act}\n${by.credential ?? by.id}\n${key}`,
      digest: digest("countersign-record-v1", { act, ...said }),
      answer,
      keepFor: KEPT,
    },
  };
}
