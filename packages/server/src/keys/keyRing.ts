import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { dirname, join } from "node:path";
import type { DatedPublicKey } from "@countersign/api";
import {
  decodeBase64url,
  encodeBase64url,
  err,
  type JsonValue,
  ok,
  parseJson,
  type Result,
  type Signer,
} from "@countersign/core";
import type { KeyError } from "./keyError.ts";
import { createNodeSigner, keyId, publicBytes } from "./nodeSigner.ts";
import { readPrivateFile, writePrivateFile } from "./privateFile.ts";
import { judgeKeyFolder } from "./privateFolder.ts";

/** What a key is for. No key is for two things: what one signs must not be readable as what another would have said. */
export const KEY_PURPOSES = ["receipts", "advice", "checkpoints", "webhooks", "mandate", "review"] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/**
 * How long a retired key stays published: longer than anything it signed can be valid, clocks that differ included.
 * What a checkpoint or webhook key signed is verified at any later time, so those stay.
 */
const KEPT_MS: Readonly<Record<KeyPurpose, number>> = {
  receipts: 24 * 3_600_000,
  advice: 24 * 3_600_000,
  mandate: 24 * 3_600_000,
  checkpoints: Number.POSITIVE_INFINITY,
  webhooks: Number.POSITIVE_INFINITY,
  review: 3_600_000,
};

/** The keys of one purpose: one that signs, perhaps one that will, and those whose signatures are still verified. */
export interface KeyRing {
  readonly purpose: KeyPurpose;
  /** Of the newest key in force. Ask at each signature, so that a rotation takes effect at its time. */
  signer(now: Date): Result<Signer, KeyError>;
  /** What verifiers may see, the key to come included: they know it before it signs. */
  published(now: Date): readonly DatedPublicKey[];
}

interface Entry {
  readonly kid: string;
  readonly bytes: Uint8Array;
  /** Undefined once retired. */
  readonly secret: KeyObject | undefined;
  readonly notBefore: number;
  readonly notAfter: number | null;
}

const fileOf = (folder: string, purpose: KeyPurpose): string => join(folder, `${purpose}.json`);

/** Reads the keys of a purpose; makes the first one where there is none. Fails with a `keys.*` code. */
export async function openKeyRing(folder: string, purpose: KeyPurpose, now: Date): Promise<Result<KeyRing, KeyError>> {
  const path = fileOf(folder, purpose);
  const entries = await readEntries(path, purpose);
  if (!entries.ok) return entries;
  if (entries.value !== null) return ok(ringOf(path, purpose, entries.value));
  const first = [newEntry(purpose, now.getTime())];
  const written = await writePrivateFile(path, textOf(purpose, first), "create");
  if (written.ok) return ok(ringOf(path, purpose, first));
  // Another process made it in the meantime; its key is the key.
  return written.error.code === "keys.changed" ? openKeyRing(folder, purpose, now) : written;
}

/**
 * Adds a key that signs from `now` plus `leadMs` on and is published at once; until then the present one signs, and it
 * stays published afterwards for as long as its signatures may be verified. A retired key's private half is forgotten.
 * One rotation at a time: two at once would lose a key, so the command that rotates is the only writer.
 */
export async function rotateKeyRing(
  folder: string,
  purpose: KeyPurpose,
  now: Date,
  leadMs: number,
): Promise<Result<KeyRing, KeyError>> {
  const path = fileOf(folder, purpose);
  const read = await readEntries(path, purpose);
  if (!read.ok) return read;
  const start = now.getTime() + leadMs;
  const before = (read.value ?? []).filter((entry) => isPublished(entry, purpose, now.getTime()));
  const kept = before.map((entry): Entry => {
    const notAfter = Math.min(entry.notAfter ?? start, start);
    return { ...entry, notAfter, secret: notAfter <= now.getTime() ? undefined : entry.secret };
  });
  const entries = [...kept, newEntry(purpose, start)];
  const written = await writePrivateFile(path, textOf(purpose, entries), "replace");
  return written.ok ? ok(ringOf(path, purpose, entries)) : written;
}

function ringOf(path: string, purpose: KeyPurpose, entries: readonly Entry[]): KeyRing {
  const signers = new Map(
    entries.flatMap(({ kid, secret }) => (secret === undefined ? [] : [[kid, createNodeSigner(kid, secret)] as const])),
  );
  return {
    purpose,
    signer(now) {
      const time = now.getTime();
      const inForce = entries.filter(({ notBefore, notAfter }) => notBefore <= time && time < (notAfter ?? Infinity));
      const newest = inForce.sort((a, b) => b.notBefore - a.notBefore)[0];
      const signer = newest === undefined ? undefined : signers.get(newest.kid);
      if (signer !== undefined) return ok(signer);
      return err({
        code: "keys.none_in_force",
        message: `no ${purpose} key is in force at this time; rotate to make one`,
        path,
      });
    },
    published: (now) =>
      entries
        .filter((entry) => isPublished(entry, purpose, now.getTime()))
        .map(({ kid, bytes, notBefore, notAfter }) => ({
          kid,
          bytes,
          notBefore: new Date(notBefore).toISOString(),
          notAfter: notAfter === null ? null : new Date(notAfter).toISOString(),
        })),
  };
}

