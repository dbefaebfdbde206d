import { readdirSync, readFileSync } from "node:fs";
import { type Change, type Committed, hex, type Result, type Store, verifyLog } from "@countersign/core";
import { nodeSha256, person, redeemOf } from "@countersign/core/testing";
import { expect, test } from "vitest";

/** A cell as `scripts/freezeDatabase.mjs` keeps it. */
export type FrozenCell = string | number | null | { readonly hex: string };

/** A database of an earlier version with something of everything in it, as that version wrote it. */
export interface FrozenDatabase {
  readonly version: number;
  readonly at: number;
  readonly tenant: string;
  readonly size: number;
  readonly root: string;
  /** The statements of SQLite that made it. */
  readonly schema: readonly string[];
  readonly tables: { readonly [table: string]: readonly { readonly [column: string]: FrozenCell }[] };
}

const folder = new URL("../../fixtures/", import.meta.url);

export const FROZEN: readonly FrozenDatabase[] = readdirSync(folder)
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as FrozenDatabase)
  .sort((a, b) => a.version - b.version);

/** The rows of one table as columns and values; `blob` says how an engine takes bytes. */
export function frozenRows(
  { tables }: FrozenDatabase,
  blob: (hex: string) => Uint8Array,
): {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: (string | number | null | Uint8Array)[];
}[] {
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows.map((row) => ({
      table,
      columns: Object.keys(row),
      values: Object.values(row).map((cell) => (typeof cell === "object" && cell !== null ? blob(cell.hex) : cell)),
    })),
  );
}

export interface MigratedStore {
  readonly store: Store;
  readonly setClock: (now: number) => void;
  readonly close: () => Promise<void>;
}

/** What an earlier version wrote is all there after the migrations, and goes on from where it stood. */
export function migrationSuite(name: string, load: (frozen: FrozenDatabase) => Promise<MigratedStore>): void {
  test.each(FROZEN.map((frozen) => ({ version: frozen.version, frozen })))(
    `${name} of version $version goes on with everything that was in it`,
    async ({ frozen }) => {
      const { tenant, at } = frozen;
      const { store, setClock, close } = await load(frozen);
      setClock(at);
      const made = async <C extends Change>(change: C): Promise<Committed<C["kind"]>> => {
        const result = await store.commit(tenant, change);
        if (!result.ok) throw new Error(`${change.kind}: ${result.error.code}`);
        return result.value;
      };
      const code = async (change: Change) => {
        const result = await store.commit(tenant, change);
        return result.ok ? "made" : result.error.code;
      };
      const agrees = async () => {
        const verdict = read(await verifyLog(tenant, store, { trust: "figures-only", since: [], sha256: nodeSha256 }));
        expect(verdict.problems).toEqual([]);
        return verdict;
      };
      const spent = async () =>
        read(
          await store.facts(tenant, {
            agent: "shopper",
            credential: "key_shopper",
            scopes: [],
            actionDigest: "sha256:aa",
            spent: [
              { series: "agent:shopper", currency: "USD", window: { rolling: 86_400_000 } },
              { series: "agent:shopper/counterparty:shop", currency: "USD", window: { rolling: 86_400_000 } },
            ],
            idempotency: { key: "key_shopper\nk1", digest: "sha256:asked" },
          }),
        );
      const fields = async (ref: string) => read(await store.content(tenant, ref))?.fields ?? null;
      const answer = (hold: string, version: number, grant: string, by: string) =>
        ({ kind: "hold.decide", hold, by: person(by), answer: "approve", reason: "", version, grant }) as const;

      const { size, root } = await agrees();
      expect([size, hex(root)]).toEqual([frozen.size, frozen.root]);

      const before = await spent();
      expect(before.spent).toEqual(["34.75", "34.75"]);
      expect(before.replay).toMatchObject({ answer: "first answer" });
      expect(before.grants.map(({ id }) => id)).toEqual(["grant_open"]);
      expect(await fields("dec_held")).toContain("cart");
      expect(await fields("dec_erased")).toBeNull();
      expect(read(await store.policies(tenant, ["org:acme"]))).toMatchObject([{ version: 2, digest: "sha256:p2" }]);
      expect(read(await store.agent(tenant, "shopper"))).toMatchObject({ teams: ["buyers"], display: "Shopper" });
      expect(read(await store.keys(tenant))).toHaveLength(2);
      expect(read(await store.stops(tenant))).toMatchObject([{ id: "stop_force" }]);
      expect(read(await store.chain(tenant, "wallet/0x1", 9)).map(({ ref }) => ref)).toEqual(["adv_2", "adv_1"]);
      expect(read(await store.deadDeliveries(tenant, 9))).toMatchObject([{ error: "http.500" }]);
      expect(read(await store.checkpoints(tenant, { limit: 9 }))).toHaveLength(1);
      const open = read(await store.holds(tenant, { state: "open", agents: null, order: "age", limit: 9 }));
      expect(open.items.map(({ id }) => id)).toEqual(["hold_appeal", "hold_open", "hold_two"]);

      expect(await code(redeemOf("dec_reserved"))).toBe("made");
      expect(await code(redeemOf("dec_reserved"))).toBe("redeem.used");
      const failed = { result: "failed", by: person("ada"), asApproved: true, breaker: "stop_x" } as const;
      expect(await made({ kind: "outcome", decision: "dec_unclosed", ...failed })).toMatchObject({ money: "released" });
      expect((await spent()).spent).toEqual(["14.75", "14.75"]);
      expect(await made(answer("hold_open", 1, "grant_new", "bob"))).toMatchObject({ grant: "grant_new" });
      expect(await code(answer("hold_two", 2, "grant_two", "ada"))).toBe("hold.same_person");
      expect(await made(answer("hold_two", 2, "grant_two", "bob"))).toMatchObject({ grant: "grant_two" });
      expect(await fields("dec_held")).toContain("cart");
      const advice = {
        kind: "note",
        type: "advice",
        ref: "adv_4",
        agent: null,
        record: "{}",
        chain: "wallet/0x1",
      } as const;
      expect((await made(advice)).chain).toMatchObject({ seq: 3 });
      const claim = { kind: "claim.open", holder: "h2", holdFor: 1, progress: "" } as const;
      expect(await made({ ...claim, key: "x402/answered", digest: "sha256:c1" })).toMatchObject({ answer: "paid" });
      expect(await code({ ...claim, key: "x402/answered", digest: "sha256:other" })).toBe("claim.conflict");

      setClock(at + 86_400_000);
      await made({ kind: "sweep" });
      expect(await fields("dec_timed")).toBeNull();
      const by = person("ada");
      const { erased } = await made({ kind: "erase", what: { subject: "agent:shopper" }, reason: "asked", by });
      expect(erased).toBeGreaterThanOrEqual(9);
      expect(await fields("dec_held")).toBeNull();
      await agrees();
      await close();
    },
  );
}

function read<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
