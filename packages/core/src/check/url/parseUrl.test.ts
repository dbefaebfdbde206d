import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { URL } from "whatwg-url";
import { parseAny, parseUrl, serialiseUrl } from "./parseUrl.ts";

const pieces = fc.constantFrom(
  ...[
    "http://",
    "https://",
    "a",
    "b-c",
    "com",
    "xn--",
    "xn--mnchen-3ya",
    "1",
    "0x1",
    "127",
    ".",
    "..",
    "/",
    "//",
    "/.",
    "/..",
    "%2e",
  ],
  ...[
    "%2E",
    "%",
    "%41",
    ":",
    ":80",
    ":443",
    ":8080",
    ":99999",
    ":08",
    "?",
    "#",
    "@",
    "'",
    '"',
    "|",
    "^",
    "{",
    "_",
    "-",
    "~",
    "A",
    "\\",
  ],
  ...["\t", " ", "\u00e9", "[", "]", "!", "$", "&", "(", "*", "+", ",", ";", "=", "\n"],
);
const almostPlain = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.constantFrom("a.com", "b.c-d.e.org", "a.0x1", "a.1", "x.xn--p1ai", "a.b1"),
    fc.array(pieces, { maxLength: 8 }),
  )
  .map(([scheme, host, rest]) => `${scheme}://${host}${rest.join("")}`);

test("the short way and the library give the same", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        almostPlain,
        fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
        fc.webUrl(),
      ),
      (text) => {
        expect(parseUrl(text)).toEqual(parseAny(text));
      },
    ),
    { numRuns: 20_000 },
  );
});

describe("the short way steps aside for what the standard changes", () => {
  test.each([
    ["http://a.com/b/../c", "/c"],
    ["http://a.com/%2E%2e/c", "/c"],
    ["http://a.com", "/"],
    ["http://a.com/'", "/'"],
  ])("%s", (text, path) => expect(parseUrl(text)?.path).toBe(path));

  test.each(["http://a.1/", "http://a.0x1/", "http://a.xn--a/", "http://a.com:65536/"])("%s fails", (text) =>
    expect(parseUrl(text)).toBeNull(),
  );
});

test("serialises as the library does", () => {
  const any = fc.oneof(
    fc.webUrl(),
    almostPlain,
    fc.constantFrom("mailto:a@b", "foo:/a//b", "foo:/..//b", "http://u:p@a.com/", "http://u@a.com/", "file:///c:/a"),
  );
  fc.assert(
    fc.property(any, (text) => {
      const parsed = parseUrl(text);
      if (parsed === null) return;
      const own = new URL(text);
      expect(serialiseUrl(parsed, "kept")).toBe(own.href);
      if (own.host !== "") own.username = own.password = "";
      expect(serialiseUrl(parsed, "left out")).toBe(own.href);
    }),
    { numRuns: 5_000 },
  );
});
