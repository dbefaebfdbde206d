import type { Finding, Verdict } from "../../decision/finding.ts";
import type { Fact, FactKey } from "../../fact/fact.ts";
import { type Address, inRange, parseAddress, reachOfResolved } from "./address.ts";
import { readyPolicy, type UrlPolicy } from "./urlPolicy.ts";

/** What a name resolves to, as a fact: every answer, IPv4 and IPv6, in any spelling and order. */
export type ResolvedHost = Fact<readonly string[]>;

/** `name` as it stands in a URL: lower case, Punycode. */
export const addressesOf = (name: string): FactKey => ({ fact: "addresses", of: name });

/** Looks names up. Never throws, and answers within a deadline of its own; what fails or has no answer is unknown. */
export interface HostResolver {
  resolve(name: string): Promise<ResolvedHost>;
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
 * controls which one is used. What is not known blocks.
 */
export function judgeAddresses(resolved: Fact, policy: UrlPolicy): AddressJudgement {
  const answers = resolved.state === "known" ? resolved.value : [];
  if (!Array.isArray(answers) || answers.length === 0)
    return stopped("url.unresolved", "the host's addresses are not known", "later");
  if (answers.length > MAX_ANSWERS)
    return stopped("url.unresolved", `the host has more than ${MAX_ANSWERS} addresses`, "later");
  const pinned: string[] = [];
  for (const answer of answers as readonly unknown[]) {
    const address = typeof answer === "string" ? parseAddress(answer) : null;
    if (address === null) return stopped("url.unresolved", "an answer of the look-up is not an address", "later");
    const fault = internalKind(address, policy);
    if (fault !== null)
      return stopped("url.resolves_private", `the host resolves to an address that is ${fault}`, "changed");
    if (!pinned.includes(address.text)) pinned.push(address.text);
  }
  return { verdict: "allow", findings: [], pinned };
}

function internalKind(address: Address, policy: UrlPolicy): string | null {
  if (readyPolicy(policy).internalRanges.some((range) => inRange(address, range))) return null;
  const reach = reachOfResolved(address);
  return reach.reach === "internal" ? reach.what : null;
}

function stopped(code: string, message: string, retry: Finding["retry"]): AddressJudgement {
  return { verdict: "block", findings: [{ check: "url", code, severity: "block", message, retry }], pinned: [] };
}
