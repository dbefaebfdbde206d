import { stricter } from "../../decision/compose.ts";
import type { Finding, Severity, Verdict } from "../../decision/finding.ts";
import { inRange, parseAddress, reachOf } from "./address.ts";
import { homographReason } from "./homograph.ts";
import { nameAndParents, rankName } from "./hostName.ts";
import { EMBEDDING_NAMES, INTERNAL_NAMES } from "./internalNames.ts";
import { type ParsedUrl, parseUrl, serialiseUrl } from "./parseUrl.ts";
import { decodePunycode } from "./punycode.ts";
import { type ReadyPolicy, readyPolicy, type UrlPolicy } from "./urlPolicy.ts";

export interface UrlJudgement {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What the text says, once it could be read; also when it may not be used. */
  readonly url: JudgedUrl | null;
}

export interface JudgedUrl {
  /** As the WHATWG standard serialises it, without credentials. */
  readonly normalised: string;
  readonly scheme: string;
  /** As the standard writes it: Punycode, brackets around IPv6; "" when the URL has no host. */
  readonly hostname: string;
  readonly hostKind: "name" | "ipv4" | "ipv6" | "none";
  /** The one written, else the scheme's own; null for a scheme without one. */
  readonly port: number | null;
  /** What somebody registered, by the public suffix list; null for an address or a suffix itself. */
  readonly registrableDomain: string | null;
}

const OWN_PORT: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443, ftp: 21 };

/** Nothing to look at more closely: printable ASCII, no space, no backslash. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]*$/;
/**
 * What parsers drop, trim or read as a slash, and what turns text around. Joiners and variation selectors are part of words
 * and emoji, and stay allowed outside the host.
 */
const NOT_IN_URL =
  /[\p{Cc}\p{Cs}\p{Z}\\\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const NOT_IN_HOST = /[\p{Cf}\p{Default_Ignorable_Code_Point}%]/u;
const ENCODED_CONTROL = /%(?:25)*(?:[01][0-9a-f]|7f)/i;
/** Exactly two slashes: fewer or more, and parsers part ways on what is the host. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:[/]{2}(?![/\\])/i;
/** RFC 1035: 253 characters, and the dot that may end them. */
const MAX_HOST = 254;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const INTERNAL: ReadonlySet<string> = new Set(INTERNAL_NAMES);
const EMBEDDING: ReadonlySet<string> = new Set(EMBEDDING_NAMES);

/**
 * May this URL be used? Judged is the text as it stands: no name is resolved, and a redirect is a new URL. Total: any
 * text gives a judgement, in time linear in its length.
 */
export function judgeUrl(raw: string, policy: UrlPolicy): UrlJudgement {
  const notes = new Notes();
  const rules = readyPolicy(policy);
  for (const path of rules.faults)
    notes.block("url.policy", `the policy for URLs has an entry that means nothing: ${path}`, "later");
  if (raw.length > policy.maxLength) {
    notes.block("url.too_long", "the URL is too long", "changed", `at most ${policy.maxLength} characters`);
    return notes.judgement(null);
  }
  judgeText(raw, notes);
  const parsed = parseUrl(raw);
  if (parsed === null) {
    notes.block("url.malformed", "the text is not a URL by the WHATWG standard");
    return notes.judgement(null);
  }
  if ((parsed.host?.length ?? 0) > MAX_HOST) {
    notes.block("url.ambiguous_host", "the host is longer than a name can be");
    return notes.judgement(null);
  }
  const url = describe(parsed);
  judgeScheme(url, rules, notes);
  judgePort(url, rules, notes);
  if (ENCODED_CONTROL.test(`${parsed.path}${parsed.query ?? ""}${parsed.fragment ?? ""}`))
    notes.add(policy.encodedControls, "url.encoded_control", "the URL has percent-encoded control characters");
  if (url.hostKind === "name") judgeName(url, policy, rules, notes);
  else if (url.hostKind !== "none") judgeLiteral(url, policy, rules, notes);
  else notes.block("url.malformed", "the URL has no host");
  judgeLists(url, rules, notes);
  return notes.judgement(url);
}

/** The findings on one URL; each kind once. */
class Notes {
  readonly #findings = new Map<string, Finding>();

  block(code: string, message: string, retry: Finding["retry"] = "changed", expected?: string): void {
    this.#put({
      check: "url",
      code,
      severity: "block",
      message,
      retry,
      ...(expected === undefined ? {} : { expected }),
    });
  }

  /** A finding of the weight the policy gives; "allow" leaves none. */
  add(weight: Verdict | "advisory", code: string, message: string): void {
    if (weight === "allow") return;
    const severity: Severity = weight;
    this.#put({ check: "url", code, severity, message, retry: "changed" });
  }

  #put(finding: Finding): void {
    if (!this.#findings.has(finding.code)) this.#findings.set(finding.code, finding);
  }

  judgement(url: JudgedUrl | null): UrlJudgement {
    const findings = [...this.#findings.values()];
    const verdicts = findings.map(({ severity }): Verdict => (severity === "advisory" ? "allow" : severity));
    const verdict = verdicts.reduce(stricter, "allow");
    return { verdict, findings, url };
  }
}

