import {
  err,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonLimits,
  ok,
  parseJson,
  type Result,
} from "@countersign/core";

/** What is used of `fetch`. Spelled out, as the runtimes' own declarations differ. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly redirect: "error";
    readonly signal: AbortSignal;
  },
) => Promise<FetchedResponse>;

export interface FetchedResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Why there is no answer: the gate's own code, or one that begins with `client.`. */
export interface RemoteError {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly path?: string;
  readonly expected?: string;
}

/** What sending twice does: nothing more, as it asks or carries a key of its own, or the same again. */
export type Repeat = "safe" | "unsafe";

/** Sends and gives the object that came back. Never rejects but for a body that is no JSON. */
export type Transport = (
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: JsonValue,
  repeat?: Repeat,
  more?: Readonly<Record<string, string>>,
) => Promise<Result<JsonObject, RemoteError>>;

/** One try and two more, where sending twice does no harm. */
const TRIES = 3;
/** In milliseconds; doubles with each try, and half of it is chance, so that many clients do not come back as one. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

const MAY_PASS = new Set([408, 425, 429, 500, 502, 503, 504]);

interface TransportOptions {
  readonly baseUrl: string;
  readonly key?: string;
  readonly fetch?: Fetch;
  readonly timeout?: number;
}

export function createTransport({
  baseUrl,
  key,
  fetch = globalThis.fetch,
  timeout = 10_000,
}: TransportOptions): Transport {
  const base = readBase(baseUrl, key);
  return async (method, path, body, repeat = "safe", more = {}) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...more,
      accept: "application/json",
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const once = () =>
      attempt(fetch, base + path, timeout, {
        method,
        headers,
        redirect: "error",
        ...(text === undefined ? {} : { body: text }),
      });
    for (let tried = 1; ; tried += 1) {
      const { answer, wait } = await once();
      if (answer.ok || wait === undefined || repeat === "unsafe" || tried === TRIES) return answer;
      const pause = Math.max(wait, FIRST_PAUSE * 2 ** (tried - 1) * (0.5 + Math.random() / 2));
      if (pause > LONGEST_PAUSE) return answer;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
}

/** A key goes over the network only where nobody on the way can read it. */
function readBase(baseUrl: string, key: string | undefined): string {
  const url = new URL(baseUrl);
  const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new TypeError("the base URL is not an http address");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("the base URL has more than a scheme, a host, a port and a path");
  }
  if (key !== undefined && url.protocol === "http:" && !loopback) {
    throw new TypeError("a key is sent over https, or to this machine");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** `wait` is there when another try may fare better: the least pause before it, in milliseconds. */
interface Attempt {
  readonly answer: Result<JsonObject, RemoteError>;
  readonly wait?: number;
}

async function attempt(
  fetch: Fetch,
  url: string,
  timeout: number,
  init: Omit<Parameters<Fetch>[1], "signal">,
): Promise<Attempt> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    const response = await fetch(url, { ...init, signal: abort.signal });
    const { status, headers } = response;
    // The timer runs on: an answer that never ends is none.
    const answer = readAnswer(status, new Uint8Array(await response.arrayBuffer()));
    return !answer.ok && MAY_PASS.has(status) ? { answer, wait: retryAfter(headers.get("retry-after")) } : { answer };
  } catch {
    const message = abort.signal.aborted ? "the gate did not answer in time" : "the gate cannot be reached";
    const code = abort.signal.aborted ? "client.timeout" : "client.unreachable";
    return { answer: err({ code, message }), wait: 0 };
  } finally {
    clearTimeout(timer);
  }
}

function readAnswer(status: number, bytes: Uint8Array): Result<JsonObject, RemoteError> {
  const parsed = parseJson(bytes, jsonLimits, "plain");
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
  if ((status === 200 || status === 201) && body !== undefined) return ok(body);
  const text = (name: string) => (typeof body?.[name] === "string" ? (body[name] as string) : undefined);
  const [path, expected] = [text("path"), text("expected")];
  return err({
    code: text("code") ?? "client.answer_malformed",
    message: text("detail") ?? "the gate's answer is not one of a gate",
    status,
    ...(path === undefined ? {} : { path }),
    ...(expected === undefined ? {} : { expected }),
  });
}

/** Milliseconds; a date, which nobody sends here, counts as now. */
const retryAfter = (header: string | null): number =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : 0;
