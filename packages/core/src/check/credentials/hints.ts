import { byCodePoint } from "../../json/mandateForm.ts";
import { excessOf } from "../../json/measure.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";

/** The published vocabulary of the mandate dialect. A name that holds one of these is a hit, also inside a longer word. */
const HINTS = [
  "credential",
  "secret",
  "private_key",
  "privatekey",
  "token",
  "password",
  "passwd",
  "pwd",
  "api_key",
  "apikey",
  "access_key",
  "secret_key",
  "session_key",
  "bearer",
  "passphrase",
  "auth",
  "authorization",
  "cookie",
  "set-cookie",
  "signature",
  "sig",
  "client_secret",
  "refresh_token",
  "id_token",
  "sas",
  "otp",
];

const NAME_HINT = new RegExp(HINTS.map((hint) => hint.replaceAll("-", "_")).join("|"));

/** White space as the published rule's language has it: also the separators of files and records. */
const SPACE = "[\\s\\u001c-\\u001f\\u0085]";

/** The published shapes. Where one says "at least n" the n that must be there are asked for: linear on any text. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /-----BEGIN (?:CERTIFICATE|OPENSSH|PGP)/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20}/,
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\bxox[abposr]-[A-Za-z0-9-]{10}/,
  /\bAIza[0-9A-Za-z_-]{30}/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[A-Za-z0-9+/=]{16}/,
];

const HEADER = new RegExp(`\\b(?:bearer${SPACE}+[A-Za-z0-9._~+/=-]{8}|basic${SPACE}+[A-Za-z0-9+/=]{12})`, "iu");
const SHAPE = new RegExp(SHAPES.map(({ source }) => source).join("|"));

const ASSIGNMENT = new RegExp(`(?:${HINTS.join("|")})${SPACE}*[=:]${SPACE}*[^\\s\\u001c-\\u001f\\u0085]`);

/** How deep the mandate dialect reads at all; deeper values are its error before they come here. */
const BOUNDS = { depth: 1000, nodes: 2_000_000 };

/**
 * The places where the published rule of the mandate dialect sees a credential, as dotted paths below `root` with `[n]`
 * for elements, sorted by code point, each once. It is a rule about names: "design" holds "sig" and is a hit. Values
 * never appear. A value beyond 1,000 levels or 2,000,000 nodes is one hit, at `root`.
 */
export function findCredentialHints(value: JsonValue, root: string): readonly string[] {
  if (excessOf(value, BOUNDS) !== undefined) return [root];
  const found = new Set<string>();
  search(value, root, found);
  return [...found].sort(byCodePoint);
}

function search(value: JsonValue, path: string, found: Set<string>): void {
  if (typeof value === "string") {
    if (isCredential(value)) found.add(path);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) search(item, `${path}[${index}]`, found);
    return;
  }
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const here = `${path}.${name}`;
    const plain = name.toLowerCase().replaceAll("-", "_");
    if (NAME_HINT.test(plain)) found.add(here);
    search(member, here, found);
  }
}

const isCredential = (text: string): boolean =>
  HEADER.test(text) || SHAPE.test(text) || holdsJwt(text) || ASSIGNMENT.test(text.toLowerCase());

/**
 * `eyJ` at a word's start and 8 characters, a dot, 8 characters, a dot, one more. Written out: as one expression it
 * would take the square of the text's length on a long run without a dot.
 */
function holdsJwt(text: string): boolean {
  if (!text.includes("eyJ")) return false;
  return text.split(/[^A-Za-z0-9_.-]+/).some((word) => {
    const parts = word.split(".");
    return parts.some((part, at) => {
      const second = parts[at + 1] ?? "";
      const third = parts[at + 2] ?? "";
      // The first one leaves the longest rest.
      const start = part.search(/\beyJ/);
      return start !== -1 && part.length - start >= 11 && second.length >= 8 && third.length >= 1;
    });
  });
}
