import type { TextOrigin } from "../action/action.ts";
import { type AddressRange, inRange, parseAddress, parseRange } from "../check/url/address.ts";
import type { TrustedSources } from "./effective.ts";

/** Where everybody's words come from: public endpoints of models and resolvers, of the card specification and its kin. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set([
  "api.openai.com",
  "api.anthropic.com",
  "generativelanguage.googleapis.com",
  "api.cohere.ai",
  "api.mistral.ai",
  "api.groq.com",
  "cloud.google.com",
  "dns.google",
  "cloudflare-dns.com",
  "one.one.one.one",
  "dns.quad9.net",
]);

/** Public resolvers, link-local and multicast. A range that touches one is refused, and so is all that is wider. */
const REFUSED_RANGES = [
  "8.8.8.0/24",
  "8.8.4.0/24",
  "1.1.1.0/24",
  "1.0.0.0/24",
  "9.9.9.0/24",
  "2001:4860:4860::/48",
  "2606:4700:4700::/48",
  "2620:fe::/48",
  "169.254.0.0/16",
  "fe80::/10",
  "224.0.0.0/4",
  "ff00::/8",
  // All of IPv4, as IPv6 writes it.
  "::ffff:0:0/96",
];

let refused: readonly AddressRange[] | undefined;

/** Read at the first question: most policies trust no range, and none should wait for this. */
function refusedRanges(): readonly AddressRange[] {
  refused ??= REFUSED_RANGES.flatMap((text) => parseRange(text) ?? []);
  return refused;
}

/** What a range holds. IPv4 addresses in the form that IPv6 has for them are meant as IPv4 addresses, as those that are asked for are. */
function rangeOf(text: string): AddressRange | null {
  const range = parseRange(text);
  const mapped = parseRange("::ffff:0:0/96");
  if (range === null || mapped === null || range.family === 4) return range;
  if (range.first < mapped.first || range.last > mapped.last) return range;
  return { family: 4, first: range.first & LOW_32, last: range.last & LOW_32 };
}

const LOW_32 = 0xffffffffn;

const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.])+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[0-9]{1,5})?$/;

/** Why a name may not be trusted, in a sentence; undefined when it may. */
export function trustedDomainFault(text: string): string | undefined {
  const name = text.toLowerCase();
  if (name.includes("*")) return "a wildcard is not a source";
  if (!DOMAIN.test(name) || parseAddress(name.replace(/:[0-9]+$/, "")) !== null)
    return "this is not a name with at least one dot";
  const [host = "", port] = name.split(":");
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return "this port does not exist";
  return PUBLIC_NAMES.has(host) ? "everybody's words come from there" : undefined;
}

/** Why a range may not be trusted, in a sentence; undefined when it may. */
export function trustedRangeFault(text: string): string | undefined {
  const range = rangeOf(text);
  if (range === null) return "this is not a range in CIDR form, or it has bits beyond its prefix";
  const touches = (other: AddressRange): boolean =>
    other.family === range.family && other.first <= range.last && other.last >= range.first;
  return refusedRanges().some(touches) ? "this range holds addresses that are everybody's" : undefined;
}

/** The entry by which a source is trusted, or null. Agents compare exactly, domains without case, addresses by containment. */
export function trustedBy(
  { agents, domains, addresses }: TrustedSources,
  origin: TextOrigin,
): { readonly bucket: keyof TrustedSources; readonly matched: string } | null {
  const { agent, domain, address } = origin;
  if (agent !== undefined && agents.includes(agent)) return { bucket: "agents", matched: agent };
  const name = domain?.toLowerCase();
  if (name !== undefined && domains.includes(name)) return { bucket: "domains", matched: name };
  const where = address === undefined ? null : addressNumber(address);
  if (where === null) return null;
  const matched = addresses.find((text) => {
    const range = rangeOf(text);
    return range !== null && inRange(where, range);
  });
  return matched === undefined ? null : { bucket: "addresses", matched };
}

/** A socket may name an IPv4 address in the form that IPv6 has for it. */
function addressNumber(text: string) {
  const address = parseAddress(text);
  const mapped = parseRange("::ffff:0:0/96");
  if (address === null || mapped === null || !inRange(address, mapped)) return address;
  return { ...address, family: 4 as const, value: address.value & LOW_32 };
}

/** Of an entry of a lower scope, what a ceiling lets through: the entry, the narrower range, or nothing. */
export function underCeiling(
  bucket: keyof TrustedSources,
  entry: string,
  ceiling: readonly string[],
): readonly string[] {
  if (bucket !== "addresses") return ceiling.includes(entry) ? [entry] : [];
  const inner = rangeOf(entry);
  if (inner === null) return [];
  const met = ceiling.flatMap((text) => {
    const outer = rangeOf(text);
    if (outer === null || outer.family !== inner.family) return [];
    if (inner.first >= outer.first && inner.last <= outer.last) return [entry];
    return outer.first >= inner.first && outer.last <= inner.last ? [text] : [];
  });
  return met.includes(entry) ? [entry] : met;
}
