import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { err, ok, parseAddress, type Result } from "@countersign/core";
import { type EgressError, egressError } from "./egressError.ts";

export interface PinnedTarget {
  /** Checked addresses, tried in this order. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** Null: no TLS. `name` is what the certificate must be for, a host name or an address. */
  readonly tls: { readonly name: string; readonly ca: readonly string[] | "system" } | null;
}

/** So many addresses are tried, and no more. */
const MAX_ATTEMPTS = 4;
/** Milliseconds after which the next address gets its turn, when there is one. */
const ATTEMPT_MS = 3_000;

/** Connects to one of the checked addresses and to nothing else: no name reaches the system's resolver. Never throws. */
export async function connectPinned(target: PinnedTarget, signal: AbortSignal): Promise<Result<Socket, EgressError>> {
  const addresses = target.addresses.slice(0, MAX_ATTEMPTS);
  for (const [at, address] of addresses.entries()) {
    if (signal.aborted) break;
    const isLast = at === addresses.length - 1;
    const attempt = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    const socket = await connectOne(target, address, attempt);
    if (socket !== null) return ok(socket);
  }
  return err(egressError("egress.unreachable"));
}

function connectOne(target: PinnedTarget, address: string, signal: AbortSignal): Promise<Socket | null> {
  const socket = open(target, address);
  return new Promise((resolve) => {
    const settle = (value: Socket | null) => {
      signal.removeEventListener("abort", give);
      socket.off(target.tls === null ? "connect" : "secureConnect", connected);
      if (value === null) socket.destroy();
      resolve(value);
    };
    const give = () => settle(null);
    // Nothing between here and the wire may have chosen another address.
    const connected = () => settle(isAt(socket, address) ? socket : null);
    socket.on("error", give);
    socket.once("close", give);
    socket.once(target.tls === null ? "connect" : "secureConnect", connected);
    signal.addEventListener("abort", give);
    if (signal.aborted) give();
  });
}

function open({ port, tls }: PinnedTarget, address: string): Socket {
  if (tls === null) return connectTcp({ host: address, port });
  return connectTls({
    host: address,
    port,
    // An address has no place in SNI; then the certificate is held against the address itself.
    servername: isIP(tls.name) === 0 ? tls.name : "",
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Written out, so that no environment variable can turn the proof off.
    rejectUnauthorized: true,
    ...(tls.ca === "system" ? {} : { ca: [...tls.ca] }),
  });
}

function isAt(socket: Socket, address: string): boolean {
  const there = parseAddress(socket.remoteAddress ?? "");
  return there !== null && there.text === parseAddress(address)?.text;
}
