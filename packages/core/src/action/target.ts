import { type ParsedUrl, parseUrl } from "../check/url/parseUrl.ts";
import { err, ok, type Result } from "../result.ts";
import { normalText } from "../text/normalText.ts";
import { percentDecoded } from "./percentDecoded.ts";

/** A target in two spellings. A clause that permits must match both; one that forbids, either. */
export interface Target {
  /** As it was proposed, untouched. */
  readonly written: string;
  /** The one spelling of everything that a server, a file system or a person may take for the same thing. */
  readonly normal: string;
}

export interface TargetError {
  readonly code:
    | "target.empty"
    | "target.too_long"
    | "target.character"
    | "target.encoding"
    | "target.url"
    | "target.unstable";
  readonly message: string;
}

/** In UTF-16 units. Twice what servers commonly accept as a URL. */
export const TARGET_MAX_LENGTH = 16_384;

/** NFKC can make one character eighteen; what grows beyond this is refused. */
const NORMAL_MAX_LENGTH = 4 * TARGET_MAX_LENGTH;

/** A spelling that is not settled after this many rounds was made to hide something. */
const MAX_ROUNDS = 16;

/**
 * What nobody sees or everybody reads differently: controls, format characters (bidi, zero-width), line and paragraph
 * separators, everything that may be ignored in display, lone surrogates, and what this runtime's Unicode does not assign.
 */
export const holdsUnseen = (text: string): boolean =>
  !PLAIN.test(text) && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/u.test(text);

/** Most texts hold nothing else, and looking for what nobody sees takes long to prepare. */
const PLAIN = /^[ -~]*$/;

/** The schemes for which the URL standard supplies a missing "//" and takes "\" for "/". */
const SPECIAL = /^(?:https?|wss?|ftp|file):/i;
const WITH_AUTHORITY = /^[a-z][a-z0-9+.-]*:[/]{2}/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** What an opaque host may not hold once it is decoded: it would end the authority somewhere else. */
const HOST_DELIMITER = /[\s#%/:<>?@[\\\]^|]/;

const FAULTS = {
  "target.empty": "the target is empty",
  "target.too_long": `the target is longer than ${TARGET_MAX_LENGTH} characters`,
  "target.character": "the target has a control, invisible, bidirectional or unassigned character",
  "target.encoding": "the target has percent-encoded bytes that are not UTF-8",
  "target.url": "the target looks like a URL and is not a valid one",
  "target.unstable": "the target is encoded inside itself too many times",
} as const satisfies Record<TargetError["code"], string>;

const refuse = (code: TargetError["code"]): Result<never, TargetError> => err({ code, message: FAULTS[code] });

/**
 * The normal form of a URL, a path, an on-chain id or a package name: percent-decoding to a fixed point; NFKC; `.`, `..`
 * and `//` collapsed, "\" taken for "/"; of a URL, the WHATWG form without user-info, default port and trailing dot, the
 * host in lower case. In a URL a space and what would end its path or query ("?", "#") stay encoded.
 * `normaliseTarget(normal).normal` is `normal`. Work is linear in the length, which is at most TARGET_MAX_LENGTH.
 */
export function normaliseTarget(text: string): Result<Target, TargetError> {
  if (text.length > TARGET_MAX_LENGTH) return refuse("target.too_long");
  let normal = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = step(normal);
    if (!next.ok) return next;
    if (next.value.length > NORMAL_MAX_LENGTH) return refuse("target.too_long");
    if (next.value === normal) return ok({ written: text, normal });
    normal = next.value;
  }
  return refuse("target.unstable");
}

/** One application of every rule. What it uncovers (a path that decodes to a URL) is met by the next. */
function step(text: string): Result<string, TargetError> {
  if (holdsUnseen(text)) return refuse("target.character");
  const trimmed = text.trim();
  if (trimmed === "") return refuse("target.empty");
  if (SPECIAL.test(trimmed) || WITH_AUTHORITY.test(trimmed)) {
    const url = parseUrl(trimmed);
    return url === null || url.host === null ? refuse("target.url") : stepUrl(url, url.host);
  }
  const plain = decode(trimmed);
  if (!plain.ok) return plain;
  const scheme = SCHEME.exec(plain.value)?.[0] ?? "";
  const rest = collapse(plain.value.slice(scheme.length));
  return ok(scheme.toLowerCase() + (rest === "" && scheme === "" ? "." : rest));
}

function stepUrl(url: ParsedUrl, written: string): Result<string, TargetError> {
  const host = stepHost(written);
  if (!host.ok) return host;
  const path = decode(url.path);
  if (!path.ok) return path;
  const query = decode(url.query ?? "");
  if (!query.ok) return query;
  const fragment = decode(url.fragment ?? "");
  if (!fragment.ok) return fragment;
  const port = url.port === null ? "" : `:${url.port}`;
  const tail =
    collapse(path.value).replace(/[ ?#]/g, encodeURIComponent) +
    (url.query === null ? "" : `?${query.value.replace(/[ #]/g, encodeURIComponent)}`) +
    (url.fragment === null ? "" : `#${fragment.value.replace(/ /g, "%20")}`);
  return ok(`${url.scheme}://${host.value}${port}${tail}`);
}

function stepHost(written: string): Result<string, TargetError> {
  if (written === "" || written.startsWith("[")) return ok(written);
  const decoded = decode(written);
  if (!decoded.ok) return decoded;
  const host = decoded.value.toLowerCase().replace(/[.]$/, "");
  // Two dots in a row are no name, and taking them away could uncover a number that reads as an address.
  return HOST_DELIMITER.test(host) || host.split(".").includes("") ? refuse("target.url") : ok(host);
}

/** Percent-decoding and NFKC until neither changes anything: a full-width percent sign hides an escape, and an escape a sign. */
function decode(text: string): Result<string, TargetError> {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoded = percentDecoded(before);
    if (!decoded.wellFormed) return refuse("target.encoding");
    const after = normalText(decoded.text, "NFKC");
    if (holdsUnseen(after)) return refuse("target.character");
    if (after.length > NORMAL_MAX_LENGTH) return refuse("target.too_long");
    if (after === before) return ok(after);
    before = after;
  }
  return refuse("target.unstable");
}

/** `.`, `..`, `//` and "\" taken out of a path. A rooted path never climbs above its root; a relative one keeps what climbs. */
function collapse(path: string): string {
  const segments = path.replaceAll("\\", "/").split("/");
  const rooted = segments.length > 1 && segments[0] === "";
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!rooted) kept.push(segment);
  }
  const last = segments.at(-1);
  const open = kept.length > 0 && segments.length > 1 && (last === "" || last === "." || last === "..");
  return (rooted ? "/" : "") + kept.join("/") + (open && kept.at(-1) !== ".." ? "/" : "");
}
