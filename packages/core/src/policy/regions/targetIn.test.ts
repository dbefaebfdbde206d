import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseTarget } from "../../action/target.ts";
import { inClass } from "./region.ts";
import { targetIn } from "./targetIn.ts";

const normalOf = (text: string): string | undefined => {
  const read = normaliseTarget(text);
  return read.ok ? read.value.normal : undefined;
};

test.each([
  { under: "", except: [], want: "x" },
  { under: "/a/", except: [], want: "/a/" },
  { under: "/a/", except: ["/a/x", "/a/y"], want: "/a/" },
  { under: "/a/.", except: [], want: "/a/.x" },
  { under: "/a/..", except: [], want: "/a/..x" },
  { under: "../", except: [], want: "../x" },
  { under: "https://h.example", except: ["https://h.example/"], want: "https://h.examplex/" },
  { under: "https:", except: [], want: "https://x/" },
  { under: "https://", except: ["https://x/"], want: "https://y/" },
  { under: "https://h:", except: ["https://h:8"], want: "https://h:1/" },
  { under: "https://[::", except: [], want: "https://[::1]/" },
  { under: "https://10.0.0.", except: [], want: "https://10.0.0.x/" },
  { under: "https://xn--bcher", except: [], want: "https://xn--bcher/" },
  { under: "file:///", except: ["file:///x"], want: "file:///" },
  { under: "https://h/a%20", except: [], want: "https://h/a%20" },
])("finds a short target under $under without $except", ({ under, except, want }) => {
  expect(targetIn({ under, except })).toEqual({ target: want });
});

test.each([
  "//",
  "/a//",
  "/a/../",
  "./",
  "https://H/",
  "https://h/%61",
  "/a%2F",
  "ａ",
  " a",
  "Https:",
  "https://u@",
  "https://h..",
  "https:/x",
  "C:",
  "\\",
  "e\u0301",
])("knows that no normal form begins with %s", (under) => {
  expect(targetIn({ under, except: [] })).toBe("none");
});

test("runs out of letters later than a document out of lines", () => {
  const letters = Array.from({ length: 0x9fa5 - 0x4e00 + 1 }, (_, i) => String.fromCharCode(0x4e00 + i));
  const except = [..."abcdefghijklmnopqrstuvwxyz", ...letters].map((letter) => `/a/${letter}`);
  // Not the prefix itself, which would be a target.
  const found = targetIn({ under: "/a/", except: except.filter((one) => one !== "/a/x") });
  expect(found).toEqual({ target: "/a/" });
  expect(targetIn({ under: "/a/.", except: except.map((one) => one.replace("/a/", "/a/.")).concat("/a/./") })).not.toBe(
    "none",
  );
});

/** Pieces that mean something somewhere: separators, dots, escapes, letters of other scripts, ports, brackets. */
const PIECES = [
  "/",
  "/",
  ".",
  "..",
  "%",
  "%2",
  "%20",
  "%3F",
  "a",
  "b",
  "Z",
  "é",
  "字",
  " ",
  "?",
  "#",
  ":",
  "8",
  "@",
  "-",
  "x",
  "0",
  "1",
  "&q=",
  "~",
  "+",
];
const STARTS = [
  "",
  "/",
  "https://h",
  "https://a.example/",
  "http://h:80",
  "https://h:8443/",
  "file:///",
  "foo://",
  "foo://é/",
  "mailto:",
  "eip155:1/erc20:",
  "npm ",
  "wss://h/",
  "https://10.1.2.",
  "https://[::1]/",
];
const anyNormal = fc
  .tuple(fc.constantFrom(...STARTS), fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }))
  .map(([start, pieces]) => normalOf(start + pieces.join("")))
  .filter((target) => target !== undefined);

test("never says that a class is empty which has a target, whatever is taken out of it", () => {
  fc.assert(
    fc.property(
      anyNormal,
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...PIECES)), { maxLength: 4 }),
      (target, cut, others) => {
        const under = target.slice(0, cut % (target.length + 1));
        const except = others
          .map(([at, piece]) => target.slice(0, under.length + (at % (target.length - under.length + 1))) + piece)
          .filter((prefix) => prefix.length > under.length && !target.startsWith(prefix));
        const found = targetIn({ under, except });
        expect({ under, except, found }).not.toEqual({ under, except, found: "none" });
        if (typeof found === "string") return;
        expect(inClass({ under, except }, found.target)).toBe(true);
        expect(normalOf(found.target)).toBe(found.target);
      },
    ),
    { numRuns: 3_000 },
  );
});
