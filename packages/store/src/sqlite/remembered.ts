import type { Head, Loaded, LoadRequest, Rows, Writes } from "@countersign/core";
import type { SqliteDatabase } from "./driver.ts";
import type { SqliteTables } from "./tables.ts";

interface Known {
  head: Head;
  stops: readonly Rows["stops"][];
  /** When the first money goes free by itself; null when none will. */
  release: number | null;
}

/**
 * The tables as the writer sees them, without asking again what only it has changed: the head, the stops and when the
 * next money is due. SQLite tells when another process has committed, and then all of it is forgotten.
 */
export function rememberingTables(database: SqliteDatabase, tables: SqliteTables): SqliteTables & { forget(): void } {
  const known = new Map<string, Known>();
  let version: unknown;

  function learn(tenant: string): Known {
    const [due] = database.all(
      "select release_at from decisions where tenant = ? and release_at is not null order by release_at limit 1",
      [tenant],
    );
    const everyStop = tables.load(tenant, { keys: {}, select: [{ select: "stopsInForce", now: 0 }], sums: [] });
    const learnt: Known = {
      head: tables.headForWriting(tenant),
      stops: everyStop.rows.stops ?? [],
      release: due === undefined ? null : Number(due["release_at"]),
    };
    known.set(tenant, learnt);
    return learnt;
  }

  const of = (tenant: string): Known => known.get(tenant) ?? learn(tenant);

  return {
    /** The first thing that is asked in a transaction. */
    headForWriting(tenant) {
      const [row] = database.all("pragma data_version");
      if (row?.["data_version"] !== version) known.clear();
      version = row?.["data_version"];
      return of(tenant).head;
    },

    head: tables.head,

    load(tenant, request): Loaded {
      const { stops, release } = of(tenant);
      const select = request.select.filter((selector) => {
        if (selector.select === "stopsInForce") return false;
        return selector.select !== "moneyDue" || (release !== null && release <= selector.now);
      });
      const loaded = tables.load(tenant, { ...request, select });
      if (!asksForStops(request)) return loaded;
      return { ...loaded, rows: { ...loaded.rows, stops: [...(loaded.rows.stops ?? []), ...stops] } };
    },

    write(tenant, writes) {
      tables.write(tenant, writes);
      const { inserted, rows, head } = writes;
      const before = of(tenant);
      if (rows.stops !== undefined || inserted.stops !== undefined || freed(before, writes)) known.delete(tenant);
      else
        known.set(tenant, {
          ...before,
          head,
          release: earliest(earliest(before.release, rows.decisions), inserted.decisions),
        });
    },

    forget: () => known.clear(),
  };
}

const asksForStops = ({ select }: LoadRequest): boolean => select.some((one) => one.select === "stopsInForce");

/** Whether money that was due first is due no longer: then only the table knows what is due next. */
const freed = ({ release }: Known, { rows, head }: Writes): boolean =>
  release !== null && release <= head.at && rows.decisions !== undefined;

const earliest = (release: number | null, decisions: readonly Rows["decisions"][] = []): number | null =>
  decisions.reduce<number | null>(
    (first, { releaseAt }) => (releaseAt === null ? first : Math.min(releaseAt, first ?? releaseAt)),
    release,
  );
