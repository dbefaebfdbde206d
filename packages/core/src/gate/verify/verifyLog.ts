import { type Checkpoint, openCheckpoint, parseCheckpoint } from "../../record/checkpoint.ts";
import { type Sha256, sameBytes } from "../../record/merkle.ts";
import type { NoteKey, VerifyEd25519 } from "../../record/note.ts";
import type { TextHashing } from "../../record/textHashing.ts";
import { err, ok, type Result } from "../../result.ts";
import type { StoreError } from "../ledger/refusal.ts";
import type { Log, TenantId } from "../ports.ts";
import { MoneyCheck } from "./moneyCheck.ts";
import { type LogProblem, Problems } from "./problem.ts";
import { RecordCheck } from "./recordCheck.ts";

/** How checkpoints are checked: against the log's keys, or by their figures only. */
export type CheckpointTrust =
  /** Every key that has ever signed for this log: a rotation makes no old checkpoint worse. */
  { readonly keys: readonly NoteKey[]; readonly verify: VerifyEd25519 } | "figures-only";

export interface VerifyOptions extends TextHashing {
  readonly trust: CheckpointTrust;
  /** Signed checkpoints that were kept elsewhere. A log that was rewritten or cut off does not agree with them. */
  readonly since: readonly string[];
}

export interface LogVerdict {
  readonly healthy: boolean;
  readonly size: number;
  readonly root: Uint8Array;
  /** The first leaf index that is wrong or can no longer be vouched for; null when there is none. */
  readonly firstBad: number | null;
  /** The first of them. */
  readonly problems: readonly LogProblem[];
  readonly problemCount: number;
}

const pageSize = 1000;

interface Anchor {
  readonly size: number;
  readonly root: Uint8Array;
  readonly kept: "here" | "elsewhere";
}

/**
 * Rebuilds everything from the records and holds it against everything else that is stored, in one snapshot. What a log
 * cannot know of itself, that it was rewritten as a whole or cut off with its head, the checkpoints in `since` know.
 */
export async function verifyLog(
  tenant: TenantId,
  log: Log,
  options: VerifyOptions,
): Promise<Result<LogVerdict, StoreError>> {
  const verified = await log.snapshot(tenant, (snapshot) => verifySnapshot(tenant, snapshot, options));
  if (!verified.ok) return verified;
  return verified.value;
}

async function verifySnapshot(
  tenant: TenantId,
  log: Log,
  { trust, since, ...hashing }: VerifyOptions,
): Promise<Result<LogVerdict, StoreError>> {
  const problems = new Problems();
  const { sha256 } = hashing;
  const records = new RecordCheck(tenant, problems, hashing);
  const money = new MoneyCheck(problems, sha256);
  const head = await log.head(tenant);
  if (!head.ok) return head;
  const stored = await allCheckpoints(tenant, log);
  if (!stored.ok) return stored;
  const anchors = [
    ...readAnchors(stored.value, "here", trust, sha256, problems),
    ...readAnchors(since, "elsewhere", trust, sha256, problems),
  ].sort((a, b) => a.size - b.size);
  // Up to here a checkpoint agreed: what is wrong must lie after it.
  let agreed = 0;
  const meet = (): void => {
    for (let anchor = anchors[0]; anchor !== undefined && anchor.size <= records.tree.size; anchor = anchors[0]) {
      anchors.shift();
      if (anchor.size === records.tree.size && sameBytes(anchor.root, records.root())) agreed = anchor.size;
      else disagree(anchor, agreed, problems);
    }
  };

  meet();
  for (let from = 0; ; ) {
    const page = await log.entries(tenant, from, pageSize);
    if (!page.ok) return page;
    for (const entry of page.value) {
      const { record, nodes } = records.take(entry);
      if (record !== undefined) money.record(record);
      for (const { node, hash } of nodes) {
        const kept = await log.nodes(tenant, node.level, node.index, node.index + 1);
        if (!kept.ok) return kept;
        const [found] = kept.value;
        if (found === undefined || !sameBytes(found, hash))
          problems.add(node.index * 2 ** node.level, "log.node", "a hash above these records is not theirs");
      }
      meet();
    }
    const last = page.value.at(-1);
    if (last === undefined) break;
    from = last.seq + 1;
  }
  const { end } = records;
  if (anchors.length > 0) problems.add(end, "log.cut_off", "a checkpoint speaks of records that are not here");
  if (end < head.value.size) problems.add(end, "log.cut_off", "records at the end of the log are missing");
  if (end > head.value.size)
    problems.add(head.value.size, "log.beyond_head", "there are records after the end of the log");
  const root = records.root();
  if (end === head.value.size && !sameBytes(root, head.value.root))
    problems.add(agreed, "log.root", "the head of the log is not that of its records");

  const counted = await checkMoney(tenant, log, money);
  if (!counted.ok) return counted;
  return ok({
    healthy: problems.count === 0,
    size: records.tree.size,
    root,
    firstBad: problems.first(),
    problems: problems.list,
    problemCount: problems.count,
  });
}

