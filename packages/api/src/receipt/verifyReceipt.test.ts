import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  assemble,
  canonicalize,
  decodeBase64url,
  encodeBase64url,
  encodeUtf8,
  type JsonValue,
  parseJson,
  receiptClaims,
  receiptHeader,
  type Statement,
  type StatementKind,
  signingInput,
} from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { verifyAsync } from "@noble/ed25519";
import fc from "fast-check";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { ed25519Key } from "./ed25519.ts";
import { type KeySet, readJwks, writeJwks } from "./keySet.ts";
import { createMemoryReplayStore } from "./replayStore.ts";
import { type Expected, verifyAdvice, verifyReceipt } from "./verifyReceipt.ts";

interface TestKey {
  readonly kid: string;
  readonly secret: KeyObject;
  readonly jwks: JsonValue;
  readonly keys: KeySet;
}

function makeKey(kid: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const jwks = writeJwks([{ kid, bytes: decodeBase64url(publicKey.export({ format: "jwk" }).x ?? "")! }]);
  const keys = readJwks(jwks);
  if (!keys.ok) throw new Error(keys.error.code);
  return { kid, secret: privateKey, jwks, keys: keys.value };
}

const receiptKey = makeKey("r1");
const adviceKey = makeKey("a1");
const digest = (char: string): string => `sha256:${char.repeat(64)}`;
const NOW = 1_800_000_100;

const statement: Statement = {
  kind: "receipt",
  issuer: "https://gate.example",
  audience: "https://pay.example",
  tenant: "acme",
  subject: "shopper",
  id: "dec_0190",
  issuedAt: 1_800_000_000,
  verdict: "allow",
  actionDigest: digest("a"),
  policyDigest: digest("b"),
  recordHash: digest("c"),
};

const expected: Expected = {
  keys: receiptKey.keys,
  issuer: "https://gate.example",
  audience: "https://pay.example",
  tenant: "acme",
  subject: "shopper",
  actionDigest: digest("a"),
  verdict: "allow",
  now: NOW,
  clockSkew: 5,
  replay: "accepted",
};

