import { verify as verifySignature } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isStrictKey, isStrictSignature } from "@countersign/api";
import { type LogIdentity, type NoteKey, parseNoteKey, type VerifyEd25519 } from "@countersign/core";
import { logOrigin, openKeyRing } from "@countersign/server";
import { CommandError } from "./exit.ts";
import { keyFolder, refuseKeys } from "./keyFolder.ts";
import { sha256 } from "./localGate.ts";

export interface LogKeyOptions {
  readonly home: string;
  readonly issuer: string;
  readonly tenant: string;
  /** Verifier keys that were kept, as C2SP signed-note writes them. */
  readonly logKey?: readonly string[];
}

/** Strict, as everywhere: canonical encodings, and no key under which a signature says nothing. */
export const verifyEd25519: VerifyEd25519 = (key, message, signature) =>
  isStrictKey(key) &&
  isStrictSignature(signature) &&
  verifySignature(
    null,
    message,
    { key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") }, format: "jwk" },
    signature,
  );

/** The keys that may have signed for a log: those that were kept elsewhere, else those of this home. Empty when there are none. */
export async function logKeys(options: LogKeyOptions): Promise<readonly NoteKey[]> {
  if (options.logKey !== undefined) return options.logKey.map(readKey);
  if (!existsSync(join(keyFolder(options.home), "checkpoints.json"))) return [];
  const ring = await openKeyRing(keyFolder(options.home), "checkpoints", new Date());
  if (!ring.ok) return refuseKeys(ring.error);
  const name = logOrigin(options.issuer, options.tenant);
  return ring.value.published(new Date()).map(({ bytes }) => ({ name, publicKey: bytes }));
}

function readKey(text: string): NoteKey {
  const key = parseNoteKey(text, sha256);
  if (key.ok) return key.value;
  throw new CommandError(key.error.code, key.error.message, { at: "--log-key" });
}

/** The name of a log, with the key that signs for it now. */
export async function logIdentity({ home, issuer, tenant }: LogKeyOptions): Promise<LogIdentity> {
  const ring = await openKeyRing(keyFolder(home), "checkpoints", new Date());
  if (!ring.ok) return refuseKeys(ring.error);
  const signer = ring.value.signer(new Date());
  if (!signer.ok) return refuseKeys(signer.error);
  const key = ring.value.published(new Date()).find(({ kid }) => kid === signer.value.kid);
  if (key === undefined) throw new Error("the key that signs is not published");
  return { key: { name: logOrigin(issuer, tenant), publicKey: key.bytes }, signer: signer.value };
}
