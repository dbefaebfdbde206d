import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "@countersign/core";
import { CommandError } from "./exit.ts";
import { createLocalStore } from "./localGate.ts";

export interface StoreOptions {
  readonly home: string;
  /** `memory`, a `postgres://…` URL, or a file; `gate.db` in the home unless told otherwise. */
  readonly store?: string;
}

/** Where decisions are kept. Only the adapter that is used is loaded. */
export async function openStore({ home, store: place }: StoreOptions): Promise<Store> {
  if (place === "memory") return createLocalStore();
  const { openPostgresStore, openSqliteStore } = await import("@countersign/store");
  if (isPostgres(place)) return opened(await openPostgresStore({ url: place }), "--store");
  const path = place ?? join(home, "gate.db");
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch {
    throw new CommandError("store.unavailable", "the folder for the log cannot be made", { at: home });
  }
  return opened(await openSqliteStore({ path }), path);
}

/** What a person is told of it. The URL of a database holds a password. */
export const storeName = ({ home, store }: StoreOptions): string =>
  store === "memory"
    ? "memory, and gone with the process"
    : isPostgres(store)
      ? "PostgreSQL"
      : (store ?? join(home, "gate.db"));

const isPostgres = (place: string | undefined): place is string => /^postgres(?:ql)?:\/\//.test(place ?? "");

type Opened = Awaited<ReturnType<typeof import("@countersign/store")["openSqliteStore"]>>;

function opened(store: Opened, at: string): Store {
  if (store.ok) return store.value;
  throw new CommandError(store.error.code, store.error.message, { at });
}
