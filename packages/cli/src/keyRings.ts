import { type DatedPublicKey, writeJwks, writeMandateKeys } from "@countersign/api";
import type { Signer } from "@countersign/core";
import { type KeyDocuments, type KeyPurpose, type KeyRing, type Logger, openKeyRing } from "@countersign/server";
import { keyFolder, refuseKeys } from "./keyFolder.ts";

/** What a running gate signs with. */
const PURPOSES = [
  "receipts",
  "advice",
  "mandate",
  "checkpoints",
  "webhooks",
  "review",
] as const satisfies readonly KeyPurpose[];
type Purpose = (typeof PURPOSES)[number];

/** A rotation by another process is published long before it signs; this is soon enough to publish it here too. */
const REREAD_MS = 15_000;

export interface KeyRings {
  readonly documents: KeyDocuments;
  signer(purpose: Purpose): Signer;
  /** What verifiers may see of a purpose now. */
  published(purpose: Purpose): readonly DatedPublicKey[];
  close(): void;
}

/** The gate's signing keys, made where there are none, and read again while it runs. */
export async function openKeyRings(home: string, logger: Logger): Promise<KeyRings> {
  const folder = keyFolder(home);
  const rings = new Map<Purpose, KeyRing>();
  for (const purpose of PURPOSES) {
    const ring = await openKeyRing(folder, purpose, new Date());
    if (!ring.ok) return refuseKeys(ring.error);
    rings.set(purpose, ring.value);
  }
  const ringOf = (purpose: Purpose): KeyRing => {
    const ring = rings.get(purpose);
    if (ring === undefined) throw new Error(`there is no ring for ${purpose}`);
    return ring;
  };
  const timer = setInterval(async () => {
    for (const purpose of PURPOSES) {
      const ring = await openKeyRing(folder, purpose, new Date());
      // The keys in memory stay good; a file that was damaged shows in the log until it is put right.
      if (ring.ok) rings.set(purpose, ring.value);
      else logger.error({ code: ring.error.code, purpose }, "the key file cannot be read");
    }
  }, REREAD_MS);
  timer.unref();
  const published = (purpose: Purpose): readonly DatedPublicKey[] => ringOf(purpose).published(new Date());
  return {
    documents: {
      jwks: () => writeJwks(published("receipts")),
      adviceJwks: () => writeJwks(published("advice")),
      mandateKeys: () => writeMandateKeys(published("mandate")),
    },
    signer(purpose) {
      const signer = ringOf(purpose).signer(new Date());
      if (!signer.ok) throw new Error(signer.error.code);
      return signer.value;
    },
    published,
    close: () => clearInterval(timer),
  };
}