/** A JWS over any header and claims, as only the holder of the key could make it. */
function jwsOf(header: object, claims: unknown, key: TestKey): string {
  const part = (value: unknown) =>
    encodeBase64url(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
  const input = Buffer.from(`${part(header)}.${part(claims)}`);
  return assemble(input, sign(null, input, key.secret));
}

function signed(change: Partial<Statement> = {}, key: TestKey = receiptKey): string {
  const full = { ...statement, ...change };
  const input = signingInput(receiptHeader(full.kind, key.kid), receiptClaims(full));
  return assemble(input, sign(null, input, key.secret));
}

const code = async (jws: string, change: Partial<Expected> = {}): Promise<string> => {
  const result = await verifyReceipt(jws, { ...expected, ...change });
  return result.ok ? "ok" : result.error.code;
};

describe("a receipt", () => {
  test("that says what is expected gives its claims", async () => {
    const result = await verifyReceipt(signed(), expected);
    expect(result).toEqual({ ok: true, value: receiptClaims(statement) });
  });

  test("is verified by any JWT library with our key list", async () => {
    const jwks = createLocalJWKSet(receiptKey.jwks as unknown as Parameters<typeof createLocalJWKSet>[0]);
    const { payload, protectedHeader } = await jwtVerify(signed(), jwks, {
      algorithms: ["EdDSA"],
      typ: "countersign-receipt+jwt",
      issuer: statement.issuer,
      audience: statement.audience,
      currentDate: new Date(NOW * 1000),
    });
    expect(protectedHeader.kid).toBe("r1");
    expect(payload).toEqual(receiptClaims(statement));
  });

  test("is signed so that an independent implementation of Ed25519 agrees", async () => {
    const jws = signed();
    const [header, payload, signature = ""] = jws.split(".");
    const { x = "" } = (receiptKey.jwks as { keys: { x?: string }[] }).keys[0] ?? {};
    const [key, bytes] = [decodeBase64url(x), decodeBase64url(signature)];
    if (key === undefined || bytes === undefined) throw new Error("not base64url");
    expect(await verifyAsync(bytes, Buffer.from(`${header}.${payload}`), key, { zip215: false })).toBe(true);
    expect(await verifyAsync(bytes, Buffer.from(`${header}.${payload}A`), key, { zip215: false })).toBe(false);
  });

  test.each<{ it: string; expect: Partial<Expected>; want: string }>([
    { it: "another gate", expect: { issuer: "https://gate.example/" }, want: "receipt.issuer_other" },
    { it: "another audience", expect: { audience: "https://pay.example.evil" }, want: "receipt.audience_other" },
    { it: "another tenant", expect: { tenant: "ACME" }, want: "receipt.tenant_other" },
    { it: "another agent", expect: { subject: "buyer" }, want: "receipt.subject_other" },
    { it: "another action", expect: { actionDigest: digest("b") }, want: "receipt.action_other" },
    { it: "the second it expires", expect: { now: 1_800_000_305 }, want: "receipt.expired" },
    { it: "a clock that is too far behind", expect: { now: 1_799_999_994 }, want: "receipt.not_yet_valid" },
    { it: "another key", expect: { keys: makeKey("r1").keys }, want: "receipt.signature_invalid" },
    { it: "no key of that name", expect: { keys: adviceKey.keys }, want: "receipt.key_unknown" },
  ])("is refused for $it", async ({ expect: change, want }) => {
    expect(await code(signed(), change)).toBe(want);
  });

  test.each([
    { it: "just before it expires", now: 1_800_000_304.9 },
    { it: "as early as the clocks may differ", now: 1_799_999_995 },
  ])("passes $it", async ({ now }) => {
    expect(await code(signed(), { now })).toBe("ok");
  });

  test.each(["review", "block"] as const)("of the verdict %s opens nothing, and can be read", async (verdict) => {
    expect(await code(signed({ verdict }))).toBe("receipt.verdict_refused");
    expect(await code(signed({ verdict }), { verdict: "any" })).toBe("ok");
  });

  test.each<{ it: string; header: object; want: string }>([
    { it: "without a signature algorithm", header: { alg: "none" }, want: "receipt.algorithm_refused" },
    { it: "with a shared secret", header: { alg: "HS256" }, want: "receipt.algorithm_refused" },
    { it: "with the algorithm in other letters", header: { alg: "eddsa" }, want: "receipt.algorithm_refused" },
    { it: "with a type of another thing", header: { typ: "JWT" }, want: "receipt.type_refused" },
    { it: "with a type in other letters", header: { typ: "Countersign-Receipt+JWT" }, want: "receipt.type_refused" },
    { it: "with an extension it demands", header: { crit: ["b64"], b64: false }, want: "receipt.critical_unknown" },
    { it: "with no list of extensions", header: { crit: null }, want: "receipt.critical_unknown" },
    { it: "with a key name that is no text", header: { kid: 1 }, want: "receipt.key_unknown" },
    { it: "with the name of a built-in", header: { kid: "constructor" }, want: "receipt.key_unknown" },
  ])("$it is refused", async ({ header, want }) => {
    const jws = jwsOf({ ...receiptHeader("receipt", "r1"), ...header }, receiptClaims(statement), receiptKey);
    expect(await code(jws)).toBe(want);
  });

  test("never brings a key of its own", async () => {
    const intruder = makeKey("r1");
    const [jwk] = (intruder.jwks as { keys: object[] }).keys;
    const own = { jwk, jku: "https://evil.example/jwks", x5u: "https://evil.example/cert" };
    const header = { ...receiptHeader("receipt", "r1"), ...own };
    expect(await code(jwsOf(header, receiptClaims(statement), intruder))).toBe("receipt.signature_invalid");
    expect(await code(jwsOf(header, receiptClaims(statement), receiptKey))).toBe("ok");
  });

  test.each<{ it: string; claims: object; want: string }>([
    { it: "a longer life", claims: { exp: 1_800_000_301 }, want: "receipt.lifetime_refused" },
    { it: "a life that ends before it starts", claims: { exp: 1_799_999_700 }, want: "receipt.lifetime_refused" },
    { it: "a policy of the caller's", claims: { policy_origin: "caller" }, want: "receipt.origin_other" },
    { it: "a list of audiences", claims: { aud: ["https://pay.example"] }, want: "receipt.claims_malformed" },
    { it: "a time in words", claims: { iat: "1800000000" }, want: "receipt.claims_malformed" },
    { it: "a time in fractions", claims: { iat: 1_800_000_000.5 }, want: "receipt.claims_malformed" },
    { it: "a verdict nobody gives", claims: { verdict: "ALLOW" }, want: "receipt.claims_malformed" },
    { it: "a bare digest", claims: { action_digest: "a".repeat(64) }, want: "receipt.claims_malformed" },
    ...["iss", "aud", "sub", "iat", "exp", "jti", "tenant", "policy_origin", "verdict"].map((name) => ({
      it: `no ${name}`,
      claims: { [name]: undefined },
      want: "receipt.claims_malformed",
    })),
  ])("signed with $it is refused", async ({ claims, want }) => {
    const jws = jwsOf(receiptHeader("receipt", "r1"), { ...receiptClaims(statement), ...claims }, receiptKey);
    expect(await code(jws)).toBe(want);
  });

  test.each([
    { it: "a claim twice", claims: '{"verdict":"block","verdict":"allow"}' },
    { it: "an array", claims: "[]" },
    { it: "a text", claims: '"allow"' },
    { it: "broken JSON", claims: "{" },
    { it: "a number that no double holds", claims: '{"iat":18000000000000000001}' },
  ])("with $it for claims is refused", async ({ claims }) => {
    expect(await code(jwsOf(receiptHeader("receipt", "r1"), claims, receiptKey))).toBe("receipt.claims_malformed");
  });

  const good = signed();
  const parts = good.split(".");
  test.each([
    { it: "nothing", jws: "" },
    { it: "two parts", jws: parts.slice(0, 2).join(".") },
    { it: "four parts", jws: `${good}.` },
    { it: "padding", jws: `${good}==` },
    { it: "a line feed after it", jws: `${good}\n` },
    { it: "another spelling of the signature", jws: `${good.slice(0, -1)}${good.endsWith("B") ? "C" : "B"}` },
    { it: "a header that is no object", jws: ["W10", ...parts.slice(1)].join(".") },
    { it: "text of another script", jws: `é${good}` },
  ])("is malformed with $it", async ({ jws }) => {
    expect(["receipt.malformed", "receipt.signature_invalid"]).toContain(await code(jws));
  });

  test("of any size is refused before it is read", async () => {
    expect(await code("A".repeat(16_385))).toBe("receipt.too_large");
  });

  test("that is no text is refused", async () => {
    for (const value of [undefined, null, 5, {}, [good]]) {
      expect(await code(value as unknown as string)).toBe("receipt.malformed");
    }
  });

  test("with one character changed is refused", async () => {
    const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.constantFrom(...chars), async (at, char) => {
        fc.pre(good[at] !== char);
        expect(await code(good.slice(0, at) + char + good.slice(at + 1))).not.toBe("ok");
      }),
    );
  });
});

