import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type Problem, problemOf, problemOfFault, readInput, streamEvents, writeEvent } from "@countersign/api";
import { type Events, err, type GateEvent, type Log, ok, type Result } from "@countersign/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Standing } from "../auth/standing.ts";
import { agentsSeen, type Caller, LOCAL, readerOf } from "../caller.ts";
import { send } from "../http/app.ts";
import { readQuery } from "../http/query.ts";
import { among } from "./decisions.ts";
import { createPlaces } from "./places.ts";

export interface EventsFace {
  readonly store: Events & Pick<Log, "head">;
  readonly standing: Standing;
  /** How often a quiet stream looks whether its credential is still good, and shows that it lives. */
  readonly lookEveryMs: number;
}

/** Twice within the ten seconds in which a revoked credential loses its streams. */
export const LOOK_EVERY_MS = 4_000;
const BEAT_MS = 15_000;
const AT_ONCE = 100;
/** What happens within it is sent together: a stream must not read as often as thousands commit. */
const PAUSE_MS = 50;
/** A reader that takes nothing for so long is gone, or wishes to fill our memory. */
const PATIENCE_MS = 30_000;
const STREAMS = { all: 1_024, tenant: 256, one: 16 } as const;

interface Following {
  readonly caller: Caller;
  readonly kinds: readonly string[] | null;
  readonly agents: readonly string[] | null;
  /** Everything up to here was sent, or is not asked for. */
  readonly after: number;
}

/** `GET /v1/events`. Ids, codes and digests, never content; filtered in the store, by tenant and by agent. */
export function mountEvents(app: FastifyInstance, face: EventsFace, authenticator: Authenticator): void {
  const places = createPlaces(STREAMS);
  app.register(async (scope) => {
    authenticated(scope, authenticator);
    scope.get(streamEvents.http.path, async (request, reply) => {
      const following = await readFollowing(request, face);
      if (!following.ok) return send(reply, following.error);
      const { tenant, credential } = following.value.caller;
      const giveBack = places.take(tenant, credential);
      if (giveBack === null) return send(reply, problemOf("rate.limited"));
      try {
        await stream(reply, face, following.value);
      } finally {
        giveBack();
      }
      return reply;
    });
  });
}

async function readFollowing(request: FastifyRequest, { store }: EventsFace): Promise<Result<Following, Problem>> {
  const caller = callerOf(request);
  if (caller.credential === LOCAL.credential) return err(problemOf("credential.missing"));
  const query = readQuery(request.url, streamEvents.inputSchema);
  const input = query.ok ? readInput(streamEvents, query.value) : query;
  if (!input.ok) return input;
  const { kinds = null, agent, from } = input.value;
  const head = await store.head(caller.tenant);
  if (!head.ok) return err(problemOfFault(head.error));
  const last = head.value.size - 1;
  const named = readLastId(request.headers["last-event-id"]) ?? ok(from === undefined ? last : from - 1);
  if (!named.ok) return named;
  if (named.value > last) return err(problemOf("events.beyond"));
  return ok({ caller, kinds, agents: among(agentsSeen(caller), agent), after: named.value });
}

function readLastId(header: string | string[] | undefined): Result<number, Problem> | undefined {
  if (header === undefined) return undefined;
  return typeof header === "string" && /^(?:0|[1-9]\d{0,14})$/.test(header)
    ? ok(Number(header))
    : err(problemOf({ code: "request.invalid", message: "Last-Event-ID is not the id of an event" }));
}

async function stream(reply: FastifyReply, { store, standing, lookEveryMs }: EventsFace, following: Following) {
  const { caller, kinds, agents } = following;
  const { tenant } = caller;
  const reader = readerOf(caller);
  reply.hijack();
  const raw = reply.raw;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  const bell = createBell();
  const unwatch = store.watch(tenant, bell.ring);
  raw.once("close", bell.ring);
  let { after } = following;
  let spoke = Date.now();
  const patience = { lookEveryMs, stands: () => standing(caller) };
  const say = async (text: string): Promise<boolean> => {
    spoke = Date.now();
    return (await write(raw, text, patience)) && !raw.destroyed;
  };
  try {
    if (!(await say(`retry: 2000\n${place(after)}\n`))) return;
    while (!raw.destroyed) {
      bell.still();
      // Nothing is sent to a credential that has been revoked, and its stream ends.
      if (!(await standing(caller))) return;
      const head = await store.head(tenant);
      const found = await store.events(tenant, { after, agents, kinds, limit: AT_ONCE });
      if (!head.ok || !found.ok) return;
      if (found.value.length > 0 && !(await say(found.value.map((event) => frame(event, reader)).join("")))) return;
      const through = found.value.at(-1)?.id ?? after;
      const whole = found.value.length === AT_ONCE;
      // What nobody asked for is not looked through again.
      after = whole ? through : Math.max(through, head.value.size - 1);
      if (whole) continue;
      if (Date.now() - spoke >= BEAT_MS && !(await say(`:\n${place(after)}\n`))) return;
      await setTimeout(PAUSE_MS);
      await bell.rung(lookEveryMs);
    }
  } finally {
    unwatch();
    raw.end();
  }
}

/** Where the reader is, also before the first event: it goes on from here, and misses nothing, when the line breaks. */
const place = (after: number): string => (after < 0 ? "" : `id: ${after}\n`);

const frame = (event: GateEvent, reader: "person" | "program"): string =>
  `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(writeEvent(event, reader))}\n\n`;

/** How long a reader is waited for, and how often it is looked whether its credential is still good meanwhile. */
interface Patience {
  readonly lookEveryMs: number;
  readonly stands: () => Promise<boolean>;
}

/** False when the reader does not take it in time, or may not have it any more: then what waits for it goes nowhere. */
async function write(raw: ServerResponse, text: string, { lookEveryMs, stands }: Patience): Promise<boolean> {
  if (raw.destroyed) return false;
  if (raw.write(text)) return true;
  const until = Date.now() + PATIENCE_MS;
  while (!raw.destroyed && Date.now() < until) {
    if (await drained(raw, lookEveryMs)) return true;
    if (!(await stands())) break;
  }
  raw.destroy();
  return false;
}

async function drained(raw: ServerResponse, withinMs: number): Promise<boolean> {
  const gone = new AbortController();
  const closed = () => gone.abort();
  raw.once("close", closed);
  try {
    await once(raw, "drain", { signal: AbortSignal.any([AbortSignal.timeout(withinMs), gone.signal]) });
    return true;
  } catch {
    return false;
  } finally {
    raw.off("close", closed);
  }
}

/** Wakes a waiter; a ring that comes while nobody waits is heard by the next one. */
function createBell() {
  let rang = false;
  let wake = (): void => {};
  return {
    ring: (): void => {
      rang = true;
      wake();
    },
    still: (): void => {
      rang = false;
    },
    rung: (atMostMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (rang) return resolve();
        const timer = globalThis.setTimeout(resolve, atMostMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
