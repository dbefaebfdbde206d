import { VERSION } from "@countersign/api";
import { createAuthenticator, createLogger, createServer, type Till } from "@countersign/server";
import { CommandError } from "../exit.ts";
import { type FaceOptions, type Faces, openFaces } from "../faces.ts";
import { sha256 } from "../localGate.ts";
import { print } from "../output.ts";

export interface ServeOptions extends FaceOptions {
  readonly port: string;
  readonly host: string;
  readonly log: "info" | "error" | "silent";
  /** A file that says what is sold; without it nothing is. */
  readonly payments?: string;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** Loaded when it is asked for: nobody who sells nothing waits for it. On a fault the gate is closed first. */
async function openPayments(file: string, faces: Faces): Promise<Till> {
  try {
    const { openTillFrom } = await import("../payments.ts");
    return await openTillFrom(file, faces);
  } catch (cause) {
    await faces.close();
    throw cause;
  }
}

/** Serves until it is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const port = portOf(options.port);
  if (!LOOPBACK.includes(options.host))
    throw new CommandError("serve.not_loopback", "callers without a key are taken from this machine alone", {
      at: `--host ${options.host}`,
      expected: LOOPBACK.join(", "),
    });
  const logger = createLogger(options.log);
  const faces = await openFaces(options, logger);
  const till = options.payments === undefined ? {} : { till: await openPayments(options.payments, faces) };
  const app = createServer({
    version: VERSION,
    dialects: faces.dialects,
    ...till,
    keys: faces.documents,
    authenticator: createAuthenticator({ keys: faces.store, clock: Date.now, sha256, anonymous: "loopback" }),
    readiness: async () => ((await faces.store.health()).ok ? null : "log"),
    logger,
    hosts: [],
    origins: [],
  });
  const closed = new Promise<void>((resolve) => {
    const stop = async () => {
      await app.close();
      await faces.close();
      resolve();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
  try {
    print(...greeting(await app.listen({ port, host: options.host }), options));
  } catch (cause) {
    await faces.close();
    throw unable(cause, options);
  }
  await closed;
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError("usage", "this is not a port", {
    at: `--port ${text}`,
    expected: "0 to 65535; 0 takes a free one",
  });
}

const REASONS: Readonly<Record<string, readonly [code: string, message: string, expected: string]>> = {
  EADDRINUSE: ["serve.port_in_use", "another program listens on this port", "a free port, such as --port 0"],
  EACCES: ["serve.port_refused", "this port is not for everybody to listen on", "a port from 1024 on"],
  EADDRNOTAVAIL: ["serve.no_address", "this machine does not have this address", LOOPBACK.join(", ")],
};

function unable(cause: unknown, { host, port }: ServeOptions): CommandError {
  const [code, message, expected] = REASONS[(cause as NodeJS.ErrnoException).code ?? ""] ?? [
    "serve.unable",
    "the address cannot be listened on",
    "another --host or --port",
  ];
  return new CommandError(code, message, { at: `${host}:${port}`, expected });
}

function greeting(address: string, { policy }: ServeOptions): readonly string[] {
  const target = policy === undefined ? "the starter policy (countersign init writes it to a file)" : policy;
  return [
    `countersign ${VERSION} listens on ${address}`,
    `policy: ${target}; decisions are kept in memory`,
    "",
    "Try, in another terminal:",
    `  curl -s ${address}/v1/decisions -H 'content-type: application/json' -d '{"action":{"kind":"file","verb":"read","target":"/work/project/notes.txt"},"idempotency_key":"1"}'`,
    `  countersign doctor --url ${address}`,
    "",
    `  reference ${address}/docs   MCP ${address}/mcp   Ctrl-C stops it`,
  ];
}