describe("what to expect has no default: left out or unusable, nothing passes", () => {
  test.each<{ it: string; change: object }>([
    { it: "no issuer", change: { issuer: undefined } },
    { it: "an empty tenant", change: { tenant: "" } },
    { it: "no subject", change: { subject: undefined } },
    { it: "no audience", change: { audience: undefined } },
    { it: "no digest", change: { actionDigest: undefined } },
    { it: "no time", change: { now: undefined } },
    { it: "a time that is no number", change: { now: Number.NaN } },
    { it: "no clock skew", change: { clockSkew: undefined } },
    { it: "an hour of clock skew", change: { clockSkew: 3600 } },
    { it: "no replay store", change: { replay: undefined } },
    { it: "a flag for a replay store", change: { replay: true } },
    { it: "no verdict", change: { verdict: undefined } },
  ])("$it", async ({ change }) => {
    expect(await code(signed(), change as Partial<Expected>)).toBe("receipt.expectation_malformed");
  });
});

describe("Advice never verifies as a decision", () => {
  const advice = signed({ kind: "advice" }, adviceKey);
  const both: KeySet = new Map([...receiptKey.keys, ...adviceKey.keys]);

  test("with the gate's own keys", async () => {
    expect(await code(advice)).toBe("receipt.type_refused");
    expect(await code(advice, { keys: both })).toBe("receipt.type_refused");
  });

  test("whatever is written on it", async () => {
    const kinds: StatementKind[] = ["receipt", "advice"];
    for (const header of kinds) {
      for (const claims of kinds) {
        if (header === "receipt" && claims === "receipt") continue;
        const content = receiptClaims({ ...statement, kind: claims });
        for (const key of [receiptKey, adviceKey]) {
          expect(await code(jwsOf(receiptHeader(header, key.kid), content, key), { keys: both })).not.toBe("ok");
        }
      }
    }
    // Even with the type and origin of a receipt, the advice key is not among the keys of receipts.
    const forged = jwsOf(receiptHeader("receipt", "a1"), receiptClaims(statement), adviceKey);
    expect(await code(forged)).toBe("receipt.key_unknown");
  });

  test("and a decision never as advice", async () => {
    const keys = adviceKey.keys;
    expect((await verifyAdvice(advice, { ...expected, keys })).ok).toBe(true);
    expect((await verifyAdvice(signed(), { ...expected, keys: both })).ok).toBe(false);
  });
});

