import {
  bareHost,
  err,
  type JudgedUrl,
  judgeAddresses,
  judgeUrl,
  ok,
  parseAddress,
  type Result,
} from "@countersign/core";
import { addressesFor, type EgressOptions, type EgressRequest, sendPinned, withDeadline } from "./egress.ts";
import { type EgressError, egressError } from "./egressError.ts";
import type { Incoming } from "./exchange.ts";

export interface PinnedFetchOptions extends EgressOptions {
  /** The addresses that were judged with the URL, as the decision pinned them. */
  readonly addresses: readonly string[];
  /** How many redirects are followed. Each is judged as a new URL, and the name in it looked up and judged. */
  readonly redirects: number;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal?: AbortSignal;
}

/** What may go along to another origin; everything else may be a credential. */
const HARMLESS = new Set(["accept", "accept-language", "content-type", "user-agent"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const WITHOUT_BODY = new Set([204, 205, 304]);

interface Step {
  readonly url: JudgedUrl;
  readonly addresses: readonly string[];
  readonly request: Omit<EgressRequest, "url" | "signal">;
}

/**
 * Fetches a URL that was decided on, from the addresses that were decided on: the name is not asked for again, so an answer
 * that has changed since changes nothing. Host header and TLS name are the URL's. Never throws.
 */
export async function pinnedFetch(url: string, options: PinnedFetchOptions): Promise<Result<Response, EgressError>> {
  const judged = judgeUrl(url, options.policy);
  if (judged.verdict !== "allow" || judged.url === null) return err(egressError("egress.refused", judged.findings));
  const first = judged.url;
  const pins = { state: "known", value: options.addresses, source: "pinned", at: "" } as const;
  const { verdict, findings, pinned } = judgeAddresses(pins, options.policy);
  if (verdict !== "allow") return err(egressError("egress.refused", findings));
  // An address in the URL is its own pin, and no other may stand for it.
  if (first.hostKind !== "name" && !(pinned.length === 1 && pinned[0] === parseAddress(bareHost(first))?.text))
    return err(egressError("egress.refused"));
  const { method, headers, body } = options;
  return await withDeadline(options.deadlineMs, options.signal, (signal) =>
    follow({ url: first, addresses: pinned, request: { method, headers, body } }, options, signal),
  );
}

async function follow(
  first: Step,
  options: PinnedFetchOptions,
  signal: AbortSignal,
): Promise<Result<Response, EgressError>> {
  let step = first;
  for (let left = options.redirects; ; left -= 1) {
    const answer = await sendPinned(step.request, step.url, step.addresses, options, signal);
    if (!answer.ok) return answer;
    const location = answer.value.headers.find(([name]) => name === "location")?.[1];
    if (!REDIRECTS.has(answer.value.status) || location === undefined) return ok(responseOf(answer.value));
    if (left <= 0) return err(egressError("egress.redirect"));
    const next = await redirected(step, answer.value.status, location, options);
    if (!next.ok) return next;
    step = next.value;
  }
}

async function redirected(
  step: Step,
  status: number,
  location: string,
  options: PinnedFetchOptions,
): Promise<Result<Step, EgressError>> {
  const text = absolute(location, step.url);
  if (text === null) return err(egressError("egress.redirect"));
  const { verdict, url, findings } = judgeUrl(text, options.policy);
  if (verdict !== "allow" || url === null) return err(egressError("egress.refused", findings));
  if (step.url.scheme === "https" && url.scheme !== "https") return err(egressError("egress.redirect"));
  const sameHost = bareHost(url) === bareHost(step.url);
  const addresses = sameHost ? ok(step.addresses) : await addressesFor(url, options);
  if (!addresses.ok) return addresses;
  const sameOrigin = sameHost && url.scheme === step.url.scheme && url.port === step.url.port;
  return ok({ url, addresses: addresses.value, request: nextRequest(step.request, status, sameOrigin) });
}

/** The text a `location` stands for. One that begins a URL is judged as it stands; one that goes on from here cannot leave. */
function absolute(location: string, from: JudgedUrl): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location;
  if (location.startsWith("//")) return `${from.scheme}:${location}`;
  if (/[\\\0-\x20\x7f]/.test(location) || !URL.canParse(location, from.normalised)) return null;
  return new URL(location, from.normalised).href;
}

/** As fetch does it: 303 asks again with GET, and so do 301 and 302 after a POST. */
function nextRequest(before: Step["request"], status: number, sameOrigin: boolean): Step["request"] {
  const headers = Object.entries(before.headers).filter(([name]) => sameOrigin || HARMLESS.has(name.toLowerCase()));
  const becomesGet = status === 303 ? before.method !== "HEAD" : status < 303 && before.method === "POST";
  if (!becomesGet) return { ...before, headers: Object.fromEntries(headers) };
  const kept = headers.filter(([name]) => !/^content-/i.test(name));
  return { method: "GET", headers: Object.fromEntries(kept), body: null };
}

export function responseOf({ status, headers, body }: Incoming): Response {
  const list = headers.map(([name, value]): [string, string] => [name, value]);
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: list });
}