function disagree(anchor: Anchor, agreed: number, problems: Problems): void {
  if (anchor.kept === "elsewhere")
    problems.add(agreed, "log.rewritten", "the log does not agree with a checkpoint that was kept elsewhere");
  else problems.add(agreed, "checkpoint.root", "the log does not agree with a checkpoint that it signed");
}

async function allCheckpoints(tenant: TenantId, log: Log): Promise<Result<string[], StoreError>> {
  const notes: string[] = [];
  let upTo: number | undefined;
  for (;;) {
    const page = await log.checkpoints(tenant, upTo === undefined ? { limit: pageSize } : { upTo, limit: pageSize });
    if (!page.ok) return page;
    notes.push(...page.value.map(({ note }) => note));
    const last = page.value.at(-1);
    if (last === undefined || page.value.length < pageSize) return ok(notes);
    upTo = last.size - 1;
  }
}

function readAnchors(
  notes: readonly string[],
  kept: Anchor["kept"],
  trust: CheckpointTrust,
  sha256: Sha256,
  problems: Problems,
): Anchor[] {
  return notes.flatMap((note) => {
    const read = readCheckpoint(note, trust, sha256);
    if (read.ok && read.value.size <= BigInt(Number.MAX_SAFE_INTEGER))
      return [{ size: Number(read.value.size), root: read.value.root, kept }];
    const unsigned = !read.ok && read.error.code.startsWith("note.");
    if (unsigned) problems.add(null, "checkpoint.signature", "a checkpoint does not carry the signature of this log");
    else problems.add(null, "checkpoint.malformed", "a checkpoint cannot be read");
    return [];
  });
}

function readCheckpoint(note: string, trust: CheckpointTrust, sha256: Sha256): Result<Checkpoint, { code: string }> {
  if (trust !== "figures-only") {
    const opened = trust.keys.map((key) => openCheckpoint(note, key, trust.verify, sha256));
    // Of no key at all: then nobody vouches for it. A known key whose signature does not fit is worse than one unknown.
    return opened.find(({ ok }) => ok) ?? opened[0] ?? err({ code: "note.unsigned" });
  }
  const end = note.indexOf("\n\n");
  return end < 0 ? err({ code: "checkpoint.malformed" }) : parseCheckpoint(note.slice(0, end + 1));
}

async function checkMoney(tenant: TenantId, log: Log, money: MoneyCheck): Promise<Result<void, StoreError>> {
  for (let after: string | null = ""; after !== null; ) {
    const page = await log.money(tenant, after === "" ? { limit: pageSize } : { after, limit: pageSize });
    if (!page.ok) return page;
    for (const row of page.value.items) money.row(row);
    after = page.value.next;
  }
  for (let after: string | null = ""; after !== null; ) {
    const page = await log.sums(tenant, after === "" ? { limit: pageSize } : { after, limit: pageSize });
    if (!page.ok) return page;
    for (const sum of page.value.items) money.sum(sum);
    after = page.value.next;
  }
  money.finish();
  return ok(undefined);
}
