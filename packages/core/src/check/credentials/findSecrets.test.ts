import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../../testing.ts";
import { findSecrets } from "./findSecrets.ts";
import { redact } from "./redact.ts";

const kinds = (text: string): string[] => findSecrets(text).map(({ kind }) => kind);

const ALNUM = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"];
/** A made-up token of a published form; in pieces, so that no file here holds one. */
const anyToken = fc
  .tuple(fc.constantFrom("ghp", "npm"), fc.string({ unit: fc.constantFrom(...ALNUM), minLength: 36, maxLength: 36 }))
  .map(([start, rest]) => `${start}_${rest}`)
  .filter((token) => new Set(token).size > 16);
const [token = ""] = fc.sample(anyToken, { numRuns: 1, seed: 7 });
const [secret = ""] = fc.sample(
  fc
    .string({ unit: fc.constantFrom(...ALNUM), minLength: 24, maxLength: 24 })
    .filter((text) => new Set(text).size > 14),
  { numRuns: 1, seed: 7 },
);

describe("a secret that is wrapped", () => {
  const hex = (text: string) => [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  test.each([
    { it: "base64", wrap: (text: string) => btoa(text) },
    { it: "base64 of base64", wrap: (text: string) => btoa(btoa(`it is ${text}`)) },
    { it: "base64 without padding, URL alphabet", wrap: (text: string) => btoa(`?${text}>`).replaceAll(/[+/=]/g, "_") },
    { it: "hexadecimal", wrap: hex },
    { it: "percent-encoding", wrap: (text: string) => hex(text).replaceAll(/../g, "%$&") },
    { it: "percent-encoding twice", wrap: (text: string) => hex(text).replaceAll(/../g, "%25$&") },
    { it: "escapes of JSON", wrap: (text: string) => hex(text).replaceAll(/../g, "\\u00$&") },
    { it: "character references", wrap: (text: string) => hex(text).replaceAll(/../g, "&#x$&;") },
    { it: "zero-width characters inside", wrap: (text: string) => [...text].join("\u200b") },
    { it: "a soft hyphen inside", wrap: (text: string) => `${text.slice(0, 9)}\u00ad${text.slice(9)}` },
    {
      it: "full-width forms",
      wrap: (text: string) => [...text].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join(""),
    },
    {
      it: "tag characters, which nobody sees",
      wrap: (text: string) => [...text].map((char) => String.fromCodePoint(char.charCodeAt(0) + 0xe0000)).join(""),
    },
  ])("is found in $it, and taken out whole", ({ wrap }) => {
    const wrapped = wrap(token);
    const text = `see ${wrapped} there`;
    expect(kinds(text)).toHaveLength(1);
    expect(redact(text)).toMatch(/^see \[redacted [a-z-]+\] there$/);
  });
});

describe("what stands beside a value", () => {
  test.each([
    `password = "${secret}"`,
    `DB_PASSWORD: ${secret}`,
    `"api_key":"${secret}"`,
    `{\\"clientSecret\\": \\"${secret}\\"}`,
    `<password>${secret}</password>`,
    `run --password ${secret} now`,
    `the password is ${secret} and so on`,
    `export SERVICE_ACCESS_KEY=${secret}`,
    `x-api-key: ${secret}`,
    `?access_token=${secret}&x=1`,
    `config["token"] = '${secret}'`,
  ])("makes it a secret: %s", (text) => {
    const found = findSecrets(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([secret]);
  });

  test.each([
    ["a name for a secret", `passwordField: ${secret}`],
    ["the digest of one", `token_hash = ${secret}`],
    ["an address of a token", `"token": "0x${"a1b2c3d4".repeat(5)}"`],
    ["an asset on a chain", `token: eip155:1/erc20:0x${"a1b2c3d4".repeat(5)}`],
    ["the place in a list", `nextPageToken: ${secret}`],
    ["a call", `password = readPassword1(${secret})`],
    ["a variable", "password = $DB_PASSWORD_2"],
    ["a member of a member", "const password = config.database.password"],
    ["an identifier", "const apiKey = toX25519PrivateKey"],
    ["a word", "token: authentication"],
    ["a default of a manual", "https://user:password@example.com/"],
  ])("does not when it is %s", (_, text) => {
    expect(kinds(text)).toEqual([]);
  });
});

describe("the kind that is named", () => {
  test.each([
    ["is the narrower one of two", `sk-proj-${secret}${secret}`, "openai-project"],
    ["is the form's and not the name's", `password = "${token}"`, token.startsWith("ghp") ? "github-pat" : "npm-token"],
    ["is a private key with its whole body", pem(64), "private-key"],
    ["is a private key without an end", pem(64).slice(0, -30), "private-key"],
  ])("%s", (_, text, kind) => {
    expect(kinds(text)).toEqual([kind]);
  });

  test("covers a private key from its first line to its last", () => {
    const key = pem(64);
    const [found] = findSecrets(`a ${key} b`);
    expect(found).toMatchObject({ start: 2, end: 2 + key.length });
  });

  test("leaves scheme and host of a URL in sight", () => {
    expect(redact(`postgres://app:${secret}@db.example.com/x`)).toBe(
      "postgres://[redacted url-credentials]@db.example.com/x",
    );
  });
});

function pem(width: number): string {
  const body = secret.repeat(12).match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  const line = (edge: string) => `-----${edge} PRIVATE ${"KEY"}-----`;
  return [line("BEGIN"), ...body, line("END")].join("\n");
}

describe("any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      ...["password", "token", " = ", '"', "sk-", "eyJ", ".", "://", "@", ":", "bearer ", "basic ", "-----BEGIN "],
      ...[
        "PRIVATE ",
        "KEY-----",
        "\n",
        "kind: Secret",
        "data:",
        "%41",
        "\\u0041",
        "\u200b",
        "Q~",
        "_mmk",
        ":AA",
        "[1,",
      ],
      ...["AKIA", "ghp_", "machine ", "login ", "mnemonic: ", "\ud800", "&#65;", "-", "_", "="],
    ),
    anyToken,
    fc.base64String({ maxLength: 60 }),
  );
  const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

  test("is searched without a fault, and the finds are in order, inside it and apart", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });

  test("holds no secret any more once it is redacted", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(findSecrets(redact(text))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("that holds a token does not hold it after redaction, wherever it stood", () => {
    const around = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(around, anyToken, around, (before, planted, behind) => {
        expect(redact(`${before} ${planted} ${behind}`)).not.toContain(planted);
      }),
      { numRuns: 500 },
    );
  });

  test("that was found once is nowhere after redaction, whatever stands around its copies", () => {
    fc.assert(
      fc.property(anyToken, fc.array(fc.tuple(piece, piece), { maxLength: 6 }), (token, around) => {
        const copies = around.map(([before, behind]) => before + token + behind).join("");
        expect(redact(`${copies} ${token} ${copies}`)).not.toContain(token);
      }),
      { numRuns: 500 },
    );
  });

  test("that is part of a longer word is redacted where it is known from another place", () => {
    const token = `ghp_${"a1B2c3D4".repeat(5)}`.slice(0, 40);
    expect(redact(`x${token}y and ${token}`)).toBe("x[redacted github-pat]y and [redacted github-pat]");
    const encoded = Buffer.from(`password=${token}`).toString("base64");
    expect(redact(`${encoded} zz${encoded}`)).not.toContain(encoded);
  });

  test("of two secrets that overlap in a third place, no part of either is left there", () => {
    const [first, second] = ["Zq8rT1vWx9LmNp2s", "x9LmNp2sKd83hfQw"];
    const redacted = redact(`password=${first} password=${second} xxZq8rT1vWx9LmNp2sKd83hfQwyy`);
    expect(redacted).toBe("password=[redacted password] password=[redacted password] xx[redacted password]yy");
  });

  test("is redacted whole with its text when its copies would take too long to look for", () => {
    const tokens = Array.from({ length: 3000 }, (_, at) => `password=aaaaaaaa${"a".repeat(at % 100)}${at}Zq`);
    expect(redact(`${tokens.join(" ")} ${"a".repeat(100_000)}`)).toBe("[redacted text]");
  });
});

interface SecretCase {
  readonly id: string;
  readonly class: string;
  readonly parts: readonly string[];
}

sharedSuite("conformance/secrets", (folder) => {
  const read = (name: string): SecretCase[] =>
    readFileSync(join(folder, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const positives = read("positives.jsonl");
  const lookalikes = read("lookalikes.jsonl");

  test("is whole", () => {
    expect([positives.length, new Set(positives.map((one) => one.class)).size, lookalikes.length]).toEqual([
      278, 139, 215,
    ]);
  });

  test.each(positives)("finds $id, $class", ({ parts }) => {
    expect(findSecrets(parts.join(""))).not.toEqual([]);
  });

  test.each(lookalikes)("lets $id pass, $class", ({ parts }) => {
    expect(findSecrets(parts.join(""))).toEqual([]);
  });
});
