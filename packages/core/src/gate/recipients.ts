import type { Notify, Review } from "../policy/effective.ts";
import type { Names } from "../policy/mandate.ts";

/**
 * Who is told of a hold, as records, events and holds spell it: `people` for everybody whose stream may show it, or
 * `person:alice`; `webhooks` for every webhook that hears of the agent, or `webhook:hook_…`.
 */
export type Recipient = string;

/** Who is told of a hold, and how many milliseconds before its end once more. */
export interface HoldNotice {
  readonly recipients: readonly Recipient[];
  readonly remindBefore: number | null;
}

const recipientsOf = ({ sse, webhooks }: Pick<Notify, "sse" | "webhooks">): readonly Recipient[] => [
  ...spelled(sse, "people", "person:"),
  ...spelled(webhooks, "webhooks", "webhook:"),
];

const spelled = (names: Names, all: Recipient, one: string): readonly Recipient[] =>
  "everyone" in names ? [all] : names.only.map((name) => one + name);

/** What a hold that this section opens says of it. */
export function notifyOf(review: Review | null): { readonly notify?: HoldNotice } {
  const recipients = review === null ? [] : recipientsOf(review.notify);
  if (review === null || recipients.length === 0) return {};
  const { remindBefore } = review.notify;
  return { notify: { recipients, remindBefore: remindBefore === null ? null : remindBefore * 1000 } };
}

/** Whether it names a person: only people are told who the people are. */
export const isPerson = (recipient: Recipient): boolean => recipient.startsWith("person:");

export const tellsWebhook = (recipients: readonly Recipient[], id: string): boolean =>
  recipients.includes("webhooks") || recipients.includes(`webhook:${id}`);

/** What happens to a hold without a person's doing: it opens, its end comes near, it ends. */
const TELLING = new Set(["decide", "appeal", "hold.due", "hold.expire", "hold.release"]);

/** Whom the record of an event says are told of it. A text that somebody changed tells nobody; verification shows it. */
export function recipientsIn(kind: string, record: string): readonly Recipient[] {
  // Most decisions open no hold, and are not parsed for this.
  if (!TELLING.has(kind) || !record.includes('"recipients":[')) return [];
  try {
    const { body } = JSON.parse(record);
    const found: unknown = kind === "decide" ? body.hold?.recipients : body.recipients;
    return Array.isArray(found) && found.every((one) => typeof one === "string") ? found : [];
  } catch {
    return [];
  }
}
