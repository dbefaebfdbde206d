import { encodeUtf8 } from "../../json/utf8.ts";
import { hmacSha256 } from "../../record/commitment.ts";
import { type ChainLink, nextLink } from "../../record/hashChain.ts";
import { hex, unhex } from "../../record/hex.ts";
import { recordText } from "../../record/logRecord.ts";
import { appendLeaf, type MerkleTree, type Sha256 } from "../../record/merkle.ts";
import { KEPT_LEVELS } from "../../record/merkleProof.ts";
import { type TextHashing, textLeafHash } from "../../record/textHashing.ts";
import type { Appended, SumRow } from "../ports.ts";
import type { Millis } from "./change.ts";
import { getOrMake } from "./getOrMake.ts";
import type { EntryRow, Head, NodeRow, Rows, StopRow, TableName } from "./rows.ts";
import { TABLES } from "./rows.ts";
import { type SumRange, Sums } from "./sums.ts";

/** Rows that are found by something else than their key. What is found arrives as rows of its table. */
export type Selector =
  | { readonly select: "stopsInForce"; readonly now: Millis }
  | { readonly select: "moneyDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "holdsDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "contentsDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "idempotencyDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "claimsDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "sealedDue"; readonly now: Millis; readonly limit: number }
  | { readonly select: "idempotencyAbout"; readonly ref: string }
  | { readonly select: "subject"; readonly subject: string; readonly limit: number }
  | { readonly select: "grantsFor"; readonly agent: string; readonly actionDigest: string; readonly now: Millis }
  | { readonly select: "marksOf"; readonly credential: string; readonly since: Millis };

/** What an adapter is asked to read, under the lock. */
export interface LoadRequest {
  readonly keys: { readonly [T in TableName]?: readonly string[] };
  readonly select: readonly Selector[];
  readonly sums: readonly SumRange[];
}

export interface Loaded {
  readonly rows: RowsByTable;
  readonly sums: readonly SumRow[];
}

/** What an adapter writes in the same transaction. */
export interface Writes {
  readonly head: Head;
  /** Rows that were looked for and not there: under the lock nobody else can have made them since. */
  readonly inserted: RowsByTable;
  /** Rows that replace what is there under their key, if anything is. */
  readonly rows: RowsByTable;
  readonly deleted: { readonly [T in TableName]?: readonly string[] };
  readonly sums: readonly SumRow[];
  /** Sums that have come to nothing: that there was one would confirm a guess of what it counted. */
  readonly sumsGone: readonly Omit<SumRow, "amount">[];
  readonly entries: readonly EntryRow[];
  readonly nodes: readonly NodeRow[];
}

export interface NewEntry {
  readonly kind: string;
  readonly ref: string;
  readonly agent: string | null;
  readonly codes: readonly string[];
  /** Canonical JSON text of an object. */
  readonly body: string;
  /** The subject whose chain this extends. */
  readonly chain?: string | undefined;
}

/** Where time and randomness come from, and the hash. */
export interface Means extends TextHashing {
  readonly random: (bytes: number) => Uint8Array;
  /**
   * 32 bytes that are kept elsewhere than the database: under them lies what an erasure leaves behind, and the names of
   * subjects' chains. `missing` when the database is bound to one that is not here; null when it is bound to none.
   */
  readonly secret: Uint8Array | "missing" | null;
}

/**
 * One group of changes of one tenant while it is judged: rows read under the lock, changed here, and handed back to be
 * written. Nothing is read that was not asked for first (`want`): an absent row is known to be absent.
 */
export class Work {
  readonly tenant: string;
  readonly now: Millis;
  readonly means: Means;
  readonly sums = new Sums();
  /** Counts every change made here, so that a refusal that left a trace is noticed. */
  writes = 0;
  readonly #head: Head;
  readonly #tree: MerkleTree;
  #last: string;
  readonly #known = new Map<TableName, Map<string, Rows[TableName] | null>>();
  readonly #dirty = new Map<TableName, Set<string>>();
  readonly #fresh = new Map<TableName, Set<string>>();
  readonly #at: string;
  readonly #entries: EntryRow[] = [];
  readonly #nodes: NodeRow[] = [];
  readonly #names = new Map<string, string>();
  readonly #asked = new Set<string>();
  #sealed: boolean;
  #wantedKeys = new Map<TableName, Set<string>>();
  #wantedSelects: Selector[] = [];
  #wantedSums: SumRange[] = [];

  constructor(tenant: string, head: Head, now: Millis, means: Means) {
    if (now < head.at) throw new Error("the time of a commit is before that of the log");
    this.tenant = tenant;
    this.now = now;
    this.#at = new Date(now).toISOString();
    this.means = means;
    this.#head = head;
    this.#last = head.last;
    this.#sealed = head.sealed;
    this.#tree = { size: head.size, peaks: [...head.peaks] };
  }

  /** Asks for a row; gives it when it is here already, null when it is known to be absent, undefined when not yet. */
  want<T extends TableName>(table: T, key: string): Rows[T] | null | undefined {
    const known = this.#table(table).get(key);
    if (known !== undefined) return known;
    getOrMake(this.#wantedKeys, table, () => new Set<string>()).add(key);
    return undefined;
  }

  wantSelect(selector: Selector): void {
    if (this.#askedBefore(Object.values(selector).join())) return;
    this.#wantedSelects.push(selector);
  }

  wantSums(ranges: readonly SumRange[]): void {
    for (const range of ranges) {
      if (this.#askedBefore(`${range.series}/${range.shift}/${range.from}/${range.to}`)) continue;
      this.#wantedSums.push(range);
    }
  }

  /** What was wanted since the last call; undefined when nothing was. */
  takeRequest(): LoadRequest | undefined {
    if (this.#wantedKeys.size === 0 && this.#wantedSelects.length === 0 && this.#wantedSums.length === 0)
      return undefined;
    const keys = Object.fromEntries([...this.#wantedKeys].map(([table, wanted]) => [table, [...wanted]]));
    const request: LoadRequest = { keys, select: this.#wantedSelects, sums: this.#wantedSums };
    this.#wantedKeys = new Map();
    this.#wantedSelects = [];
    this.#wantedSums = [];
    return request;
  }

  accept(request: LoadRequest, loaded: Loaded): void {
    for (const [table, keys] of keysOf(request.keys)) {
      const known = this.#table(table);
      for (const key of keys) if (!known.has(key)) known.set(key, null);
    }
    for (const [table, rows] of rowsOf(loaded.rows)) {
      const known = this.#table(table);
      for (const row of rows) {
        const key = keyOf(table, row);
        // What was changed here since is newer than what was read.
        if (!this.#dirty.get(table)?.has(key)) known.set(key, row);
      }
    }
    for (const bucket of loaded.sums) this.sums.load(bucket);
  }

  get<T extends TableName>(table: T, key: string): Rows[T] | null {
    const row = this.#table(table).get(key);
    if (row === undefined) throw new Error(`a row of ${table} is used that was not asked for`);
    return row;
  }

  /** Every row of the table that is here. */
  all<T extends TableName>(table: T): Rows[T][] {
    return [...this.#table(table).values()].filter((row) => row !== null);
  }

  put<T extends TableName>(table: T, row: Rows[T]): void {
    this.#change(table, keyOf(table, row), row);
  }

  remove(table: TableName, key: string): void {
    this.#change(table, key, null);
  }

  stopsInForce(scopes: readonly string[]): StopRow | undefined {
    return this.all("stops").find((stop) => inForce(stop, this.now) && scopes.includes(stop.scope));
  }

  /** A keyed hash that stands for a name in counters and chains. */
  nameHash(name: string): string {
    let hashed = this.#names.get(name);
    if (hashed === undefined) {
      hashed = nameHash(this.#head.nameKey, name, this.means.sha256);
      this.#names.set(name, hashed);
    }
    return hashed;
  }

  /** Whether money of erased decisions still counts. */
  get sealed(): boolean {
    return this.#sealed;
  }

  /** From now on there is such money. */
  seal(): void {
    this.#sealed = true;
    this.writes += 1;
  }

  /** The key of the chain of a subject. */
  chainId(subject: string): string {
    return chainName(this.#head.nameKey, subject, this.means);
  }

  /** Appends one record, which gets the next index. */
  append(entry: NewEntry): Appended & { readonly chain: ChainLink | null } {
    const { kind, ref, agent, codes, body } = entry;
    const chainId = entry.chain === undefined ? null : this.chainId(entry.chain);
    const chain = chainId === null ? null : nextLink(this.get("chains", chainId) ?? undefined, body, this.means.sha256);
    const seq = this.#tree.size;
    const record = recordText({
      tenant: this.tenant,
      seq,
      at: this.#at,
      kind,
      ref,
      agent,
      codes,
      prev: this.#last,
      chain,
      body,
    });
    const leaf = textLeafHash(record, this.means);
    appendLeaf(this.#tree, leaf, this.means.sha256, ({ level, index }, hash) => {
      if (level % KEPT_LEVELS === 0) this.#nodes.push({ level, index, hash });
    });
    this.#last = hex(leaf);
    this.#entries.push({ seq, at: this.now, kind, ref, agent, codes, record, leafHash: leaf, chain: chainId });
    this.writes += 1;
    if (chain !== null && chainId !== null) this.put("chains", { id: chainId, seq: chain.seq, hash: chain.hash });
    return { at: this.now, seq, recordHash: `sha256:${this.#last}`, chain };
  }

  finish(): Writes {
    const inserted = new Map<TableName, Rows[TableName][]>();
    const rows = new Map<TableName, Rows[TableName][]>();
    const deleted = new Map<TableName, string[]>();
    for (const [table, keys] of this.#dirty) {
      for (const key of keys) {
        const row = this.#table(table).get(key) ?? null;
        if (row === null) getOrMake(deleted, table, () => []).push(key);
        else getOrMake(this.#fresh.get(table)?.has(key) ? inserted : rows, table, () => []).push(row);
      }
    }
    const head: Head = {
      ...this.#head,
      size: this.#tree.size,
      at: this.now,
      peaks: this.#tree.peaks,
      last: this.#last,
      sealed: this.#sealed,
    };
    return {
      head,
      inserted: byTable(inserted),
      rows: byTable(rows),
      deleted: Object.fromEntries(deleted),
      sums: this.sums.changed(),
      sumsGone: this.sums.gone(),
      entries: this.#entries,
      nodes: this.#nodes,
    };
  }

  #change(table: TableName, key: string, row: Rows[TableName] | null): void {
    const known = this.#table(table);
    const dirty = getOrMake(this.#dirty, table, () => new Set<string>());
    // Not one that was removed here: the database still has that.
    if (known.get(key) === null && !dirty.has(key)) getOrMake(this.#fresh, table, () => new Set<string>()).add(key);
    known.set(key, row);
    dirty.add(key);
    this.writes += 1;
  }

  #table<T extends TableName>(table: T): Map<string, Rows[T] | null> {
    return getOrMake(this.#known, table, () => new Map()) as Map<string, Rows[T] | null>;
  }

  #askedBefore(question: string): boolean {
    if (this.#asked.has(question)) return true;
    this.#asked.add(question);
    return false;
  }
}

export const inForce = (stop: StopRow, now: Millis): boolean =>
  stop.liftedAt === null && (stop.until === null || stop.until > now);

/** 128 bits of an HMAC: enough that no two names meet, and no name is read back without the key. */
export function nameHash(nameKey: string, name: string, sha256: Sha256): string {
  const key = unhex(nameKey) ?? broken("the name key is not hex");
  return hex(hmacSha256(key, encodeUtf8(name), sha256)).slice(0, 32);
}

/** The key of a chain: a keyed hash of its subject, and where there is a secret outside of the database, under that too. */
export function chainName(
  nameKey: string,
  subject: string,
  { secret, sha256 }: Pick<Means, "secret" | "sha256">,
): string {
  if (secret === "missing") throw new Error("the secret that this database is bound to is not here");
  const inner = nameHash(nameKey, `chain\n${subject}`, sha256);
  return secret === null ? inner : boundChain(inner, secret, sha256);
}

/** The key of a chain that was made before the database was bound to the secret. */
export const boundChain = (inner: string, secret: Uint8Array, sha256: Sha256): string =>
  hex(hmacSha256(secret, encodeUtf8(`chain\n${inner}`), sha256)).slice(0, 32);

/** What the counters of one series and currency are kept under. */
export const seriesName = (series: string, currency: string): string => `sum\n${currency}\n${series}`;

export function keyOf<T extends TableName>(table: T, row: Rows[T]): string {
  return String(row[TABLES[table].key as keyof Rows[T]]);
}

/** Rows of some tables, each typed as its table is. */
export type RowsByTable = { readonly [T in TableName]?: readonly Rows[T][] };

export const rowsOf = (rows: RowsByTable): [TableName, readonly Rows[TableName][]][] =>
  Object.entries(rows) as [TableName, readonly Rows[TableName][]][];

export const keysOf = (keys: { readonly [T in TableName]?: readonly string[] }): [TableName, readonly string[]][] =>
  Object.entries(keys) as [TableName, readonly string[]][];

const byTable = (rows: Map<TableName, Rows[TableName][]>): RowsByTable => Object.fromEntries(rows) as RowsByTable;

function broken(message: string): never {
  throw new Error(message);
}
