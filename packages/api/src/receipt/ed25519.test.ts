import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { sharedSuite } from "@countersign/core/testing";
import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ed25519Key, isStrictKey, isStrictSignature, nodeCrypto, webCrypto } from "./ed25519.ts";

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const platforms = { "node:crypto": nodeCrypto(crypto), WebCrypto: webCrypto() };
const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Two of our own platforms and their common front; they must never differ. */
async function verdict(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const answers = [];
  for (const platform of Object.values(platforms)) {
    answers.push((await ed25519Key(key, platform)?.verify(message, signature)) ?? false);
  }
  expect(answers[0]).toBe(answers[1]);
  return answers[0] ?? false;
}

const bytesOf = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(32);
  for (let i = 0; i < 32; i += 1) bytes[i] = Number((value >> BigInt(8 * i)) & 255n);
  return bytes;
};

describe("keys", () => {
  test("of low order are refused, all eight and no more", () => {
    expect(ED25519_TORSION_SUBGROUP).toHaveLength(8);
    for (const key of ED25519_TORSION_SUBGROUP) expect(isStrictKey(hex(key))).toBe(false);
  });

  test("in another spelling than the canonical one are refused, also where the point is a good one", () => {
    for (let above = 0n; above < 19n; above += 1n) {
      expect(isStrictKey(bytesOf(P + above))).toBe(false);
      expect(isStrictKey(bytesOf(P + above + (1n << 255n)))).toBe(false);
    }
  });

  test("are judged as an independent library judges them", () => {
    const anyKey = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((secret) => ed25519.getPublicKey(secret)),
      fc.constantFrom(...ED25519_TORSION_SUBGROUP).map(hex),
      fc.bigInt(P - 40n, P + 40n).map(bytesOf),
      fc.bigInt(0n, 40n).map(bytesOf),
    );
    fc.assert(
      fc.property(anyKey, (key) => {
        let point: ReturnType<typeof ed25519.Point.fromBytes> | undefined;
        try {
          point = ed25519.Point.fromBytes(key, false);
        } catch {
          return; // not on the curve: the platform's answer, which is "verifies nothing"
        }
        expect(isStrictKey(key)).toBe(!point.isSmallOrder());
      }),
    );
  });

  test.each([0, 31, 33, 64])("of %i bytes are refused", (length) => {
    expect(isStrictKey(new Uint8Array(length).fill(9))).toBe(false);
  });

  test("are kept as they were: writing to the caller's bytes afterwards changes nothing", async () => {
    const { secretKey, publicKey } = ed25519.keygen();
    const message = hex("00ff");
    const mutable = Uint8Array.from(publicKey);
    const key = ed25519Key(mutable);
    mutable.fill(0);
    expect(await key?.verify(message, ed25519.sign(message, secretKey))).toBe(true);
  });
});

describe("signatures", () => {
  test("have one spelling: S plus the group order is refused", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, L - 1n), fc.bigInt(1n, 14n), (s, times) => {
        const r = ed25519.Point.BASE.toBytes();
        expect(isStrictSignature(Uint8Array.of(...r, ...bytesOf(s)))).toBe(true);
        expect(isStrictSignature(Uint8Array.of(...r, ...bytesOf(s + times * L)))).toBe(false);
      }),
    );
  });

  test("are verified as noble does in its strict mode, tampered or not, on both platforms", async () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const flip = fc.record({ at: fc.nat(63), bit: fc.nat(7) });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        bytes,
        fc.option(flip, { nil: undefined }),
        async (secret, message, change) => {
          const signature = Uint8Array.from(ed25519.sign(message, secret));
          if (change !== undefined) signature[change.at] = (signature[change.at] ?? 0) ^ (1 << change.bit);
          const key = ed25519.getPublicKey(secret);
          expect(await verdict(key, message, signature)).toBe(change === undefined);
          expect(ed25519.verify(signature, message, key, { zip215: false })).toBe(change === undefined);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a platform that cannot verify gives no answer instead of false", async () => {
    const broken = webCrypto({
      importKey: async () => {
        throw Object.assign(new Error("no such algorithm"), { name: "NotSupportedError" });
      },
      verify: async () => true,
    });
    const { secretKey, publicKey } = ed25519.keygen();
    const key = ed25519Key(publicKey, broken);
    await expect(key?.verify(hex("00"), ed25519.sign(hex("00"), secretKey))).rejects.toThrow("no such algorithm");
  });
});

interface Wycheproof {
  testGroups: { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string; result: string }[] }[];
}
interface PointCase {
  number: number;
  key: string;
  sig: string;
  msg: string;
  flags: string[] | null;
}
interface OwnCase {
  id: string;
  public_key: string;
  message: string;
  signature: string;
  valid: boolean;
}
interface RfcCase {
  seed: string;
  public_key: string;
  message: string;
  signature: string;
}

sharedSuite("conformance/ed25519", (folder) => {
  const lines = <T>(file: string): T[] =>
    readFileSync(`${folder}/${file}`, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("wycheproof: verifies exactly what is valid", async () => {
    const { testGroups } = JSON.parse(readFileSync(`${folder}/wycheproof/ed25519_test.json`, "utf8")) as Wycheproof;
    let ran = 0;
    for (const group of testGroups) {
      for (const { tcId, msg, sig, result } of group.tests) {
        const answer = await verdict(hex(group.publicKey.pk), hex(msg), hex(sig));
        expect({ tcId, answer }).toEqual({ tcId, answer: result === "valid" });
        ran += 1;
      }
    }
    expect(ran).toBe(151);
  });

  test("cctv: accepts exactly the cases that the written policy leaves", async () => {
    const cases = JSON.parse(readFileSync(`${folder}/cctv/ed25519vectors.json`, "utf8")) as PointCase[];
    const refused = ["low_order_A", "low_order_R", "non_canonical_A", "non_canonical_R", "low_order_residue"];
    for (const { number, key, sig, msg, flags } of cases) {
      const answer = await verdict(hex(key), Uint8Array.from(Buffer.from(msg)), hex(sig));
      expect({ number, answer }).toEqual({ number, answer: !(flags ?? []).some((flag) => refused.includes(flag)) });
    }
    expect(cases).toHaveLength(914);
  });

  test("own vectors: verdict equals `valid`", async () => {
    const cases = lines<OwnCase>("own-vectors.jsonl");
    for (const { id, public_key, message, signature, valid } of cases) {
      expect({ id, answer: await verdict(hex(public_key), hex(message), hex(signature)) }).toEqual({
        id,
        answer: valid,
      });
    }
    expect(cases).toHaveLength(209);
  });

  test("rfc8032: derive, sign and verify match", async () => {
    for (const { seed, public_key, message, signature } of lines<RfcCase>("rfc8032.jsonl")) {
      const der = Buffer.concat([hex("302e020100300506032b657004220420"), hex(seed)]);
      const secret = crypto.createPrivateKey({ key: der, format: "der", type: "pkcs8" });
      const derived = crypto.createPublicKey(secret).export({ format: "jwk" }).x ?? "";
      expect(Buffer.from(derived, "base64url").toString("hex")).toBe(public_key);
      expect(crypto.sign(null, hex(message), secret).toString("hex")).toBe(signature);
      expect(await verdict(hex(public_key), hex(message), hex(signature))).toBe(true);
    }
  });
});
