import { type AuditQuestion, tradeFault, writeAudit, writeNoAudit } from "@countersign/api";
import { canonicalize, type JsonObject, parseRecord, verifyChain } from "@countersign/core";
import { type TradeFace, trailOf } from "./ports.ts";

/**
 * Recomputes the newest links of a wallet's chain. That it was not cut off, or rewritten as a whole, is for the log to
 * prove: its records are leaves of the tree.
 */
export async function verifyTrail(
  { store, sha256 }: Pick<TradeFace, "store" | "sha256">,
  tenant: string,
  { wallet, limit }: AuditQuestion,
): Promise<JsonObject> {
  const entries = await store.chain(tenant, trailOf(wallet), limit);
  if (!entries.ok) return writeNoAudit(tradeFault("log_unavailable", "the log could not be read"));
  if (entries.value.length === 0)
    return writeNoAudit(tradeFault("no_records", "there is no verdict about this wallet"), 0);
  const links = [];
  for (const { record } of [...entries.value].reverse()) {
    const read = parseRecord(record);
    const link = read.ok ? read.value.chain : null;
    if (!read.ok || link === null) {
      const { checked, firstBroken } = verifyChain(links, "unanchored", sha256);
      const next = (links.at(-1)?.link.seq ?? 0) + 1;
      return writeAudit(checked, firstBroken ?? next, false);
    }
    links.push({ link, body: canonicalize(read.value.body) });
  }
  const { healthy, checked, firstBroken } = verifyChain(links, "unanchored", sha256);
  return writeAudit(checked, firstBroken ?? null, healthy);
}