/** What two parsers may read as two URLs is refused before one of them is asked. */
function judgeText(raw: string, notes: Notes): void {
  const plain = PLAIN.test(raw);
  if (!plain && NOT_IN_URL.test(raw))
    notes.block("url.character", "the URL has a space, a backslash, or a control or invisible character");
  const start = ABSOLUTE.exec(raw)?.[0].length;
  if (start === undefined) {
    notes.block("url.malformed", "the text does not begin with a scheme and two slashes");
    return;
  }
  const rest = raw.slice(start);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  const toSlash = /^[^/]*/.exec(rest)?.[0] ?? "";
  if (authority.includes("@")) notes.block("url.credentials", "the URL has a user name or password before its host");
  else if (toSlash.includes("@"))
    notes.block("url.ambiguous_host", "the host ends where some parsers do not see its end");
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (NOT_IN_HOST.test(host)) notes.block("url.ambiguous_host", "the host has percent-encoded or invisible characters");
}

function describe(parsed: ParsedUrl): JudgedUrl {
  const hostname = parsed.host ?? "";
  const hostKind = kindOf(hostname);
  return {
    normalised: serialiseUrl(parsed, "left out"),
    scheme: parsed.scheme,
    hostname,
    hostKind,
    port: parsed.port ?? OWN_PORT[parsed.scheme] ?? null,
    registrableDomain: hostKind === "name" ? rankName(withoutDot(hostname)).registrable : null,
  };
}

function kindOf(hostname: string): JudgedUrl["hostKind"] {
  if (hostname === "") return "none";
  if (hostname.startsWith("[")) return "ipv6";
  return /^\d+[.]\d+[.]\d+[.]\d+$/.test(hostname) ? "ipv4" : "name";
}

/** The host as a name or address alone: without brackets, and without the dot that ends a name. */
export const bareHost = (url: JudgedUrl): string => url.hostname.replace(/^\[|\]$|[.]$/g, "");

const withoutDot = (name: string): string => (name.endsWith(".") ? name.slice(0, -1) : name);

function judgeScheme(url: JudgedUrl, rules: ReadyPolicy, notes: Notes): void {
  if (rules.schemes.has(url.scheme)) return;
  notes.block("url.scheme", "the URL's scheme is not allowed", "changed", `one of ${[...rules.schemes].join(", ")}`);
}

function judgePort(url: JudgedUrl, rules: ReadyPolicy, notes: Notes): void {
  if (url.port === null || url.hostKind === "none") return;
  if (url.port !== 0 && (rules.ports === null || rules.ports.has(url.port))) return;
  const expected = rules.ports === null ? "1 to 65535" : `one of ${[...rules.ports].join(", ")}`;
  notes.block("url.port", "the URL's port is not allowed", "changed", expected);
}

function judgeLiteral(url: JudgedUrl, policy: UrlPolicy, rules: ReadyPolicy, notes: Notes): void {
  const address = parseAddress(url.hostname.replace(/^\[|\]$/g, ""));
  if (address === null) {
    notes.block("url.malformed", "the URL's host is not an address");
    return;
  }
  if (rules.internalRanges.some((range) => inRange(address, range))) return;
  const reach = reachOf(address);
  if (reach.reach === "internal") notes.block("url.private_address", `the host's address is ${reach.what}`);
  else notes.add(policy.rawPublicAddress, "url.raw_address", "the host is an address and not a name");
}

function judgeName(url: JudgedUrl, policy: UrlPolicy, rules: ReadyPolicy, notes: Notes): void {
  const name = withoutDot(url.hostname);
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label)))
    notes.block("url.ambiguous_host", "the host is not a name that every resolver reads alike");
  if (rules.internalNames.has(name)) return;
  const parents = nameAndParents(name);
  if (parents.some((parent) => EMBEDDING.has(parent)))
    notes.block("url.embedding_name", "the host's domain answers with addresses inside a network");
  const rank = rankName(name);
  if (parents.some((parent) => INTERNAL.has(parent)))
    notes.block("url.internal_name", "the host's name is reserved, or leads inside a network");
  else if (labels.length === 1)
    notes.add(policy.singleLabelNames, "url.single_label", "the host's name has a single label");
  else if (!rank.listed)
    notes.add(policy.unlistedSuffixes, "url.unlisted_suffix", "the host's last label is in no public suffix list");
  judgeLabels(labels, rank.listed ? rank.suffix : "", policy, notes);
}

/** The labels of a listed suffix are not anybody's choice, and are not judged. */
function judgeLabels(labels: readonly string[], suffix: string, policy: UrlPolicy, notes: Notes): void {
  if (!labels.some((label) => label.startsWith("xn--"))) return;
  const top = inUnicode(labels.at(-1) ?? "") ?? "";
  const chosen = suffix === "" ? labels : labels.slice(0, labels.length - suffix.split(".").length);
  for (const label of chosen) {
    const shown = inUnicode(label);
    if (shown === null) {
      notes.block("url.ambiguous_host", "the host has a label that does not decode");
      continue;
    }
    const reason = homographReason(shown, top);
    if (reason !== null) notes.add(policy.homographs, "url.homograph", `the host has a label ${reason}`);
  }
}

const inUnicode = (label: string): string | null => (label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label);

function judgeLists(url: JudgedUrl, rules: ReadyPolicy, notes: Notes): void {
  const host = withoutDot(url.hostname);
  if (rules.denies(host)) notes.block("url.denied", "the host is on the list of hosts that are denied");
  if (!rules.allows(host)) notes.block("url.not_allowed", "the host is not on the list of hosts that are allowed");
}
