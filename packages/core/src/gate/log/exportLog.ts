import { parseJson } from "../../json/parseJson.ts";
import { isObject, type JsonObject } from "../../json/value.ts";
import { hex } from "../../record/hex.ts";
import { type LogRecord, parseRecord } from "../../record/logRecord.ts";
import { ok, type Result } from "../../result.ts";
import { outcomeRef } from "../ledger/contents.ts";
import type { StoreError } from "../ledger/refusal.ts";
import type { Decisions, KeptContent, Log, LogEntry, Policies, PolicyVersion, TenantId } from "../ports.ts";

/** One line of an export: the record as it is in the tree, and what is still kept beside it. */
export interface ExportedEntry {
  readonly seq: number;
  readonly leaf_hash: string;
  /** The canonical text, byte for byte. */
  readonly record: string;
  /** Fields and salts as they are kept; null when nothing was, or it was erased. */
  readonly content: { readonly fields: string; readonly salts: string } | null;
}

/** Entries from `from` on, oldest first, each with its content. Ask on from the last `seq` until the list is empty. */
export async function exportLog(
  tenant: TenantId,
  store: Log & Pick<Decisions, "content">,
  from: number,
  limit: number,
): Promise<Result<readonly ExportedEntry[], StoreError>> {
  const entries = await store.entries(tenant, from, limit);
  if (!entries.ok) return entries;
  const exported: ExportedEntry[] = [];
  for (const entry of entries.value) {
    const content = await contentOf(tenant, store, entry);
    if (!content.ok) return content;
    exported.push({
      seq: entry.seq,
      leaf_hash: `sha256:${hex(entry.leafHash)}`,
      record: entry.record,
      content: content.value,
    });
  }
  return ok(exported);
}

async function contentOf(
  tenant: TenantId,
  store: Pick<Decisions, "content">,
  { kind, ref }: LogEntry,
): Promise<Result<ExportedEntry["content"], StoreError>> {
  // What is kept belongs to the record that made it, not to those that speak of it later.
  if (kind !== "decide" && kind !== "outcome" && !kind.startsWith("advice")) return ok(null);
  const kept = await store.content(tenant, kind === "outcome" ? outcomeRef(ref) : ref);
  if (!kept.ok || kept.value === null) return kept.ok ? ok(null) : kept;
  const { fields, salts } = kept.value;
  return ok({ fields, salts });
}

/** What is needed to decide a kept decision again: what was asked, the facts, and the policies in force. */
export interface ReplayData {
  readonly record: LogRecord;
  /** The kept fields, read as JSON: `action`, `material`, `facts`, whatever the gate kept. */
  readonly content: JsonObject;
  /** The documents the decision names by digest, those that are still there. */
  readonly policies: readonly PolicyVersion[];
}

export type ReplayRefusal = {
  readonly code: "replay.unknown" | "replay.not_kept" | "replay.redacted";
  readonly message: string;
};

export async function replayData(
  tenant: TenantId,
  store: Log & Decisions & Policies,
  decision: string,
): Promise<Result<ReplayData | ReplayRefusal, StoreError>> {
  const entries = await store.entriesAbout(tenant, decision);
  if (!entries.ok) return entries;
  const entry = entries.value.find(({ kind }) => kind === "decide");
  const record = entry === undefined ? undefined : parseRecord(entry.record);
  if (!record?.ok) return ok({ code: "replay.unknown", message: "there is no such decision" });
  const kept = await store.content(tenant, decision);
  if (!kept.ok) return kept;
  const content = kept.value === null ? undefined : parseJson(kept.value.fields, limits, "plain");
  if (!content?.ok) return ok({ code: "replay.not_kept", message: "what the decision was made from is not kept" });
  if (isRedacted(kept.value))
    return ok({ code: "replay.redacted", message: "what is kept is not all of what the decision was made from" });
  const policies: PolicyVersion[] = [];
  for (const digest of policyDigests(record.value)) {
    const version = await store.policyByDigest(tenant, digest);
    if (!version.ok) return version;
    if (version.value !== null) policies.push(version.value);
  }
  return ok({ record: record.value, content: content.value as JsonObject, policies });
}

/** Whether something of the kept fields is gone: those have no salt any more. */
export function isRedacted(kept: Pick<KeptContent, "fields" | "salts"> | null): boolean {
  const names = (text: string): readonly string[] => {
    const read = parseJson(text, limits, "plain");
    return read.ok && isObject(read.value) ? Object.keys(read.value) : [];
  };
  return kept !== null && names(kept.fields).length > names(kept.salts).length;
}

const limits = { bytes: 16 << 20, depth: 256 };

/** The digests of the effective policy and of its parts, as the record names them. */
function policyDigests({ body }: LogRecord): string[] {
  const decision = body["decision"] as JsonObject | undefined;
  const parts = decision?.["policy_parts"];
  const named = [
    decision?.["policy"],
    ...(Array.isArray(parts) ? parts.map((part) => (part as JsonObject)?.["digest"]) : []),
  ];
  return [...new Set(named.filter((digest) => typeof digest === "string"))];
}
