import { canonicalize } from "../../json/canonical.ts";
import { CHAIN_START, chainHash } from "../../record/hashChain.ts";
import { hex } from "../../record/hex.ts";
import { LOG_START, type LogRecord, parseRecord } from "../../record/logRecord.ts";
import { appendLeaf, emptyTree, type MerkleTree, type NodeId, rootOf, sameBytes } from "../../record/merkle.ts";
import { KEPT_LEVELS } from "../../record/merkleProof.ts";
import { type TextHashing, textLeafHash } from "../../record/textHashing.ts";
import type { LogEntry } from "../ports.ts";
import type { Problems } from "./problem.ts";

/**
 * Rebuilds a log from its records, one after the other: numbers, links, hashes, times, chains and the tree. What the
 * tables say beside the records is compared with what the records say.
 */
export class RecordCheck {
  readonly tree: MerkleTree = emptyTree();
  readonly #tenant: string;
  readonly #means: TextHashing;
  readonly #problems: Problems;
  /** The index after the last entry: more than the tree's size when entries are missing. */
  end = 0;
  #last = LOG_START;
  #at = "";
  /** Ends of the chains so far, by hash. */
  readonly #chains = new Map<string, number>();

  constructor(tenant: string, problems: Problems, means: TextHashing) {
    this.#tenant = tenant;
    this.#problems = problems;
    this.#means = means;
  }

  /** Takes the next entry. Gives its record, when that can be read, and the kept nodes that it completes. */
  take(entry: LogEntry): { record: LogRecord | undefined; nodes: { node: NodeId; hash: Uint8Array }[] } {
    if (entry.seq > this.end) this.#problems.add(this.end, "log.missing", "records are missing here");
    if (entry.seq < this.end) this.#problems.add(entry.seq, "log.repeated", "a record stands here twice");
    this.end = entry.seq + 1;
    const parsed = parseRecord(entry.record);
    const leaf = textLeafHash(entry.record, this.#means);
    if (!sameBytes(leaf, entry.leafHash))
      this.#problems.add(entry.seq, "log.edited", "the record is not the one that its hash was made of");
    if (!parsed.ok) this.#problems.add(entry.seq, "record.malformed", parsed.error.message);
    else this.#compare(parsed.value, entry);
    const nodes: { node: NodeId; hash: Uint8Array }[] = [];
    appendLeaf(this.tree, leaf, this.#means.sha256, (node, hash) => {
      if (node.level % KEPT_LEVELS === 0) nodes.push({ node, hash });
    });
    this.#last = hex(leaf);
    return { record: parsed.ok ? parsed.value : undefined, nodes };
  }

  root(): Uint8Array {
    return rootOf(this.tree, this.#means.sha256);
  }

  #compare(record: LogRecord, entry: LogEntry): void {
    const { seq } = entry;
    if (record.seq !== seq || record.tenant !== this.#tenant) {
      this.#problems.add(seq, "record.misplaced", "the record belongs to another place or another log");
      return;
    }
    // The link vouches for the record before: that one is no longer what it was when this one was written.
    if (record.prev !== this.#last)
      this.#problems.add(Math.max(0, seq - 1), "log.edited", "the record after does not follow this one");
    if (record.at < this.#at)
      this.#problems.add(seq, "log.time", "the time of the record is before that of the one before");
    this.#at = record.at;
    const columns =
      record.at === new Date(entry.at).toISOString() &&
      record.kind === entry.kind &&
      record.ref === entry.ref &&
      record.agent === entry.agent &&
      record.codes.length === entry.codes.length &&
      record.codes.every((code, i) => code === entry.codes[i]);
    if (!columns) this.#problems.add(seq, "record.columns", "the table says something else than the record");
    if (record.chain !== null) this.#follow(record, record.chain);
  }

  #follow(record: LogRecord, { seq, prev, hash }: NonNullable<LogRecord["chain"]>): void {
    const follows = seq === 1 ? prev === CHAIN_START : this.#chains.get(prev) === seq - 1;
    if (!follows || chainHash(seq, prev, canonicalize(record.body), this.#means.sha256) !== hash)
      this.#problems.add(record.seq, "log.chain", "the record does not continue the chain of its subject");
    this.#chains.delete(prev);
    this.#chains.set(hash, seq);
  }
}
