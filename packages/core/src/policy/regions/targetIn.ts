import { normaliseTarget } from "../../action/target.ts";
import { inClass, type TargetClass } from "./region.ts";

/**
 * A short target of the class, in normal form. `none`: there is none, as with a prefix that no normal form begins with.
 * `unknown`: neither found nor excluded, which only happens inside the host or port of a URL.
 *
 * Why one letter decides: behind the host, what a normal form may not hold (a capital where case is folded, "//", an
 * escape, a compatibility character) it may not hold whatever follows, and no letter from g on completes an escape or
 * composes with what is before it. So where `under` and such a letter are no normal form, nothing that begins so is.
 */
export function targetIn(targets: TargetClass): { readonly target: string } | "none" | "unknown" {
  const { under } = targets;
  if (under !== "" && isNormal(under) && inClass(targets, under)) return { target: under };
  const host = openHost(under);
  if (host !== undefined) return inHost(host, targets);
  if (under !== "" && !isNormal(`${under}x`)) return "none";
  return { target: under + freshLetters(targets) };
}

function isNormal(text: string): boolean {
  const read = normaliseTarget(text);
  return read.ok && read.value.normal === text;
}

/** Letters that none of the exceptions goes on with. There are more letters than one document can list. */
function freshLetters({ under, except }: TargetClass): string {
  const taken = new Set(except.map((prefix) => prefix[under.length]));
  const free = [...LETTERS].find((letter) => !taken.has(letter));
  if (free !== undefined) return free;
  for (let code = FIRST_IDEOGRAPH; code <= LAST_IDEOGRAPH; code += 1) {
    const letter = String.fromCharCode(code);
    if (!taken.has(letter)) return letter;
  }
  // Behind a letter that only longer exceptions begin with, the next one is free somewhere.
  const letter = [...LETTERS].find((one) => !except.includes(under + one)) ?? "x";
  return (
    letter +
    freshLetters({ under: under + letter, except: except.filter((prefix) => prefix.startsWith(under + letter)) })
  );
}

/** None of them is a hexadecimal digit. */
const LETTERS = "xyzwvutsrqponmlkjihg";
const FIRST_IDEOGRAPH = 0x4e00;
const LAST_IDEOGRAPH = 0x9fa5;

const SPECIAL_SCHEME = /^(https?|wss?|ftp|file):(?:\/\/?)?/;
const OPEN_AUTHORITY = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)$/;

interface OpenHost {
  /** Complete up to the two slashes. */
  readonly start: string;
  readonly authority: string;
  readonly special: boolean;
}

/** Where the prefix ends in the host or port of a URL, or before it. */
function openHost(under: string): OpenHost | undefined {
  const bare = SPECIAL_SCHEME.exec(under);
  if (bare !== null && bare[0] === under) return { start: `${bare[1]}://`, authority: "", special: true };
  const parts = OPEN_AUTHORITY.exec(under);
  if (parts === null) return undefined;
  return { start: under, authority: parts[2] ?? "", special: SPECIAL_SCHEME.test(under) };
}

function inHost({ start, authority, special }: OpenHost, targets: TargetClass) {
  if (neverInHost(authority, special)) return "none";
  for (const end of ENDS) {
    for (const letter of end.includes("*") ? [...LETTERS, ...PAIRS] : [""]) {
      const target = start + end.replace("*", letter);
      if (inClass(targets, target) && isNormal(target)) return { target };
    }
  }
  return "unknown";
}

const PAIRS = [...LETTERS].flatMap((a) => [...LETTERS].map((b) => a + b));

/** Ways to end a host: of a name, a port, an IPv6 and an IPv4 address, and a label in Punycode. */
const ENDS = [
  "/",
  "*/",
  ".*/",
  "*.*/",
  ":8/",
  "1/",
  "8/",
  "0/",
  "5/",
  ":1]/",
  "1]/",
  "]/",
  "::]/",
  ".1/",
  ".1.1/",
  ".1.1.1/",
  "80/",
  "808/",
  "-*/",
  "a/",
  "-kva/",
  "",
  "*",
] as const;

/** What the host of no normal form holds, whatever follows. */
function neverInHost(authority: string, special: boolean): boolean {
  if (/[A-Z@%\s<>^|\\]/.test(authority) || authority.startsWith(".") || authority.includes("..")) return true;
  // Names in other scripts are written in Punycode there.
  return special && /[^\x21-\x7e]/.test(authority);
}
