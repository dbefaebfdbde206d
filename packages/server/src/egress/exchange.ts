import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { err, ok, type Result } from "@countersign/core";
import { type EgressError, egressError } from "./egressError.ts";

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Value of the Host header. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface Incoming {
  readonly status: number;
  /** Names in lower case; a name may come more than once. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** What frames the message or speaks to somebody on the way is not the caller's to say. */
const OURS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding)$/i;

export const isSendable = ({ method, headers }: Pick<Outgoing, "method" | "headers">): boolean =>
  METHODS.has(method) && Object.keys(headers).every((name) => !OURS.test(name));

/**
 * One request and its answer over a socket that is connected to a checked address, which is closed after it. An answer of
 * more than `maxBytes` is not kept. Never throws.
 */
export async function exchange(
  socket: Socket,
  outgoing: Outgoing,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<Incoming, EgressError>> {
  let request: ClientRequest | undefined;
  try {
    request = httpRequest({
      createConnection: () => socket,
      method: outgoing.method,
      path: outgoing.path,
      headers: {
        ...outgoing.headers,
        host: outgoing.host,
        connection: "close",
        "accept-encoding": "identity",
        ...(outgoing.body === null ? {} : { "content-length": String(outgoing.body.byteLength) }),
      },
      setHost: false,
      maxHeaderSize: 16 * 1024,
      signal,
    });
    const response = await answerTo(request, outgoing.body);
    return await read(response, maxBytes);
  } catch {
    return err(egressError(request === undefined ? "egress.malformed_request" : "egress.malformed_answer"));
  } finally {
    socket.destroy();
  }
}

function answerTo(request: ClientRequest, body: Uint8Array | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
    // Also when the server changes to another protocol: nobody listens for that.
    request.once("close", () => reject(new Error("closed")));
    request.end(body ?? undefined);
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Result<Incoming, EgressError>> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return err(egressError("egress.malformed_answer"));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return err(egressError("egress.too_large"));
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) return err(egressError("egress.malformed_answer"));
  return ok({ status, headers: headersOf(response), body: Buffer.concat(chunks) });
}

function headersOf(response: IncomingMessage): readonly (readonly [string, string])[] {
  const { rawHeaders } = response;
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    (rawHeaders[at * 2] ?? "").toLowerCase(),
    rawHeaders[at * 2 + 1] ?? "",
  ]);
}
