import { encodeUtf8 } from "../../json/utf8.ts";
import type { JsonValue } from "../../json/value.ts";
import { decodeBase64, encodeBase64 } from "../../record/base64.ts";
import { formatCheckpoint, openCheckpoint } from "../../record/checkpoint.ts";
import { type LogRecord, parseRecord } from "../../record/logRecord.ts";
import { leafHash, type Sha256, verifyConsistency, verifyInclusion } from "../../record/merkle.ts";
import { consistencyPath, inclusionPath, type ReadNodes, rootAt } from "../../record/merkleProof.ts";
import { type NoteKey, signNote, type VerifyEd25519 } from "../../record/note.ts";
import type { Signer } from "../../record/signer.ts";
import { err, ok, type Result } from "../../result.ts";
import type { StoreError } from "../ledger/refusal.ts";
import type { Log, StoredCheckpoint, TenantId } from "../ports.ts";

/** The key that signs a log's checkpoints, for nothing else, and the log's name. One log a tenant, one name a log. */
export interface LogIdentity {
  readonly key: NoteKey;
  readonly signer: Signer;
}

/** Signs the head of the log as it is now, and keeps that. */
export async function issueCheckpoint(
  tenant: TenantId,
  log: Log,
  { key, signer }: LogIdentity,
  sha256: Sha256,
): Promise<Result<StoredCheckpoint, StoreError>> {
  const head = await log.head(tenant);
  if (!head.ok) return head;
  const { size, root } = head.value;
  const text = formatCheckpoint({ origin: key.name, size: BigInt(size), root, extensions: [] });
  const checkpoint = { size, note: await signNote(text, key, signer, sha256) };
  const kept = await log.putCheckpoint(tenant, checkpoint);
  return kept.ok ? ok(checkpoint) : kept;
}

/** Everything that proves, without asking anyone, that a record is in a log: to be kept beside a receipt. */
export interface ProofBundle {
  readonly format: "countersign-proof-v1";
  /** The record's canonical text. */
  readonly record: string;
  readonly index: number;
  readonly size: number;
  /** Base64, from the leaf up. */
  readonly path: readonly string[];
  /** The signed checkpoint of this size. */
  readonly checkpoint: string;
}

/** Proves one record under a checkpoint of the log as it is now. Null when there is no such record. */
export async function proveRecord(
  tenant: TenantId,
  log: Log,
  index: number,
  identity: LogIdentity,
  sha256: Sha256,
): Promise<Result<ProofBundle | null, StoreError>> {
  const entries = await log.entries(tenant, index, 1);
  if (!entries.ok) return entries;
  const [entry] = entries.value;
  if (entry === undefined || entry.seq !== index) return ok(null);
  const checkpoint = await issueCheckpoint(tenant, log, identity, sha256);
  if (!checkpoint.ok) return checkpoint;
  const { size, note } = checkpoint.value;
  const path = await reading(tenant, log, (read) => inclusionPath(index, size, read, sha256));
  if (!path.ok) return path;
  return ok({
    format: "countersign-proof-v1",
    record: entry.record,
    index,
    size,
    path: path.value.map(encodeBase64),
    checkpoint: note,
  });
}

/** Proves that the log of `from` records is the beginning of the log of `to`. Null when it never had that many. */
export async function proveConsistency(
  tenant: TenantId,
  log: Log,
  from: number,
  to: number,
  sha256: Sha256,
): Promise<
  Result<
    { readonly root1: Uint8Array; readonly root2: Uint8Array; readonly path: readonly Uint8Array[] } | null,
    StoreError
  >
> {
  const head = await log.head(tenant);
  if (!head.ok) return head;
  if (from < 1 || from > to || to > head.value.size) return ok(null);
  return reading(tenant, log, async (read) => ({
    root1: await rootAt(from, read, sha256),
    root2: await rootAt(to, read, sha256),
    path: await consistencyPath(from, to, read, sha256),
  }));
}

export interface BundleError {
  readonly code: "proof.malformed" | "proof.checkpoint" | "proof.not_included" | "proof.not_its_record";
  readonly message: string;
}

/** Checks a bundle with the log's key and nothing else, and gives the record that it proves. */
export function verifyBundle(
  bundle: JsonValue,
  key: NoteKey,
  verify: VerifyEd25519,
  sha256: Sha256,
): Result<LogRecord, BundleError> {
  const read = readBundle(bundle);
  if (read === undefined) return bad("proof.malformed", "this is not a proof bundle");
  const checkpoint = openCheckpoint(read.checkpoint, key, verify, sha256);
  if (!checkpoint.ok || checkpoint.value.size !== BigInt(read.size))
    return bad("proof.checkpoint", "the checkpoint is not signed by this log, or not for this size");
  const leaf = leafHash(encodeUtf8(read.record), sha256);
  const { index, size, path } = read;
  if (!verifyInclusion({ index, size, leaf, root: checkpoint.value.root, path }, sha256))
    return bad("proof.not_included", "the record is not in the log that the checkpoint speaks of");
  const record = parseRecord(read.record);
  if (!record.ok || record.value.seq !== index)
    return bad("proof.not_its_record", "the record says it stands elsewhere");
  return record;
}

/** Whether one signed checkpoint of a log is a beginning of another. */
export function verifyGrowth(
  older: string,
  newer: string,
  path: readonly Uint8Array[],
  key: NoteKey,
  verify: VerifyEd25519,
  sha256: Sha256,
): boolean {
  const [first, second] = [older, newer].map((note) => openCheckpoint(note, key, verify, sha256));
  if (!first?.ok || !second?.ok) return false;
  const [size1, size2] = [Number(first.value.size), Number(second.value.size)];
  return verifyConsistency({ size1, size2, root1: first.value.root, root2: second.value.root, path }, sha256);
}

function readBundle(bundle: JsonValue) {
  if (typeof bundle !== "object" || bundle === null || Array.isArray(bundle)) return undefined;
  const { format, record, index, size, path, checkpoint } = bundle as { readonly [name: string]: JsonValue };
  if (format !== "countersign-proof-v1" || typeof record !== "string" || typeof checkpoint !== "string")
    return undefined;
  if (typeof index !== "number" || typeof size !== "number" || !Number.isSafeInteger(size)) return undefined;
  if (!Array.isArray(path) || path.length > 64) return undefined;
  const hashes = path.map((item) => (typeof item === "string" ? decodeBase64(item) : undefined));
  if (hashes.some((hash) => hash === undefined)) return undefined;
  return { record, checkpoint, index, size, path: hashes as Uint8Array[] };
}

/** Proofs are made by functions that throw when a hash is missing; the store's own errors pass through as values. */
async function reading<T>(
  tenant: TenantId,
  log: Log,
  make: (read: ReadNodes) => Promise<T>,
): Promise<Result<T, StoreError>> {
  let failed: StoreError | undefined;
  const read: ReadNodes = async (level, from, to) => {
    const nodes = await log.nodes(tenant, level, from, to);
    if (nodes.ok) return nodes.value;
    failed = nodes.error;
    return [];
  };
  try {
    return ok(await make(read));
  } catch {
    return err(failed ?? { code: "store.corrupt", message: "hashes of the log are missing" });
  }
}

const bad = (code: BundleError["code"], message: string) => err<BundleError>({ code, message });
