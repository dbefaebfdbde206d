import {
  getCheckpoint,
  getProof,
  type InputOf,
  listEntries,
  type Problem,
  problemOf,
  problemOfFault,
} from "@countersign/api";
import {
  err,
  formatInstant,
  formatNoteKey,
  hex,
  instantFromMillis,
  issueCheckpoint,
  type JsonObject,
  type Log,
  type LogIdentity,
  ok,
  proveConsistency,
  proveRecord,
  type Result,
  type Sha256,
  type StoredCheckpoint,
  type StoreError,
} from "@countersign/core";
import type { Caller } from "../caller.ts";
import { handler, service } from "../face/service.ts";

export interface LogFace {
  readonly store: Log;
  /** The name and key of a tenant's log now. */
  readonly identity: (tenant: string) => LogIdentity;
  readonly sha256: Sha256;
}

/** Names a tenant's log for all its life: the gate's name as it is, without a scheme. */
export const logOrigin = (issuer: string, tenant: string): string =>
  `${issuer
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")
    .replace(/[\s+]/g, "-")}/log/${tenant}`;

const MOST_ENTRIES = 500;
const ENTRIES = 100;

/** The log, for whoever checks it. */
export const logService = (face: LogFace) =>
  service("log", [
    handler(getCheckpoint, async (_, { tenant }) => {
      const head = await checkpoint(face, tenant);
      if (!head.ok) return err(problemOfFault(head.error));
      const { size, note } = head.value;
      const [origin = "", , root = ""] = note.split("\n");
      return ok({ origin, size, root, checkpoint: note, key: keyOf(face, tenant) });
    }),
    handler(getProof, (input, caller) => prove(face, input, caller)),
    handler(listEntries, async ({ from = 0, limit = ENTRIES }, { tenant }) => {
      const head = await face.store.head(tenant);
      if (!head.ok) return err(problemOfFault(head.error));
      const entries = await face.store.entries(tenant, from, Math.min(limit, MOST_ENTRIES));
      if (!entries.ok) return err(problemOfFault(entries.error));
      const items = entries.value.map(({ seq, at, kind, ref, agent, codes, record, leafHash }) => ({
        seq,
        at: formatInstant(instantFromMillis(at)),
        kind,
        ref,
        agent,
        codes,
        record,
        record_hash: `sha256:${hex(leafHash)}`,
      }));
      return ok({ size: head.value.size, items });
    }),
  ]);

const encodeBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const keyOf = ({ identity, sha256 }: LogFace, tenant: string): string => formatNoteKey(identity(tenant).key, sha256);

/** The signed head. A log that has not grown is not signed again, unless its key has changed. */
export async function checkpoint(
  { store, identity, sha256 }: LogFace,
  tenant: string,
): Promise<Result<StoredCheckpoint, StoreError>> {
  const own = identity(tenant);
  const head = await store.head(tenant);
  if (!head.ok) return head;
  const last = await store.checkpoints(tenant, { limit: 1 });
  if (!last.ok) return last;
  const [kept] = last.value;
  const signedBy = formatNoteKey(own.key, sha256).split("+")[1] as string;
  if (kept?.size === head.value.size && signaturesOf(kept.note).includes(signedBy)) return ok(kept);
  return issueCheckpoint(tenant, store, own, sha256);
}

/** The ids of the keys that signed a note: the first four bytes of each signature, in hex. */
const signaturesOf = (note: string): readonly string[] =>
  [...note.matchAll(/^\u2014 \S+ ([A-Za-z0-9+/=]+)$/gmu)].map(([, encoded = ""]) =>
    Buffer.from(encoded, "base64").subarray(0, 4).toString("hex"),
  );

async function prove(
  face: LogFace,
  { seq, decision, from, size }: InputOf<typeof getProof>,
  { tenant }: Caller,
): Promise<Result<JsonObject, Problem>> {
  const named = [seq, decision, from].filter((one) => one !== undefined).length;
  if (named !== 1 || (size !== undefined && from === undefined))
    return err(
      problemOf({
        code: "request.invalid",
        message: "one thing is proven at a time",
        expected: "seq, or decision, or from with or without size",
      }),
    );
  if (from !== undefined) return growth(face, tenant, from, size);
  const index = decision === undefined ? ok(seq ?? 0) : await indexOf(face.store, tenant, decision);
  if (!index.ok) return index;
  const bundle = await proveRecord(tenant, face.store, index.value, face.identity(tenant), face.sha256);
  if (!bundle.ok) return err(problemOfFault(bundle.error));
  if (bundle.value === null) return err(problemOf("log.unknown"));
  return ok({ bundle: { ...bundle.value }, consistency: null, key: keyOf(face, tenant) });
}

async function indexOf(log: Log, tenant: string, decision: string): Promise<Result<number, Problem>> {
  const entries = await log.entriesAbout(tenant, decision);
  if (!entries.ok) return err(problemOfFault(entries.error));
  const found = entries.value.find(({ kind }) => kind === "decide");
  return found === undefined ? err(problemOf("decision.unknown")) : ok(found.seq);
}

async function growth(
  face: LogFace,
  tenant: string,
  from: number,
  to: number | undefined,
): Promise<Result<JsonObject, Problem>> {
  const signed = to === undefined ? await checkpoint(face, tenant) : null;
  if (signed !== null && !signed.ok) return err(problemOfFault(signed.error));
  const size = to ?? signed?.value.size ?? 0;
  const proof = await proveConsistency(tenant, face.store, from, size, face.sha256);
  if (!proof.ok) return err(problemOfFault(proof.error));
  if (proof.value === null) return err(problemOf("log.unknown"));
  const { root1, root2, path } = proof.value;
  return ok({
    bundle: null,
    consistency: {
      from,
      size,
      from_root: encodeBase64(root1),
      root: encodeBase64(root2),
      path: path.map(encodeBase64),
      checkpoint: signed?.value.note ?? null,
    },
    key: keyOf(face, tenant),
  });
}
