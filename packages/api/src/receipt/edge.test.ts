import { generateKeyPairSync, sign, webcrypto } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { assemble, receiptClaims, receiptHeader, type Statement, signingInput } from "@countersign/core";
import { build } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import type { Expected } from "./verifyReceipt.ts";

/**
 * A runtime without Node: the language, and WebCrypto where the runtime has one. What verification needs must neither
 * name a module of Node's nor lean on its globals.
 */
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const statement: Statement = {
  kind: "receipt",
  issuer: "https://gate.example",
  audience: "https://pay.example",
  tenant: "acme",
  subject: "shopper",
  id: "dec_1",
  issuedAt: 1_800_000_000,
  verdict: "allow",
  actionDigest: `sha256:${"a".repeat(64)}`,
  policyDigest: `sha256:${"b".repeat(64)}`,
  recordHash: `sha256:${"c".repeat(64)}`,
};
const input = signingInput(receiptHeader("receipt", "r1"), receiptClaims(statement));
const receipt = assemble(input, sign(null, input, privateKey));
const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "r1" }] };
const expected: Omit<Expected, "keys"> = {
  issuer: statement.issuer,
  audience: statement.audience,
  tenant: statement.tenant,
  subject: statement.subject,
  actionDigest: statement.actionDigest,
  verdict: "allow",
  now: statement.issuedAt + 1,
  clockSkew: 0,
  replay: "accepted",
};

let bundle: string;
beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["countersign-source"] },
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL("edge.entry.ts", import.meta.url)), formats: ["iife"], name: "api" },
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id.endsWith("/edge.entry.ts") ? id : null),
        load: (id) => (id.endsWith("/edge.entry.ts") ? ENTRY : null),
      },
    ],
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  bundle = first.output[0].code;
}, 60_000);

const ENTRY = 'export { readJwks } from "./keySet.ts"; export { verifyReceipt } from "./verifyReceipt.ts";';

const run = async (globals: object, jws: string): Promise<string> => {
  const context = createContext({ ...globals, jws, jwksText: JSON.stringify(jwks), expected });
  const result = runInContext(
    `${bundle}\nconst keys = api.readJwks(JSON.parse(jwksText));\nif (!keys.ok) throw new Error(keys.error.code);\napi.verifyReceipt(jws, { ...expected, keys: keys.value });`,
    context,
  );
  const { ok, value, error } = await result;
  return ok ? value.verdict : error.code;
};

describe("without Node's modules and globals a receipt", () => {
  test("is verified with WebCrypto", async () => {
    expect(await run({ crypto: webcrypto }, receipt)).toBe("allow");
  });

  test("that was changed is refused", async () => {
    const [header, , signature] = receipt.split(".");
    const other = receiptClaims({ ...statement, subject: "other" });
    const payload = Buffer.from(JSON.stringify(other)).toString("base64url");
    expect(await run({ crypto: webcrypto }, `${header}.${payload}.${signature}`)).toBe("receipt.signature_invalid");
  });

  test("is not taken where nothing can verify it", async () => {
    expect(await run({}, receipt)).toBe("receipt.verification_unavailable");
  });
});
