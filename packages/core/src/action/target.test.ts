import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseTarget, TARGET_MAX_LENGTH } from "./target.ts";

const normal = (text: string) => {
  const result = normaliseTarget(text);
  return result.ok ? result.value.normal : result.error.code;
};

describe("a URL has one spelling", () => {
  test.each([
    ["https://example.com", "https://example.com/"],
    ["HTTPS://EXAMPLE.com:443/A", "https://example.com/A"],
    ["https://example.com./a", "https://example.com/a"],
    ["https://user:secret@example.com/a", "https://example.com/a"],
    ["https:\\\\example.com\\a\\b", "https://example.com/a/b"],
    ["https:example.com", "https://example.com/"],
    ["  https://example.com/a  ", "https://example.com/a"],
    ["https://example.com/a/../b", "https://example.com/b"],
    ["https://example.com/a/%2e%2e/b", "https://example.com/b"],
    ["https://example.com/a/%252e%252e/b", "https://example.com/b"],
    ["https://example.com/a/%25252e%25252e%25252fb", "https://example.com/b"],
    ["https://example.com/a%5c..%5cb", "https://example.com/b"],
    ["https://example.com//a///b", "https://example.com/a/b"],
    ["https://example.com/%61%62", "https://example.com/ab"],
    ["https://example.com/%C3%A9", "https://example.com/\u00e9"],
    ["https://example.com/e\u0301", "https://example.com/\u00e9"],
    ["https://example.com/\uff0e\uff0e/b", "https://example.com/b"],
    ["https://example.com/%EF%BC%8E%EF%BC%8E%EF%BC%8Fb", "https://example.com/b"],
    ["https://example.com/\uff052e\uff052e/b", "https://example.com/b"],
    ["https://example.com/100%25", "https://example.com/100%"],
    ["https://example.com/my%20docs", "https://example.com/my%20docs"],
    ["https://example.com/a%3Fb%23c", "https://example.com/a%3Fb%23c"],
    ["https://example.com/a?x=%2e%2e/%61#%62", "https://example.com/a?x=../a#b"],
    ["https://example.com/?", "https://example.com/?"],
    ["https://b\u00fccher.example/", "https://xn--bcher-kva.example/"],
    ["https://\uff45xample.com/", "https://example.com/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://[::ffff:7f00:1]:80/", "http://[::ffff:7f00:1]/"],
    ["api://Repo/Owner/name", "api://repo/Owner/name"],
    ["api://repo./a%2Fb", "api://repo/a/b"],
    ["postgres://u:p@DB.example:5432/x", "postgres://db.example:5432/x"],
    ["file:///etc/../tmp//x", "file:///tmp/x"],
    ["http%3A//example.com/a", "http://example.com/a"],
  ])("%s", (text, want) => expect(normal(text)).toBe(want));
});

describe("what is no URL has one spelling too", () => {
  test.each([
    ["/var/lib/../tmp/./x", "/var/tmp/x"],
    ["/../../etc/passwd", "/etc/passwd"],
    ["/srv/%2e%2e/etc", "/etc"],
    ["/srv/..\\..\\etc", "/etc"],
    ["/srv/", "/srv/"],
    ["/srv//a/", "/srv/a/"],
    ["/srv/a/..", "/srv/"],
    ["/srv/..", "/"],
    ["/", "/"],
    ["./a", "a"],
    ["./", "."],
    ["../a/../../b", "../../b"],
    ["..", ".."],
    ["~/notes/my file.txt", "~/notes/my file.txt"],
    ["C:\\Users\\..\\Windows", "c:/Windows"],
    [
      "eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      "eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    ],
    ["EIP155:1", "eip155:1"],
    ["@scope/pkg", "@scope/pkg"],
    ["npm:@scope/pkg@1.2.3", "npm:@scope/pkg@1.2.3"],
    ["left-pad", "left-pad"],
    ["\uff4c\uff45\uff46\uff54-pad", "left-pad"],
    ["mailto:a@b.example", "mailto:a@b.example"],
    ["invoice #7? yes", "invoice #7? yes"],
    ["50%", "50%"],
    ["%zz%4", "%zz%4"],
  ])("%s", (text, want) => expect(normal(text)).toBe(want));
});

