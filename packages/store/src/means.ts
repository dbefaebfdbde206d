import { createHash, randomBytes } from "node:crypto";
import type { Means } from "@countersign/core";

/** What the pure ledger is handed by a runtime. */
export const nodeMeans: Means = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  random: (bytes) => randomBytes(bytes),
};
