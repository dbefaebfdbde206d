import {
  bareHost,
  DEFAULT_URL_POLICY,
  err,
  type HostResolver,
  type JudgedUrl,
  judgeAddresses,
  judgeUrl,
  ok,
  type Result,
  type UrlPolicy,
  urlPolicyFaults,
} from "@countersign/core";
import { connectPinned } from "./connectPinned.ts";
import { type EgressError, egressError } from "./egressError.ts";
import { exchange, type Incoming, isSendable } from "./exchange.ts";

export interface EgressRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal?: AbortSignal;
}

export interface EgressAnswer extends Incoming {
  /** What the name was found to be and may be used; the connection went to one of these. */
  readonly addresses: readonly string[];
}

/**
 * Every request the gate itself makes goes through this port. The URL is judged, its name looked up and every answer
 * judged, and the connection is made to a judged address. A redirect is an answer like any other and is not followed.
 * Never throws.
 */
export interface Egress {
  send(request: EgressRequest): Promise<Result<EgressAnswer, EgressError>>;
}

export interface EgressOptions {
  readonly policy: UrlPolicy;
  readonly resolver: HostResolver;
  /** Milliseconds from the call to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Bytes of an answer's body. */
  readonly maxBytes: number;
  /** Who may vouch for a server: the runtime's list, or certificates in PEM. */
  readonly ca: readonly string[] | "system";
}

export const EGRESS_LIMITS = { deadlineMs: 10_000, maxBytes: 1024 * 1024 } as const;

/**
 * Where the gate may send: any port of any public host, since the operator wrote the address down; an internal address or
 * name only when the start configuration lists it.
 */
export const egressPolicy = (internal: UrlPolicy["internal"]): UrlPolicy => ({
  ...DEFAULT_URL_POLICY,
  ports: { everyone: true },
  encodedControls: "allow",
  internal,
});

export function createEgress(options: EgressOptions): Egress {
  const faults = urlPolicyFaults(options.policy);
  if (faults.length > 0) throw new TypeError(`the policy for outgoing requests means nothing at ${faults.join(", ")}`);
  return {
    async send(request) {
      const judged = judgeUrl(request.url, options.policy);
      if (judged.verdict !== "allow" || judged.url === null) return err(egressError("egress.refused", judged.findings));
      return await withDeadline(options.deadlineMs, request.signal, async (signal) => {
        const addresses = await addressesFor(judged.url as JudgedUrl, options);
        if (!addresses.ok) return addresses;
        const answer = await sendPinned(request, judged.url as JudgedUrl, addresses.value, options, signal);
        return answer.ok ? ok({ ...answer.value, addresses: addresses.value }) : answer;
      });
    },
  };
}

/** The addresses a connection for this URL may be made to: its own, or what its name resolves to, all of it judged. */
export async function addressesFor(
  url: JudgedUrl,
  { policy, resolver }: Pick<EgressOptions, "policy" | "resolver">,
): Promise<Result<readonly string[], EgressError>> {
  const host = bareHost(url);
  if (url.hostKind !== "name") return ok([host]);
  const { verdict, findings, pinned } = judgeAddresses(await resolver.resolve(host), policy);
  return verdict === "allow" ? ok(pinned) : err(egressError("egress.refused", findings));
}

/** Sends to one of `addresses`, with the Host header and the TLS name of the URL. */
export async function sendPinned(
  request: Omit<EgressRequest, "url" | "signal">,
  url: JudgedUrl,
  addresses: readonly string[],
  { ca, maxBytes }: Pick<EgressOptions, "ca" | "maxBytes">,
  signal: AbortSignal,
): Promise<Result<Incoming, EgressError>> {
  if (url.port === null || !/^https?$/.test(url.scheme)) return err(egressError("egress.refused"));
  if (!isSendable(request)) return err(egressError("egress.malformed_request"));
  const tls = url.scheme === "https" ? { name: bareHost(url), ca } : null;
  const socket = await connectPinned({ addresses, port: url.port, tls }, signal);
  if (!socket.ok) return socket;
  const { pathname, search } = new URL(url.normalised);
  const isOwnPort = url.port === (tls === null ? 80 : 443);
  const host = url.hostname.replace(/[.]$/, "") + (isOwnPort ? "" : `:${url.port}`);
  const outgoing = {
    method: request.method,
    headers: request.headers,
    body: request.body,
    host,
    path: pathname + search,
  };
  return await exchange(socket.value, outgoing, maxBytes, signal);
}

/** Runs `work` until the deadline or the caller's own signal; whatever it makes of the interruption, the cause is told. */
export async function withDeadline<T>(
  deadlineMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result<T, EgressError>>,
): Promise<Result<T, EgressError>> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = caller === undefined ? deadline : AbortSignal.any([deadline, caller]);
  const interrupted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  const result = await Promise.race([work(signal), interrupted]);
  if (result?.ok === true) return result;
  if (caller?.aborted === true) return err(egressError("egress.aborted"));
  if (deadline.aborted || result === null) return err(egressError("egress.timeout"));
  return result;
}
