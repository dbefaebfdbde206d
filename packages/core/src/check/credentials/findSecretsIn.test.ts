import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/value.ts";
import { findSecretsIn, judgeCredentials } from "./findSecretsIn.ts";
import { redactIn } from "./redact.ts";

const token = `ghp_${"Zq3".repeat(4)}${"v8Kx".repeat(6)}`;
const secret = "qW3rTy7uIoP9aSdF2gHjK4lZ";

describe("the secrets in a value", () => {
  test.each<{ it: string; value: JsonValue; want: [kind: string, path: string][] }>([
    { it: "a string at the root", value: token, want: [["github-pat", ""]] },
    { it: "a string below", value: { a: [1, { "b/c": token }] }, want: [["github-pat", "/a/1/b~1c"]] },
    {
      it: "a name, which the path does not repeat",
      value: { [token]: 1 },
      want: [["github-pat", "/[redacted github-pat]"]],
    },
    {
      it: "something below such a name",
      value: { [token]: { x: token } },
      want: [
        ["github-pat", "/[redacted github-pat]"],
        ["github-pat", "/[redacted github-pat]/x"],
      ],
    },
    {
      it: "a value that only its name gives away",
      value: { auth: { password: secret } },
      want: [["password", "/auth/password"]],
    },
    { it: "one kind where form and name agree", value: { token }, want: [["github-pat", "/token"]] },
    {
      it: "a list of bytes under a key's name",
      value: { secretKey: Array(64).fill(7) },
      want: [["key-bytes", "/secretKey"]],
    },
    { it: "the private part of a JWK", value: { kty: "OKP", x: secret, d: secret }, want: [["jwk-private", "/d"]] },
    {
      it: "everything in a cluster secret's data",
      value: { kind: "Secret", data: { user: "Ym90", blob: "AAECAw==" } },
      want: [
        ["kube-secret", "/data/user"],
        ["kube-secret", "/data/blob"],
      ],
    },
    { it: "nothing in the data of something else", value: { kind: "ConfigMap", data: { user: "Ym90" } }, want: [] },
    {
      it: "nothing in numbers and empty values",
      value: { password: null, token: 5, secret: "", api_key: false },
      want: [],
    },
    { it: "nothing in a public JWK", value: { kty: "OKP", x: secret }, want: [] },
  ])("are $it", ({ value, want }) => {
    expect(findSecretsIn(value).map(({ kind, path }) => [kind, path])).toEqual(want);
    const left = JSON.stringify(redactIn(value));
    if (want.length > 0) {
      expect(left).toContain("[redacted ");
      expect(findSecretsIn(redactIn(value))).toEqual([]);
    } else {
      expect(left).toBe(JSON.stringify(value));
    }
  });

  test("become findings that block and point into the ask", () => {
    expect(judgeCredentials({ a: token }, "/action/parameters")).toEqual([
      {
        check: "credentials",
        code: "credentials.found",
        severity: "block",
        path: "/action/parameters/a",
        message: "carries a secret of the kind github-pat",
        retry: "changed",
      },
    ]);
  });

  test("are never taken for none because a value is too large to search", () => {
    let deep: JsonValue = token;
    for (let i = 0; i < 5000; i += 1) deep = [deep];
    expect(findSecretsIn(deep)).toEqual([{ kind: "unsearched", path: "" }]);
    expect(redactIn(deep)).toBe("[redacted unsearched]");
    expect(judgeCredentials(deep, "/data")).toMatchObject([{ code: "credentials.unsearched", severity: "block" }]);
  });

  test("keep both members when two secret names come out alike", () => {
    const value = { [token]: 1, [`${token}x`]: 2 };
    expect(redactIn(value)).toEqual({ "[redacted github-pat]": 1, "[redacted github-pat]~2": 2 });
  });

  test("leave a member called __proto__ where it was", () => {
    const value = JSON.parse(`{"__proto__": {"password": "${secret}"}}`);
    expect(findSecretsIn(value)).toEqual([{ kind: "password", path: "/__proto__/password" }]);
    expect(JSON.stringify(redactIn(value))).toBe('{"__proto__":{"password":"[redacted password]"}}');
  });
});

describe("any value with a token planted in it", () => {
  const name = fc.oneof(fc.constantFrom("password", "kind", "kty", "d", "data", "__proto__", token), fc.string());
  const { planted } = fc.letrec<{ planted: JsonValue }>((tie) => ({
    planted: fc.oneof(
      { maxDepth: 4 },
      fc.constant(token),
      fc.string().map((text) => `${text} ${token}`),
      fc.array(tie("planted"), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(name, tie("planted")), { minLength: 1, maxLength: 3 }).map((all) => Object.fromEntries(all)),
    ),
  }));

  test("is found, named nowhere in the findings, and gone after redaction", () => {
    fc.assert(
      fc.property(planted, (value) => {
        const found = findSecretsIn(value);
        expect(found.length).toBeGreaterThan(0);
        expect(JSON.stringify(found)).not.toContain(token);
        expect(JSON.stringify(redactIn(value))).not.toContain(token);
        expect(findSecretsIn(redactIn(value))).toEqual([]);
      }),
    );
  });

  test("and any other value is searched without a fault", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const value = raw as JsonValue;
        if (findSecretsIn(value).length === 0) expect(redactIn(value)).toEqual(value);
      }),
    );
  });
});
