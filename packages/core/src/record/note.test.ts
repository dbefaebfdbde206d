import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../testing.ts";
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import type { Sha256 } from "./merkle.ts";
import { formatNoteKey, type NoteKey, openNote, parseNoteKey, signNote, type VerifyEd25519 } from "./note.ts";
import type { Signer } from "./signer.ts";

const sha256: Sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());

const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  return signature.length === 64 && verify(null, message, key, signature);
};

function newKey(name: string): { key: NoteKey; signer: Signer } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url");
  return {
    key: { name, publicKey: new Uint8Array(raw) },
    signer: { kid: name, sign: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)) },
  };
}

const root = sha256(new Uint8Array([1]));
const checkpoint = { origin: "log.example/t", size: 7n, root, extensions: [] };

describe("a signed checkpoint", () => {
  const { key, signer } = newKey("log.example/t");
  const other = newKey("log.example/t");

  test("opens with the key that signed it, and says what was signed", async () => {
    const note = await signNote(formatCheckpoint(checkpoint), key, signer, sha256);
    expect(openCheckpoint(note, key, verifyEd25519, sha256)).toEqual({ ok: true, value: checkpoint });
  });

  test("does not open with another key of the same name", async () => {
    const note = await signNote(formatCheckpoint(checkpoint), key, signer, sha256);
    expect(openCheckpoint(note, other.key, verifyEd25519, sha256)).toMatchObject({ error: { code: "note.unsigned" } });
  });

  test("of another log is refused, though the key is ours", async () => {
    const text = formatCheckpoint({ ...checkpoint, origin: "log.example/other" });
    const note = await signNote(text, key, signer, sha256);
    expect(openCheckpoint(note, key, verifyEd25519, sha256)).toMatchObject({ error: { code: "checkpoint.other_log" } });
  });

  test("is refused when any one character of it is changed", async () => {
    const note = await signNote(formatCheckpoint(checkpoint), key, signer, sha256);
    fc.assert(
      fc.property(
        fc.nat(note.length - 1),
        fc.constantFrom("A", "b", "0", "9", " ", "\n", "=", "\u2014"),
        (at, char) => {
          fc.pre(note[at] !== char);
          const changed = note.slice(0, at) + char + note.slice(at + 1);
          expect(openCheckpoint(changed, key, verifyEd25519, sha256).ok).toBe(false);
        },
      ),
    );
  });

  test("never throws on text from outside", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(openNote(text, [key], verifyEd25519, sha256).ok).toBe(false);
        parseCheckpoint(text);
        parseNoteKey(text, sha256);
      }),
    );
  });
});

test("a verifier key survives being written and read, and its id is checked", () => {
  const { key } = newKey("log.example/t");
  const text = formatNoteKey(key, sha256);
  expect(parseNoteKey(text, sha256)).toEqual({ ok: true, value: key });
  expect(parseNoteKey(text.replace("log.example", "log.exampla"), sha256).ok).toBe(false);
});

test.each(["", "has space", "has+plus", "a\u00a0b"])("a note is not signed under the name %j", async (name) => {
  const { key, signer } = newKey(name);
  await expect(signNote("text\n", key, signer, sha256)).rejects.toThrow("name of a note key");
});

sharedSuite("conformance/signed-note-checkpoint", (folder) => {
  interface Case {
    id: string;
    class: string;
    note: string;
    body: string;
    vkeys: string[];
    valid: boolean;
    why: string;
  }
  const cases = ["own-notes.jsonl", "third-party-facts.jsonl"].flatMap((file) =>
    readFileSync(`${folder}/${file}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Case),
  );
  // That library takes a root of any length; a root of ours is SHA-256.
  const anyRoot = /any length|valid$|extension line/;

  test.each(cases)("$id $class: $why", (c) => {
    if (c.class === "checkpoint-parse") {
      const lenient = c.id.startsWith("tn-") && c.valid && anyRoot.test(c.why);
      return expect(parseCheckpoint(lenient ? with32Bytes(c.body) : c.body).ok).toBe(c.valid);
    }
    const keys = c.vkeys.map((text) => parseNoteKey(text, sha256));
    const opened = openNote(
      c.note,
      keys.flatMap((key) => (key.ok ? [key.value] : [])),
      verifyEd25519,
      sha256,
    );
    expect(keys.every((key) => key.ok) && opened.ok).toBe(c.valid);
  });

  const with32Bytes = (body: string): string => {
    const [origin, size, , ...rest] = body.split("\n");
    return [origin, size, Buffer.from(root).toString("base64"), ...rest].join("\n");
  };
});
