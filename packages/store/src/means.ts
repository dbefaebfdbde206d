import { hash, randomBytes } from "node:crypto";
import type { Means } from "@countersign/core";

/** What the pure ledger is handed by a runtime. */
export const nodeMeans = (secret: Means["secret"]): Means => ({
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  sha256Text: (text) => hash("sha256", text, "buffer"),
  random: (bytes) => randomBytes(bytes),
  secret,
});