describe("what would be seen differently by two readers is refused", () => {
  test.each([
    ["nothing", "", "target.empty"],
    ["blanks only", " \u3000 ", "target.empty"],
    ["a line feed", "/a\nb", "target.character"],
    ["a null byte", "/a\u0000", "target.character"],
    ["an encoded null byte", "/a%00", "target.character"],
    ["a twice encoded line feed", "https://example.com/%250a", "target.character"],
    ["a tab the URL parser would drop", "https://exa\tmple.com/", "target.character"],
    ["a C1 control", "/a\u0085b", "target.character"],
    ["a bidi override", "/a\u202egpj.exe", "target.character"],
    ["an encoded bidi override", "/a%E2%80%AEb", "target.character"],
    ["a zero-width space", "/a\u200bb", "target.character"],
    ["a zero-width joiner in a host", "https://exa\u200dmple.com/", "target.character"],
    ["a soft hyphen", "https://exam\u00adple.com/", "target.character"],
    ["a Hangul filler", "/a\u3164", "target.character"],
    ["a tag character", "/a\u{e0041}", "target.character"],
    ["a variation selector", "/a\ufe0f", "target.character"],
    ["a line separator", "/a\u2028b", "target.character"],
    ["an unassigned character", "/a\u0378", "target.character"],
    ["a noncharacter", "/a\uffff", "target.character"],
    ["a lone surrogate", "/a\ud800", "target.character"],
    ["an overlong dot", "/srv/%c0%ae%c0%ae/etc", "target.encoding"],
    ["a stray byte", "/a%ff", "target.encoding"],
    ["an encoded surrogate", "/a%ed%a0%80", "target.encoding"],
    ["a URL without a host", "https://", "target.url"],
    ["a host that breaks off", "http://[::1", "target.url"],
    ["a port that is none", "https://example.com:99999/", "target.url"],
    ["a slash hidden in a host", "api://a%2Fb/c", "target.url"],
    ["an at sign hidden in a host", "api://a%40b/c", "target.url"],
    ["two dots that hide an address", "http://127.1../", "target.url"],
    ["too long a text", `/${"a".repeat(TARGET_MAX_LENGTH)}`, "target.too_long"],
    ["a short text that NFKC makes long", "\ufdfa".repeat(TARGET_MAX_LENGTH), "target.too_long"],
  ])("%s", (_, text, code) => expect(normal(text)).toBe(code));
});

test("keeps what was written beside the normal form", () =>
  expect(normaliseTarget("HTTP://A.example/%61")).toEqual({
    ok: true,
    value: { written: "HTTP://A.example/%61", normal: "http://a.example/a" },
  }));

test("never says what the attacker wrote", () => {
  const result = normaliseTarget("https://user:hunter2@[");
  expect(JSON.stringify(result)).not.toContain("hunter2");
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "%",
          "25",
          "2e",
          "2E",
          "%2e",
          "%2f",
          "%5c",
          "%3a",
          "/",
          "//",
          "\\",
          ".",
          "..",
          "a",
          "B",
          ":",
          "@",
          "?",
          "#",
        ],
        ...[
          "[",
          "]",
          "http",
          "https:",
          "file:",
          "api:",
          "C|",
          " ",
          "%20",
          "\uff05",
          "\uff0e",
          "\uff0f",
          "%EF%BC%85",
          "\u00e9",
        ],
        ...[
          "e\u0301",
          "\u0130",
          "\u1e9e",
          "\u03a3",
          "\ufdfa",
          "\u00b2",
          "\u2488",
          "127.1",
          "xn--",
          "%C3%A9",
          "\u3000",
          ";",
          "&",
          "=",
        ],
      ),
      { maxLength: 24 },
    )
    .map((parts) => parts.join("")),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

test("normalising what is normal changes nothing", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const once = normaliseTarget(text);
      if (!once.ok) return;
      const twice = normaliseTarget(once.value.normal);
      expect(twice).toEqual({ ok: true, value: { written: once.value.normal, normal: once.value.normal } });
    }),
    { numRuns: 3000 },
  );
});

test("a normal form neither climbs nor hides an escape of a dot or slash", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const result = normaliseTarget(`/root/${text}`);
      if (!result.ok) return;
      expect(result.value.normal).not.toMatch(/[/][.]{1,2}(?:[/]|$)|[/]{2}|\\|%2[ef]|%5c/i);
    }),
    { numRuns: 3000 },
  );
});

/** Decoding again and again, until nothing changes: slow, and plainly what is meant. */
function decodeSlowly(text: string): string {
  const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return next === text ? text : decodeSlowly(next);
}

test("one pass over the escapes gives what decoding again and again gives", () => {
  const escapes = fc.array(fc.constantFrom("%", "2", "5", "6", "1", "a", "B", "%25", "%32", "%35", "%41"), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(escapes, (parts) => {
      const want = decodeSlowly(`x${parts.join("")}`);
      const result = normaliseTarget(`x${parts.join("")}`);
      if (/[^ -~]/.test(want)) return;
      expect(result).toMatchObject({ ok: true, value: { normal: want } });
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ["percent signs encoded in each other", `%${"25".repeat(8190)}`, "%"],
  ["encoded percent signs", "%25".repeat(5461), "%".repeat(5461)],
  ["bare percent signs", "%".repeat(TARGET_MAX_LENGTH), "%".repeat(TARGET_MAX_LENGTH)],
  ["climbing", "../".repeat(5461), `${"../".repeat(5460)}..`],
  ["deep folders", "a/".repeat(8192), "a/".repeat(8192)],
  ["encoded climbing", "/%2e%2e%2f".repeat(1638), "/"],
  ["down and up", "a\\..\\".repeat(3276), "."],
  ["full-width percent signs", "\uff05".repeat(TARGET_MAX_LENGTH), "%".repeat(TARGET_MAX_LENGTH)],
  ["encoded full-width percent signs", "%EF%BC%85".repeat(1820), "%".repeat(1820)],
])("settles the greatest length of %s", (_, text, want) => expect(normal(text)).toBe(want));