describe("A receipt is redeemed once", () => {
  test("by whoever comes first, of twenty at once", async () => {
    const replay = createMemoryReplayStore();
    const codes = await Promise.all(Array.from({ length: 20 }, () => code(signed(), { replay })));
    expect(codes.filter((one) => one === "ok")).toHaveLength(1);
    expect(codes.filter((one) => one === "receipt.replayed")).toHaveLength(19);
  });

  test("and a receipt that is refused for another reason is not used up", async () => {
    const replay = createMemoryReplayStore();
    expect(await code(signed(), { replay, tenant: "other" })).toBe("receipt.tenant_other");
    expect(await code(signed(), { replay })).toBe("ok");
  });

  test("a store that fails or does not answer true opens nothing", async () => {
    const failing = { claim: () => Promise.reject(new Error("down")) };
    const silent = { claim: async () => undefined as unknown as boolean };
    expect(await code(signed(), { replay: failing })).toBe("receipt.replay_unknown");
    expect(await code(signed(), { replay: silent })).toBe("receipt.replayed");
  });

  test("a full memory forgets only what has expired, and refuses before it forgets more", async () => {
    const store = createMemoryReplayStore(2);
    expect(await store.claim("a", 100, 50)).toBe(true);
    expect(await store.claim("b", 200, 50)).toBe(true);
    await expect(store.claim("c", 300, 60)).rejects.toThrow("full");
    expect(await store.claim("b", 200, 150)).toBe(false);
    expect(await store.claim("c", 300, 150)).toBe(true);
    expect(await store.claim("c", 300, 151)).toBe(false);
  });
});

describe("a key list", () => {
  const x = (receiptKey.jwks as { keys: { x: string }[] }).keys[0]?.x;
  const key = { kty: "OKP", crv: "Ed25519", kid: "k", x };
  test.each<{ it: string; jwks: unknown; want: string[] }>([
    { it: "passes over keys of other kinds", jwks: { keys: [{ kty: "RSA", n: "x" }, key] }, want: ["k"] },
    { it: "passes over keys for encryption", jwks: { keys: [{ ...key, use: "enc" }] }, want: [] },
    { it: "passes over keys of another algorithm", jwks: { keys: [{ ...key, alg: "ES256" }] }, want: [] },
    { it: "passes over keys that only sign", jwks: { keys: [{ ...key, key_ops: ["sign"] }] }, want: [] },
    { it: "takes the newer name of the algorithm", jwks: { keys: [{ ...key, alg: "Ed25519" }] }, want: ["k"] },
    { it: "may be empty", jwks: { keys: [] }, want: [] },
  ])("$it", ({ jwks, want }) => {
    const result = readJwks(jwks as JsonValue);
    expect(result.ok && [...result.value.keys()]).toEqual(want);
  });

  test.each<{ it: string; jwks: unknown; path: string }>([
    { it: "is no object", jwks: [], path: "/keys" },
    { it: "has no list", jwks: { keys: {} }, path: "/keys" },
    { it: "has too many keys", jwks: { keys: Array(101).fill({}) }, path: "/keys" },
    { it: "holds something else", jwks: { keys: [null] }, path: "/keys/0" },
    { it: "publishes a private key", jwks: { keys: [{ ...key, d: "x" }] }, path: "/keys/0/d" },
    { it: "has a key without a name", jwks: { keys: [{ ...key, kid: undefined }] }, path: "/keys/0/kid" },
    { it: "has a name twice", jwks: { keys: [key, key] }, path: "/keys/1/kid" },
    { it: "has a short key", jwks: { keys: [{ ...key, x: "AAAA" }] }, path: "/keys/0/x" },
    { it: "has a key in another spelling", jwks: { keys: [{ ...key, x: `${x}=` }] }, path: "/keys/0/x" },
    { it: "has a key of low order", jwks: { keys: [{ ...key, x: "A".repeat(43) }] }, path: "/keys/0/x" },
  ])("that $it is refused", ({ jwks, path }) => {
    const result = readJwks(jwks as JsonValue);
    expect(result).toMatchObject({ ok: false, error: { code: "receipt.keys_malformed", path } });
  });
});

interface EnvelopeCase {
  id: string;
  receipt_json: string;
  trusted_public_key_hex: string;
  valid: boolean;
}

/** The suite has an envelope of its own; strict reading, canonical bytes, base64url and Ed25519 are ours. */
sharedSuite("conformance/receipts", (folder) => {
  const verifyEnvelope = async (text: string, keyHex: string): Promise<boolean> => {
    const parsed = parseJson(text, { bytes: 65_536, depth: 32 }, "plain");
    const key = ed25519Key(Buffer.from(keyHex, "hex"));
    if (!parsed.ok || key === undefined) return false;
    const { payload, alg, signature, ...rest } = parsed.value as Record<string, JsonValue>;
    if (alg !== "Ed25519" || typeof signature !== "string" || Object.keys(rest).length > 0) return false;
    if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return false;
    const bytes = decodeBase64url(signature);
    return bytes !== undefined && key.verify(encodeUtf8(canonicalize(payload)), bytes);
  };

  test("verdict equals `valid`", async () => {
    const cases: EnvelopeCase[] = readFileSync(`${folder}/own-receipts.jsonl`, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { id, receipt_json, trusted_public_key_hex, valid } of cases) {
      expect({ id, answer: await verifyEnvelope(receipt_json, trusted_public_key_hex) }).toEqual({ id, answer: valid });
    }
    expect(cases).toHaveLength(231);
  });
});
