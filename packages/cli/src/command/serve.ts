import { VERSION } from "@countersign/api";
import type { Keys } from "@countersign/core";
import { createAuthenticator, createLogger, createServer, LOCAL, type Till } from "@countersign/server";
import { CommandError } from "../exit.ts";
import { type FaceOptions, type Faces, openFaces } from "../faces.ts";
import { makeFirstKeys } from "../firstKeys.ts";
import { sha256 } from "../localGate.ts";
import { storeName } from "../openStore.ts";
import { print } from "../output.ts";
import { printable } from "../printable.ts";
import { self } from "../self.ts";

export interface ServeOptions extends FaceOptions {
  readonly port: string;
  readonly host: string;
  /** Names under which it is reached, `host:port`. */
  readonly allowHost?: readonly string[];
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
  const alone = LOOPBACK.includes(options.host);
  const logger = createLogger(options.log);
  const faces = await openFaces(options, logger);
  const till = options.payments === undefined ? {} : { till: await openPayments(options.payments, faces) };
  const first = await firstKeys(faces, options, alone);
  const app = createServer({
    version: VERSION,
    dialects: faces.dialects,
    services: faces.services,
    endpoints: faces.endpoints,
    events: faces.events,
    ...till,
    keys: faces.documents,
    authenticator: createAuthenticator({
      keys: faces.store,
      clock: Date.now,
      sha256,
      anonymous: alone ? "loopback" : "nobody",
    }),
    readiness: async () => ((await faces.store.health()).ok ? null : "log"),
    logger,
    hosts: options.allowHost ?? [],
    origins: [],
  });
  const endUpkeep = faces.startUpkeep();
  const closed = new Promise<void>((resolve) => {
    const stop = async () => {
      await app.close();
      await endUpkeep();
      await faces.close();
      resolve();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
  try {
    print(...greeting(await app.listen({ port, host: options.host }), options, first));
  } catch (cause) {
    await endUpkeep();
    await faces.close();
    throw unable(cause, options);
  }
  await closed;
}

/** On another address than this machine's own, callers need keys; so there have to be some before it listens there. */
async function firstKeys(
  { store, close }: { readonly store: Parameters<typeof makeFirstKeys>[0] & Keys; close(): Promise<void> },
  { home, host }: ServeOptions,
  alone: boolean,
): Promise<string | null> {
  try {
    if (alone) return await makeFirstKeys(store, LOCAL.tenant, home);
    const keys = await store.keys(LOCAL.tenant);
    if (keys.ok && keys.value.length > 0) return null;
    throw new CommandError("serve.no_keys", "callers from other machines need keys, and there are none yet", {
      at: `--host ${host}`,
      expected: "a first start on this machine alone, or countersign keys create",
    });
  } catch (cause) {
    await close();
    throw cause;
  }
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

/** Addresses that stand for all that the machine has. */
const EVERYWHERE = ["0.0.0.0", "::"];

function greeting(address: string, options: ServeOptions, first: string | null): readonly string[] {
  const { host, policy, payments } = options;
  const target = policy === undefined ? "as the log has it; the starter policy where it has none" : printable(policy);
  const where = EVERYWHERE.includes(host) ? `every address of this machine, here ${address}` : address;
  const key = LOOPBACK.includes(host) ? "" : ` -H "authorization: Bearer $COUNTERSIGN_KEY"`;
  return [
    `countersign ${VERSION} listens on ${where}`,
    `policy: ${target}; the log is in ${printable(storeName(options))}`,
    ...(payments === undefined ? [] : [`sold: what ${printable(payments)} gives a price`]),
    ...(first === null ? [] : [`keys of the admin and the reviewer: ${printable(first)}`]),
    "",
    "Try, in another terminal:",
    `  curl -s ${address}/v1/decisions${key} -H 'content-type: application/json' -d '{"action":{"kind":"file","verb":"read","target":"/work/project/notes.txt"},"idempotency_key":"1"}'`,
    `  ${self()} doctor --url ${address}`,
    "",
    `  reference ${address}/docs   MCP ${address}/mcp   Ctrl-C stops it`,
  ];
}
