import type { Finding, Verdict } from "../../decision/finding.ts";
import type { Result } from "../../result.ts";
import { type Address, isWithin, parseAddress, reachOfResolved } from "./address.ts";
import { readyPolicy, type UrlPolicy } from "./urlPolicy.ts";

/** What a name resolved to: a fact, with where it comes from and when it was true. */
export interface ResolvedHost {
  /** As it stands in a URL: lower case, Punycode. */
  readonly name: string;
  /** Every answer, IPv4 and IPv6, in any spelling and order. */
  readonly addresses: readonly string[];
  /** Who was asked: "system", or the servers. */
  readonly source: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface ResolveError {
  /** Nobody knows the name, or no answer came (in time). */
  readonly code: "resolve.not_found" | "resolve.timeout" | "resolve.failed";
  readonly message: string;
}

/** Looks a name up. Never throws, answers within its own deadline, and gives at least one address when it gives any. */
export interface HostResolver {
  resolve(name: string): Promise<Result<ResolvedHost, ResolveError>>;
}

export interface AddressJudgement {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** The only addresses a connection may be made to, in the order of the answers. Empty unless all may be used. */
  readonly pinned: readonly string[];
}

/** More answers than any public name has. */
const MAX_ANSWERS = 256;

/**
 * May a connection be made to what the name resolved to? One answer that leads inside spoils all of them: whoever gives it
 * controls which one is used. Null says that the look-up failed, and blocks.
 */
export function judgeAddresses(resolved: ResolvedHost | null, policy: UrlPolicy): AddressJudgement {
  if (resolved === null || resolved.addresses.length === 0)
    return stopped("url.unresolved", "the host's addresses are not known", "later");
  if (resolved.addresses.length > MAX_ANSWERS)
    return stopped("url.unresolved", `the host has more than ${MAX_ANSWERS} addresses`, "later");
  const pinned: string[] = [];
  for (const text of resolved.addresses) {
    const address = parseAddress(text);
    if (address === null) return stopped("url.unresolved", "an answer of the look-up is not an address", "later");
    const fault = internalKind(address, policy);
    if (fault !== null)
      return stopped("url.resolves_private", `the host resolves to an address that is ${fault}`, "changed");
    if (!pinned.includes(address.text)) pinned.push(address.text);
  }
  return { verdict: "allow", findings: [], pinned };
}

function internalKind(address: Address, policy: UrlPolicy): string | null {
  if (readyPolicy(policy).internalRanges.some((range) => isWithin(address, range))) return null;
  const reach = reachOfResolved(address);
  return reach.reach === "internal" ? reach.what : null;
}

function stopped(code: string, message: string, retry: Finding["retry"]): AddressJudgement {
  return { verdict: "block", findings: [{ check: "url", code, severity: "block", message, retry }], pinned: [] };
}
