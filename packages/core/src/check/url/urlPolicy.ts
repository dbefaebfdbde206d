import type { Verdict } from "../../decision/finding.ts";
import { type AddressRange, parseAddress, parseRange } from "./address.ts";
import { nameAndParents, rankName } from "./hostName.ts";
import { parseUrl } from "./parseUrl.ts";

/** Everybody, or exactly these: an empty list is nobody. */
export type Admitted<T> = { readonly everyone: true } | { readonly only: readonly T[] };

/**
 * `host`: exactly this name or address. `domain`: this name and everything below it. A permission for a whole public
 * suffix ("co.uk", "github.io") permits nobody, since strangers register there; a prohibition of one holds.
 */
export type HostRule = { readonly host: string } | { readonly domain: string };

/** What the operator says of URLs. Every value is written down; nothing is assumed by being left out. */
export interface UrlPolicy {
  /** In lower case, without the colon. */
  readonly schemes: readonly string[];
  /** The scheme's own port counts as its number. Port 0 is never allowed. */
  readonly ports: Admitted<number>;
  readonly allow: Admitted<HostRule>;
  /** Wins over `allow`. */
  readonly deny: readonly HostRule[];
  /** The internal addresses (ranges in CIDR form) and names that may be reached all the same. Exact names. */
  readonly internal: { readonly addresses: readonly string[]; readonly names: readonly string[] };
  /** A public address in place of a name. */
  readonly rawPublicAddress: Verdict;
  /** "intranet": resolved by whatever the machine's search list says. */
  readonly singleLabelNames: Verdict;
  /** The last label is in no public suffix list: private, mistaken, or very new. */
  readonly unlistedSuffixes: Verdict;
  /** A host that a person may take for another. */
  readonly homographs: Verdict;
  /** Percent-encoded control characters in path, query or fragment: the next hop may decode them. */
  readonly encodedControls: Verdict;
  /** Whether a name's addresses have to be known and judged as well; unknown ones block. */
  readonly resolution: "required" | "skipped";
  /** Of the text, in UTF-16 units. */
  readonly maxLength: number;
}

/** Web pages on the public internet. Ports beyond 80 and 443 are the ones that web servers commonly have. */
export const DEFAULT_URL_POLICY: UrlPolicy = {
  schemes: ["https", "http"],
  ports: { only: [80, 443, 3000, 4443, 8000, 8080, 8443] },
  allow: { everyone: true },
  deny: [],
  internal: { addresses: [], names: [] },
  rawPublicAddress: "allow",
  singleLabelNames: "block",
  unlistedSuffixes: "review",
  homographs: "review",
  encodedControls: "review",
  resolution: "skipped",
  maxLength: 16_384,
};

/** A policy made ready for asking: names in normal form, ranges as numbers. */
export interface ReadyPolicy {
  readonly schemes: ReadonlySet<string>;
  readonly ports: ReadonlySet<number> | null;
  readonly allows: (host: string) => boolean;
  readonly denies: (host: string) => boolean;
  readonly internalRanges: readonly AddressRange[];
  readonly internalNames: ReadonlySet<string>;
  /** Entries that mean nothing, by path. While there is one, nothing is allowed. */
  readonly faults: readonly string[];
}

const ready = new WeakMap<UrlPolicy, ReadyPolicy>();

/** Made once for each policy object. */
export function readyPolicy(policy: UrlPolicy): ReadyPolicy {
  const known = ready.get(policy);
  if (known !== undefined) return known;
  const made = makeReady(policy);
  ready.set(policy, made);
  return made;
}

function makeReady(policy: UrlPolicy): ReadyPolicy {
  const faults: string[] = [];
  const normal = (text: string, path: string): string => {
    const host = normaliseHost(text);
    if (host === null) faults.push(path);
    return host ?? "";
  };
  const rules = (list: readonly HostRule[], path: string) => {
    const named = list.map((rule, at) =>
      "host" in rule ? { host: normal(rule.host, `${path}/${at}`) } : { domain: normal(rule.domain, `${path}/${at}`) },
    );
    return {
      hosts: new Set(named.flatMap((rule) => ("host" in rule ? [rule.host] : []))),
      domains: new Set(named.flatMap((rule) => ("domain" in rule ? [rule.domain] : []))),
    };
  };
  const allow = "only" in policy.allow ? rules(policy.allow.only, "/allow/only") : null;
  const narrow = new Set([...(allow?.domains ?? [])].filter((domain) => rankName(domain).registrable !== null));
  const deny = rules(policy.deny, "/deny");
  const ranges = policy.internal.addresses.map((text, at) => {
    const range = parseRange(text);
    if (range === null) faults.push(`/internal/addresses/${at}`);
    return range;
  });
  return {
    schemes: new Set(policy.schemes),
    ports: "only" in policy.ports ? new Set(policy.ports.only) : null,
    allows: (host) => allow === null || allow.hosts.has(host) || nameAndParents(host).some((name) => narrow.has(name)),
    denies: (host) => deny.hosts.has(host) || nameAndParents(host).some((name) => deny.domains.has(name)),
    internalRanges: ranges.filter((range) => range !== null),
    internalNames: new Set(policy.internal.names.map((name, at) => normal(name, `/internal/names/${at}`))),
    faults,
  };
}

/** The paths of entries that mean nothing: a name that is none, a range with bits beyond its prefix. Empty: sound. */
export const urlPolicyFaults = (policy: UrlPolicy): readonly string[] => readyPolicy(policy).faults;

/** As the parser would write it in a URL: lower case, Punycode, no trailing dot; an address in its usual spelling. */
export function normaliseHost(text: string): string | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const address = parseAddress(bare);
  if (address === null && /[/?#@\\:[\]%\s]/.test(text)) return null;
  const host = parseUrl(`http://${address?.family === 6 ? `[${bare}]` : text}/`)?.host?.replace(/[.]$/, "") ?? "";
  return host === "" ? null : host;
}
