import * as z from "zod/mini";
import { operation, time } from "./operation.ts";
import { decisionId, described } from "./schema.ts";

const index = z.int().check(z.minimum(0));
const size = z.int().check(z.minimum(1));
const hash = described(z.string(), "SHA-256 in base64.");
const note = described(z.string(), "A signed note with the checkpoint, as C2SP tlog-checkpoint has it.");
const key = described(z.string(), "The verifier key of the log, as C2SP signed-note writes it.");

/** Everything that proves one record without asking anyone. */
const bundle = z.strictObject({
  format: z.literal("countersign-proof-v1"),
  record: described(z.string(), "The leaf: canonical JSON."),
  index,
  size,
  path: described(z.array(hash), "From the leaf up."),
  checkpoint: note,
});

export const getCheckpoint = operation(
  {
    name: "get_checkpoint",
    title: "The head of the log",
    description: "Signs the log as it is now. Kept elsewhere, it shows later that nothing was rewritten.",
    needs: ["audit"],
    changes: "nothing",
  },
  ["GET", "/v1/log/checkpoint"],
  z.strictObject({}),
  z.strictObject({ origin: z.string(), size: z.int(), root: hash, checkpoint: note, key }),
);

export const getProof = operation(
  {
    name: "get_proof",
    title: "Prove a record, or that the log has only grown",
    description:
      "With `seq` or `decision`: a bundle that proves this record without asking anyone. With `from`: that the log of so many records is the beginning of the log of `size`, or of now.",
    needs: ["audit"],
    changes: "nothing",
  },
  ["GET", "/v1/log/proof"],
  z.strictObject({
    seq: z.optional(index),
    decision: z.optional(described(decisionId, "The record of this decision.")),
    from: z.optional(size),
    size: z.optional(size),
  }),
  z.strictObject({
    bundle: z.nullable(bundle),
    consistency: z.nullable(
      z.strictObject({
        from: size,
        size,
        from_root: hash,
        root: hash,
        path: z.array(hash),
        checkpoint: z.nullable(note),
      }),
    ),
    key,
  }),
);

export const listEntries = operation(
  {
    name: "list_entries",
    title: "Read the log",
    description: "Records in their order, from an index on.",
    needs: ["audit"],
    changes: "nothing",
  },
  ["GET", "/v1/log/entries"],
  z.strictObject({
    from: z.optional(index),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
  }),
  z.strictObject({
    size: described(z.int(), "Of the whole log."),
    items: z.array(
      z.strictObject({
        seq: index,
        at: time,
        kind: z.string(),
        ref: z.string(),
        agent: z.nullable(z.string()),
        codes: z.array(z.string()),
        record: described(z.string(), "The leaf: canonical JSON, byte for byte."),
        record_hash: z.string(),
      }),
    ),
  }),
);
