import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "@countersign/core";
import { CommandError } from "./exit.ts";
import { createLocalStore } from "./localGate.ts";
import { storeSecret } from "./storeSecret.ts";

export interface StoreOptions {
  readonly home: string;
  /** `memory`, a `postgres://…` URL, or a file; `gate.db` in the home unless told otherwise. */
  readonly store?: string;
}

/**
 * Where decisions are kept. Only the adapter that is used is loaded. A gate makes the secret of its store when there is
 * none; whoever only looks in takes it where it is, and where another one is does without.
 */
export async function openStore(options: StoreOptions, secret: "make" | "if there" = "if there"): Promise<Store> {
  const { home, store: place } = options;
  if (place === "memory") return createLocalStore();
  const { openPostgresStore, openSqliteStore } = await import("@countersign/store");
  const known = await storeSecret(home, secret);
  const open = async (given: Uint8Array | null) => {
    const under = given === null ? {} : { secret: given };
    return isPostgres(place) ? openPostgresStore({ url: place, ...under }) : openSqliteStore({ path, ...under });
  };
  const path = place ?? join(home, "gate.db");
  if (!isPostgres(place)) await makeHome(home);
  const first = await open(known);
  const other = !first.ok && first.error.code === "store.other_secret" && secret === "if there";
  return opened(other ? await open(null) : first, isPostgres(place) ? "--store" : path);
}

async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch {
    throw new CommandError("store.unavailable", "the folder for the log cannot be made", { at: home });
  }
}

/** What a person is told of it. The URL of a database holds a password. */
export const storeName = ({ home, store }: StoreOptions): string =>
  store === "memory"
    ? "memory, and gone with the process"
    : isPostgres(store)
      ? "PostgreSQL"
      : (store ?? join(home, "gate.db"));

/** A log that is there: opening would make an empty one, and an empty log agrees with whatever is asked of it. */
export async function openLog(options: StoreOptions): Promise<Store> {
  const { home, store: place } = options;
  if (place === "memory")
    throw new CommandError("usage", "what is in the memory of another process cannot be read", { at: "--store" });
  const file = place ?? join(home, "gate.db");
  if (!isPostgres(place) && !existsSync(file))
    throw new CommandError("store.unavailable", "there is no log here", { at: file, expected: "--store or --home" });
  return openStore(options);
}

const isPostgres = (place: string | undefined): place is string => /^postgres(?:ql)?:\/\//.test(place ?? "");

type Opened = Awaited<ReturnType<typeof import("@countersign/store")["openSqliteStore"]>>;

function opened(store: Opened, at: string): Store {
  if (store.ok) return store.value;
  throw new CommandError(store.error.code, store.error.message, { at });
}
