import { generateKeyPairSync, verify } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ed25519Key, readJwks, writeJwks, writeMandateKeys } from "@countersign/api";
import { encodeBase64url } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY_PURPOSES, type KeyRing, openKeyRing, rotateKeyRing } from "./keyRing.ts";
import { createNodeSigner } from "./nodeSigner.ts";

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "countersign-keys-")), "keys");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

const T = (hours: number): Date => new Date(1_800_000_000_000 + hours * 3_600_000);
const HOUR = 3_600_000;

async function opened(purpose: (typeof KEY_PURPOSES)[number] = "receipts", now = T(0)): Promise<KeyRing> {
  const ring = await openKeyRing(folder, purpose, now);
  if (!ring.ok) throw new Error(ring.error.code);
  return ring.value;
}

const kidAt = (ring: KeyRing, now: Date): string => {
  const signer = ring.signer(now);
  return signer.ok ? signer.value.kid : signer.error.code;
};
const publishedAt = (ring: KeyRing, now: Date): string[] => ring.published(now).map(({ kid }) => kid);

describe("the keys of a purpose", () => {
  test("are made once, kept for their owner alone, and found again", async () => {
    const first = await opened();
    const again = await opened("receipts", T(1));
    expect(kidAt(again, T(1))).toBe(kidAt(first, T(0)));
    expect((await stat(join(folder, "receipts.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(["receipts.json"]);
  });

  test("are another one for each purpose", async () => {
    const kids = await Promise.all(KEY_PURPOSES.map(async (purpose) => kidAt(await opened(purpose), T(0))));
    expect(new Set(kids).size).toBe(KEY_PURPOSES.length);
  });

  test("are one key when many processes start at once", async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => opened()));
    expect(new Set(rings.map((ring) => kidAt(ring, T(0)))).size).toBe(1);
  });

  test("sign what the published list verifies", async () => {
    const ring = await opened();
    const signer = ring.signer(T(0));
    const keys = readJwks(writeJwks(ring.published(T(0))));
    if (!signer.ok || !keys.ok) throw new Error("no key");
    const bytes = Uint8Array.of(1, 2, 3);
    const signature = await signer.value.sign(bytes);
    expect(signature).toHaveLength(64);
    expect(await keys.value.get(signer.value.kid)?.verify(bytes, signature)).toBe(true);
  });

  test("are listed for the mandate dialect with their times", async () => {
    const ring = await opened("mandate");
    const [key] = ring.published(T(0));
    expect(writeMandateKeys(ring.published(T(0)))).toEqual({
      keys: [
        {
          kid: key?.kid,
          algorithm: "Ed25519",
          public_key: encodeBase64url(key?.bytes ?? new Uint8Array()),
          not_before: "2027-01-15T08:00:00.000Z",
          not_after: null,
        },
      ],
    });
    expect(ed25519Key(key?.bytes ?? new Uint8Array())).toBeDefined();
  });
});

describe("a rotation", () => {
  test("publishes the next key before it signs, and the last one as long as its signatures count", async () => {
    const old = kidAt(await opened(), T(0));
    const rotated = await rotateKeyRing(folder, "receipts", T(1), HOUR);
    if (!rotated.ok) throw new Error(rotated.error.code);
    for (const ring of [rotated.value, await opened("receipts", T(1))]) {
      const next = kidAt(ring, T(2));
      expect(next).not.toBe(old);
      expect(kidAt(ring, T(1.99))).toBe(old);
      expect(publishedAt(ring, T(1))).toEqual([old, next]);
      expect(publishedAt(ring, T(25.99))).toEqual([old, next]);
      expect(publishedAt(ring, T(26))).toEqual([next]);
    }
  });

  test("forgets the private half of a key that signs no more", async () => {
    await opened();
    await rotateKeyRing(folder, "receipts", T(1), 0);
    const { keys } = JSON.parse(await readFile(join(folder, "receipts.json"), "utf8"));
    expect(keys.map((key: { private_key: string | null }) => key.private_key === null)).toEqual([true, false]);
  });

  test("keeps every key of checkpoints, which are verified at any later time", async () => {
    const old = kidAt(await opened("checkpoints"), T(0));
    const rotated = await rotateKeyRing(folder, "checkpoints", T(1), 0);
    expect(rotated.ok && publishedAt(rotated.value, T(1_000_000))).toContain(old);
  });

  test("makes a key where none is in force, and until then nothing signs", async () => {
    const ring = await opened("receipts", T(0));
    expect(kidAt(ring, T(-1))).toBe("keys.none_in_force");
  });
});

describe("a key file is refused", () => {
  const codeOf = async () => {
    const ring = await openKeyRing(folder, "receipts", T(0));
    return ring.ok ? "ok" : ring.error.code;
  };
  const file = () => join(folder, "receipts.json");

  test.each([0o640, 0o604, 0o660, 0o644])(
    "when others may touch it (mode %o), and the message says what to do",
    async (mode) => {
      await opened();
      await chmod(file(), mode);
      const ring = await openKeyRing(folder, "receipts", T(0));
      expect(ring).toMatchObject({ ok: false, error: { code: "keys.loose_permissions", expected: "mode 0600" } });
      expect(!ring.ok && ring.error.message).toContain("chmod 600");
      expect((await rotateKeyRing(folder, "receipts", T(0), 0)).ok).toBe(false);
    },
  );

  test("when it is a link", async () => {
    await opened("advice");
    await symlink(join(folder, "advice.json"), file());
    expect(await codeOf()).toBe("keys.not_a_file");
  });

  test("when it is a folder", async () => {
    await mkdir(file(), { recursive: true });
    expect(await codeOf()).toBe("keys.not_a_file");
  });

  test("when it is the file of another purpose", async () => {
    await opened("advice");
    await writeFile(file(), await readFile(join(folder, "advice.json")), { mode: 0o600 });
    expect(await codeOf()).toBe("keys.malformed");
  });

  test.each<{ it: string; change: (file: { keys: Record<string, unknown>[] }) => unknown }>([
    { it: "is empty", change: () => "" },
    { it: "is cut off", change: (all) => JSON.stringify(all).slice(0, -9) },
    { it: "has no keys", change: (all) => ({ ...all, keys: [] }) },
    { it: "has a member nobody wrote", change: (all) => ({ ...all, extra: 1 }) },
    { it: "has a key twice", change: (all) => ({ ...all, keys: [...all.keys, ...all.keys] }) },
    { it: "has halves that do not fit", change: (all) => withKey(all, { private_key: "A".repeat(43) }) },
    { it: "has a name that is not the key's", change: (all) => withKey(all, { kid: "receipts-other" }) },
    { it: "has a time in another spelling", change: (all) => withKey(all, { not_before: "2027-01-15" }) },
    { it: "has a short key", change: (all) => withKey(all, { public_key: "AAAA" }) },
  ])("when it $it, and is left as it is", async ({ change }) => {
    await opened();
    const changed = change(JSON.parse(await readFile(file(), "utf8")));
    const text = typeof changed === "string" ? changed : JSON.stringify(changed);
    await writeFile(file(), text, { mode: 0o600 });
    expect(await codeOf()).toBe("keys.malformed");
    expect((await rotateKeyRing(folder, "receipts", T(0), 0)).ok).toBe(false);
    expect(await readFile(file(), "utf8")).toBe(text);
  });

  test("when it cannot be written at all", async () => {
    await writeFile(join(folder, "..", "plain"), "");
    const ring = await openKeyRing(join(folder, "..", "plain"), "receipts", T(0));
    expect(ring.ok).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a folder of keys", () => {
  const home = () => join(folder, "..");

  test.each([0o770, 0o702, 0o777, 0o1777])(
    "is refused when others may put files into it (mode %o), whether there are keys or not",
    async (mode) => {
      await mkdir(folder);
      await chmod(folder, mode);
      const refused = { ok: false, error: { code: "keys.loose_permissions", path: folder, expected: "mode 0700" } };
      expect(await openKeyRing(folder, "receipts", T(0))).toMatchObject(refused);
      expect(await readdir(folder)).toEqual([]);
      await chmod(folder, 0o700);
      await opened();
      await chmod(folder, mode);
      const ring = await openKeyRing(folder, "receipts", T(0));
      expect(ring).toMatchObject(refused);
      expect(!ring.ok && ring.error.message).toContain("chmod go-w");
      expect(await rotateKeyRing(folder, "receipts", T(0), 0)).toMatchObject(refused);
    },
  );

  test.each([0o770, 0o777])("is refused when others may put another in its place (mode %o above it)", async (mode) => {
    await opened();
    await chmod(home(), mode);
    const ring = await openKeyRing(folder, "receipts", T(0));
    expect(ring).toMatchObject({ ok: false, error: { code: "keys.loose_permissions", path: home() } });
  });

  test("may lie in a folder like /tmp, where nobody moves what is another's", async () => {
    await opened();
    await chmod(home(), 0o1777);
    expect((await openKeyRing(folder, "receipts", T(0))).ok).toBe(true);
  });

  test.each([0o755, 0o750, 0o711])(
    "may be read by others (mode %o): the files in it are their owner's",
    async (mode) => {
      await opened();
      await chmod(folder, mode);
      await chmod(home(), mode);
      expect((await openKeyRing(folder, "receipts", T(0))).ok).toBe(true);
      await chmod(join(folder, "receipts.json"), 0o644);
      expect((await openKeyRing(folder, "receipts", T(0))).ok).toBe(false);
    },
  );

  test.runIf(process.getuid?.() === 0)("of another user is refused", async () => {
    await opened();
    await chown(folder, 12_345, 12_345);
    const ring = await openKeyRing(folder, "receipts", T(0));
    expect(ring).toMatchObject({ ok: false, error: { code: "keys.other_owner", path: folder } });
  });
});

const withKey = (file: { keys: Record<string, unknown>[] }, change: object) => ({
  ...file,
  keys: file.keys.map((key) => ({ ...key, ...change })),
});

describe("a signer from a key of Node's", () => {
  test("signs with it", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const bytes = Uint8Array.of(7);
    expect(verify(null, bytes, publicKey, await createNodeSigner("k", privateKey).sign(bytes))).toBe(true);
  });

  test("takes no other kind of key", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    expect(() => createNodeSigner("k", publicKey)).toThrow(TypeError);
    expect(() => createNodeSigner("k", generateKeyPairSync("ed448").privateKey)).toThrow(TypeError);
  });
});