const isPublished = ({ notAfter }: Entry, purpose: KeyPurpose, now: number): boolean =>
  notAfter === null || now < notAfter + KEPT_MS[purpose];

function newEntry(purpose: KeyPurpose, notBefore: number): Entry {
  const { privateKey } = generateKeyPairSync("ed25519");
  return {
    kid: keyId(purpose, privateKey),
    bytes: publicBytes(privateKey),
    secret: privateKey,
    notBefore,
    notAfter: null,
  };
}

const FORMAT = "countersign-keys-v1";

function textOf(purpose: KeyPurpose, entries: readonly Entry[]): string {
  const keys = entries.map(({ kid, bytes, secret, notBefore, notAfter }) => ({
    kid,
    public_key: encodeBase64url(bytes),
    private_key: secret?.export({ format: "jwk" }).d ?? null,
    not_before: new Date(notBefore).toISOString(),
    not_after: notAfter === null ? null : new Date(notAfter).toISOString(),
  }));
  return `${JSON.stringify({ format: FORMAT, purpose, keys }, null, 2)}\n`;
}

async function readEntries(path: string, purpose: KeyPurpose): Promise<Result<readonly Entry[] | null, KeyError>> {
  const loose = await judgeKeyFolder(dirname(path));
  if (loose !== null) return err(loose);
  const text = await readPrivateFile(path);
  if (!text.ok || text.value === null) return text as Result<null, KeyError>;
  const parsed = parseJson(text.value, { bytes: 1 << 20, depth: 4 }, "plain");
  const entries = parsed.ok ? entriesOf(parsed.value, purpose) : undefined;
  if (entries !== undefined) return ok(entries);
  const message = `the key file is not one for ${purpose}; put back a copy of it, or move it away to start with a new key`;
  return err({ code: "keys.malformed", message, path, expected: FORMAT });
}

/** Undefined for anything but what `textOf` writes for this purpose. */
function entriesOf(value: JsonValue, purpose: KeyPurpose): readonly Entry[] | undefined {
  const file = membersOf(value, ["format", "purpose", "keys"]);
  const list = file?.["keys"];
  if (file?.["format"] !== FORMAT || file["purpose"] !== purpose || !Array.isArray(list) || list.length === 0) return;
  const entries: Entry[] = [];
  for (const item of list as readonly JsonValue[]) {
    const entry = entryOf(item, purpose);
    if (entry === undefined || entries.some(({ kid }) => kid === entry.kid)) return;
    entries.push(entry);
  }
  return entries;
}

function entryOf(value: JsonValue, purpose: KeyPurpose): Entry | undefined {
  const key = membersOf(value, ["kid", "public_key", "private_key", "not_before", "not_after"]);
  if (key === undefined) return;
  const { kid, public_key: publicKey, private_key: privateKey } = key;
  const notBefore = timeOf(key["not_before"]);
  const notAfter = key["not_after"] === null ? null : timeOf(key["not_after"]);
  if (typeof kid !== "string" || typeof publicKey !== "string" || notBefore === undefined || notAfter === undefined)
    return;
  const bytes = decodeBase64url(publicKey);
  if (bytes?.length !== 32) return;
  if (privateKey === null) return { kid, bytes, secret: undefined, notBefore, notAfter };
  if (typeof privateKey !== "string" || decodeBase64url(privateKey)?.length !== 32) return;
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey, d: privateKey };
  const secret = createPrivateKey({ key: jwk, format: "jwk" });
  // The halves are read apart by the platform: a file in which they do not fit would sign what nobody can verify.
  const fits = encodeBase64url(publicBytes(secret)) === publicKey && keyId(purpose, secret) === kid;
  return fits ? { kid, bytes, secret, notBefore, notAfter } : undefined;
}

function membersOf(value: JsonValue, names: readonly string[]): Readonly<Record<string, JsonValue>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const keys = Object.keys(value);
  return keys.length === names.length && names.every((name) => Object.hasOwn(value, name))
    ? (value as Readonly<Record<string, JsonValue>>)
    : undefined;
}

/** Milliseconds of a time as `toISOString` writes it, and of no other spelling. */
function timeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string") return;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value ? time : undefined;
}
