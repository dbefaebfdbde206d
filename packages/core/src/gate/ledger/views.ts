import { hex } from "../../record/hex.ts";
import type {
  DecisionSummary,
  GateEvent,
  Grant,
  Hold,
  KeptContent,
  LogEntry,
  MoneyRow,
  Stop,
  Webhook,
} from "../ports.ts";
import { recipientsIn, tellsWebhook } from "../recipients.ts";
import type { Millis } from "./change.ts";
import type { ContentRow, DecisionRow, EntryRow, GrantRow, HoldRow, StopRow, WebhookRow } from "./rows.ts";

/** Rows as the ports show them: one place, so that every adapter shows the same. */
export function viewDecision(row: DecisionRow): DecisionSummary {
  const {
    grantId,
    holdId,
    recordHash: _recordHash,
    lines: _lines,
    moneySalt: _salt,
    erasedAt,
    releaseAt: _at,
    ...rest
  } = row;
  return { ...rest, erasedAt, grant: grantId, hold: holdId };
}

/** While a hold is open, all of what it is about. */
export function viewContent({ fields, salts, keepUntil, held }: ContentRow): KeptContent {
  const shown = held === null ? { fields, salts } : (JSON.parse(held) as { fields: string; salts: string });
  return { fields: shown.fields, salts: shown.salts, keepUntil };
}

/** A hold past its time is not open, whether or not a sweep has said so yet. */
export function viewHold(row: HoldRow, now: Millis): Hold {
  const { grantId, grantFor: _grantFor, ...rest } = row;
  return { ...rest, state: stateNow(row, now), grant: grantId };
}

function stateNow(row: HoldRow, now: Millis): Hold["state"] {
  if (row.state !== "open" || now < row.expiresAt) return row.state;
  return row.about === "text" && row.onTimeout === "release" ? "released" : "expired";
}

export const viewGrant = (row: GrantRow): Grant => row;

export const viewStop = (row: StopRow): Stop => row;

export const viewMoney = ({ id, seq, at, money, lines, moneySalt }: DecisionRow): MoneyRow => ({
  decision: id,
  seq,
  at,
  state: money,
  lines,
  salt: moneySalt,
});

export function viewWebhook({ cursor: _cursor, ...rest }: WebhookRow): Webhook {
  return rest;
}

export function viewEntry({ chain: _chain, ...rest }: EntryRow): LogEntry {
  return rest;
}

export const viewEvent = ({ seq, at, kind, ref, agent, codes, record, leafHash }: EntryRow): GateEvent => ({
  id: seq,
  at,
  kind,
  ref,
  agent,
  codes,
  recordHash: `sha256:${hex(leafHash)}`,
  ...(kind === "decide" ? decidedIn(record) : { verdict: null, hold: null }),
  recipients: recipientsIn(kind, record),
});

/** The text is our own; one that somebody changed says nothing here, and shows when the log is verified. */
function decidedIn(record: string): Pick<GateEvent, "verdict" | "hold"> {
  try {
    const { verdict, hold } = JSON.parse(record).body;
    return { verdict, hold: hold?.id ?? null };
  } catch {
    return { verdict: null, hold: null };
  }
}

/** Whether an endpoint hears of an event. What a policy wants it told of, it hears whatever kinds it asks for. */
export const hears = (
  { id, kinds, agents }: Pick<WebhookRow, "id" | "kinds" | "agents">,
  { kind, agent, record }: Pick<EntryRow, "kind" | "agent" | "record">,
): boolean =>
  (agents === null || (agent !== null && agents.includes(agent))) &&
  (kinds.length === 0 || kinds.includes(kind) || tellsWebhook(recipientsIn(kind, record), id));
