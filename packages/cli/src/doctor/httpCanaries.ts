import { randomUUID } from "node:crypto";
import { parseJson } from "@countersign/core";
import { CommandError } from "../exit.ts";
import { random } from "../random.ts";
import { type Canary, fakeSecret, INJECTION, type Outcome, PRIVATE_URL } from "./canary.ts";

const DEADLINE_MS = 10_000;
const ANSWER_LIMIT = 1 << 20;

/** What a running gate must deny, put to it over HTTP as a caller without a key does. */
export function httpCanaries(given: string): readonly Canary[] {
  const base = baseOf(given);
  const ask = (body: object) => JSON.stringify({ ...body, idempotency_key: `doctor-${randomUUID()}` });
  const probe = { kind: "unspecified", verb: "doctor.probe", target: "doctor:probe" };
  return [
    { what: "the running gate answers and is ready", flies: () => ready(base) },
    {
      what: "the running gate allows no action that nobody named",
      flies: () => denied(base, ask({ action: probe })),
    },
    {
      what: "the running gate blocks a secret in an action",
      flies: () =>
        denied(base, ask({ action: { ...probe, parameters: { token: fakeSecret(random) } } }), "credentials.found"),
    },
    {
      what: "the running gate blocks a private address",
      flies: () => denied(base, ask({ material: { urls: [PRIVATE_URL] } }), "url.private_address"),
    },
    {
      what: "the running gate passes no injected instructions",
      flies: () => denied(base, ask({ material: { texts: [{ surface: "incoming", text: INJECTION }] } })),
    },
    {
      what: "the running gate refuses a member that is there twice",
      flies: () => refused(base, `{"action":${JSON.stringify(probe)},"action":{},"idempotency_key":"doctor"}`, 400),
    },
    {
      what: "the running gate refuses a policy of the caller",
      flies: () => refused(base, ask({ action: probe, policy: {} }), 400),
    },
    {
      what: "the running gate refuses a key it did not give",
      flies: () => refused(base, ask({ action: probe }), 401, { authorization: "Bearer doctor" }),
    },
    {
      what: "the running gate takes no request from a foreign web page",
      flies: () => refused(base, ask({ action: probe }), 403, { origin: "https://attacker.example" }),
    },
  ];
}

function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.username === "")
    return `${url.origin}${url.pathname.replace(/[/]+$/, "")}`;
  throw new CommandError("usage", "this is not the address of a gate", {
    at: "--url",
    expected: "http://127.0.0.1:8402",
  });
}

interface Reply {
  readonly status: number;
  readonly body: { readonly verdict?: unknown; readonly code?: unknown; readonly findings?: unknown };
}

async function call(url: string, init: RequestInit): Promise<Reply | null> {
  try {
    const answer = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = (await answer.text()).slice(0, ANSWER_LIMIT);
    const read = parseJson(text, { bytes: ANSWER_LIMIT, depth: 32 }, "plain");
    return {
      status: answer.status,
      body: read.ok && typeof read.value === "object" && read.value !== null ? (read.value as Reply["body"]) : {},
    };
  } catch {
    return null;
  }
}

const NO_ANSWER: Outcome = { held: false, detail: "no answer" };

async function ready(base: string): Promise<Outcome> {
  const reply = await call(`${base}/readyz`, {});
  if (reply === null) return NO_ANSWER;
  return { held: reply.status === 200, detail: `status ${reply.status}` };
}

const post = (base: string, body: string, headers: Record<string, string> = {}) =>
  call(`${base}/v1/decisions`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

/** A decision, and not an error: an address where no gate is denies nothing. */
async function denied(base: string, body: string, code?: string): Promise<Outcome> {
  const reply = await post(base, body);
  if (reply === null) return NO_ANSWER;
  const { verdict, findings } = reply.body;
  const codes = Array.isArray(findings)
    ? findings.map((one: { readonly code?: unknown } | null) => String(one?.code))
    : [];
  const held =
    reply.status === 200 &&
    (verdict === "block" || verdict === "review") &&
    (code === undefined || codes.includes(code));
  return {
    held,
    detail: held
      ? (code ?? codes[0] ?? String(verdict))
      : `status ${reply.status}, ${String(verdict ?? reply.body.code ?? "no verdict")}`,
  };
}

async function refused(base: string, body: string, status: number, headers?: Record<string, string>): Promise<Outcome> {
  const reply = await post(base, body, headers);
  if (reply === null) return NO_ANSWER;
  return {
    held: reply.status === status,
    detail: `status ${reply.status}, ${String(reply.body.code ?? reply.body.verdict ?? "")}`,
  };
}
