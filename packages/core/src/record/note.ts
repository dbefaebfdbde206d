import { encodeUtf8, loneSurrogateAt } from "../json/utf8.ts";
import { err, ok, type Result } from "../result.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { hex } from "./hex.ts";
import type { Sha256 } from "./merkle.ts";
import type { Signer } from "./signer.ts";

/** Whether this is a signature of these bytes by this Ed25519 key, strictly: canonical encodings and no low-order keys. */
export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** A key that signs notes, as C2SP signed-note names it. */
export interface NoteKey {
  /** Without spaces and plus signs; usually the log's origin. */
  readonly name: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface OpenedNote {
  /** The text that was signed, its last newline included. */
  readonly text: string;
  /** The names of the known keys that signed it, each once. */
  readonly signedBy: readonly string[];
}

export interface NoteError {
  readonly code: "note.malformed" | "note.unsigned" | "note.bad_signature" | "note.bad_key";
  readonly message: string;
}

const ED25519 = 1;
const mostSignatures = 100;
const longest = 1_000_000;
const dash = "\u2014 ";

/** First four bytes of SHA-256 over name, newline, algorithm and key. */
function keyId({ name, publicKey }: NoteKey, sha256: Sha256): Uint8Array {
  const label = encodeUtf8(`${name}\n`);
  const bytes = new Uint8Array(label.length + 1 + publicKey.length);
  bytes.set(label);
  bytes[label.length] = ED25519;
  bytes.set(publicKey, label.length + 1);
  return sha256(bytes).slice(0, 4);
}

/** The verifier key `name+id+key`, to be published and to be kept by whoever will check. */
export function formatNoteKey(key: NoteKey, sha256: Sha256): string {
  const typed = new Uint8Array([ED25519, ...key.publicKey]);
  return `${key.name}+${hex(keyId(key, sha256))}+${encodeBase64(typed)}`;
}

/** Reads a verifier key. Refuses other algorithms, and an id that is not that of this name and key. */
export function parseNoteKey(text: string, sha256: Sha256): Result<NoteKey, NoteError> {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su.exec(text);
  const [, name = "", id = "", encoded = ""] = match ?? [];
  const typed = decodeBase64(encoded);
  if (match === null || !isName(name) || typed?.length !== 33 || typed[0] !== ED25519)
    return bad("note.bad_key", "the verifier key is not an ed25519 key of a signed note");
  const key: NoteKey = { name, publicKey: typed.slice(1) };
  if (hex(keyId(key, sha256)) !== id)
    return bad("note.bad_key", "the id in the verifier key does not belong to its name and key");
  return ok(key);
}

/** Signs a text that ends in a newline. */
export async function signNote(text: string, key: NoteKey, signer: Signer, sha256: Sha256): Promise<string> {
  if (!isName(key.name)) throw new Error("the name of a note key has no space and no plus sign");
  if (!isText(text)) throw new Error("a note ends in a newline and has no control characters");
  const signature = await signer.sign(encodeUtf8(text));
  const id = keyId(key, sha256);
  const bytes = new Uint8Array(id.length + signature.length);
  bytes.set(id);
  bytes.set(signature, id.length);
  return `${text}\n${dash}${key.name} ${encodeBase64(bytes)}\n`;
}

/**
 * Opens a note with the keys one trusts. Signatures of other keys are passed over; one of a known key that does not
 * verify spoils the note, and so does having none of a known key.
 */
export function openNote(
  note: string,
  keys: readonly NoteKey[],
  verify: VerifyEd25519,
  sha256: Sha256,
): Result<OpenedNote, NoteError> {
  const parts = splitNote(note);
  if (parts === undefined) return bad("note.malformed", "the note has no text, blank line and signatures");
  const known = new Map(keys.map((key) => [`${key.name} ${hex(keyId(key, sha256))}`, key]));
  const message = encodeUtf8(parts.text);
  const signedBy: string[] = [];
  const seen = new Set<string>();
  for (const line of parts.signatures) {
    const signature = parseSignature(line);
    if (signature === undefined) return bad("note.malformed", "a signature line of the note is malformed");
    const label = `${signature.name} ${hex(signature.id)}`;
    const key = known.get(label);
    if (key === undefined || seen.has(label)) continue;
    seen.add(label);
    if (!verify(key.publicKey, message, signature.bytes))
      return bad("note.bad_signature", "a signature of a known key does not fit the note");
    if (!signedBy.includes(key.name)) signedBy.push(key.name);
  }
  if (signedBy.length === 0) return bad("note.unsigned", "no known key signed the note");
  return ok({ text: parts.text, signedBy });
}

function splitNote(note: string): { text: string; signatures: readonly string[] } | undefined {
  const gap = note.lastIndexOf("\n\n");
  if (gap < 0 || note.length > longest || !isText(note)) return undefined;
  const signatures = note.slice(gap + 2, -1).split("\n");
  if (note.length === gap + 2 || signatures.length > mostSignatures) return undefined;
  return { text: note.slice(0, gap + 1), signatures };
}

function parseSignature(line: string): { name: string; id: Uint8Array; bytes: Uint8Array } | undefined {
  if (!line.startsWith(dash)) return undefined;
  const [name = "", encoded = "", ...more] = line.slice(dash.length).split(" ");
  const bytes = decodeBase64(encoded);
  if (more.length > 0 || !isName(name) || bytes === undefined || bytes.length < 5) return undefined;
  return { name, id: bytes.slice(0, 4), bytes: bytes.slice(4) };
}

const isName = (name: string): boolean => name !== "" && !/[\s+\p{White_Space}]/u.test(name);

const isText = (text: string): boolean =>
  text.endsWith("\n") && !/[\u0000-\u0009\u000b-\u001f]/.test(text) && loneSurrogateAt(text) < 0;

const bad = (code: NoteError["code"], message: string) => err<NoteError>({ code, message });
