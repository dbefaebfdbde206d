import { stricter } from "../../decision/compose.ts";
import { parseRange } from "./address.ts";
import { isAtOrBelow, rankName } from "./hostName.ts";
import { type Admitted, type HostRule, normaliseHost, type UrlPolicy } from "./urlPolicy.ts";

/**
 * What both policies permit: lists of what is allowed intersect, lists of what is denied unite, the stricter weight and
 * the shorter length stand. Whatever `judgeUrl` allows under the result it allows under each. Both must be sound
 * (`urlPolicyFaults` finds nothing): what means nothing has nothing in common with anything.
 */
export function composeUrlPolicies(above: UrlPolicy, below: UrlPolicy): UrlPolicy {
  return {
    schemes: above.schemes.filter((scheme) => below.schemes.includes(scheme)),
    ports: both(above.ports, below.ports, (a, b) => (a === b ? a : null)),
    allow: both(above.allow, below.allow, narrowerRule),
    deny: [...above.deny, ...below.deny],
    internal: {
      addresses: pairs(above.internal.addresses, below.internal.addresses, narrowerRange),
      names: pairs(above.internal.names, below.internal.names, (a, b) =>
        normaliseHost(a) === normaliseHost(b) ? a : null,
      ),
    },
    rawPublicAddress: stricter(above.rawPublicAddress, below.rawPublicAddress),
    singleLabelNames: stricter(above.singleLabelNames, below.singleLabelNames),
    unlistedSuffixes: stricter(above.unlistedSuffixes, below.unlistedSuffixes),
    homographs: stricter(above.homographs, below.homographs),
    encodedControls: stricter(above.encodedControls, below.encodedControls),
    resolution: above.resolution === "required" ? "required" : below.resolution,
    maxLength: Math.min(above.maxLength, below.maxLength),
  };
}

type Narrower<T> = (a: T, b: T) => T | null;

function both<T>(a: Admitted<T>, b: Admitted<T>, narrower: Narrower<T>): Admitted<T> {
  if ("everyone" in a) return b;
  return "everyone" in b ? a : { only: pairs(a.only, b.only, narrower) };
}

function pairs<T>(as: readonly T[], bs: readonly T[], narrower: Narrower<T>): readonly T[] {
  const met = as.flatMap((a) => bs.map((b) => narrower(a, b))).filter((one) => one !== null);
  return [...new Map(met.map((one) => [JSON.stringify(one), one])).values()];
}

/** What both rules permit. A name lies in a domain, a domain in a wider one; else they have nothing in common. */
function narrowerRule(a: HostRule, b: HostRule): HostRule | null {
  const [inA, inB] = [permittedName(a), permittedName(b)];
  if (inA === null || inB === null) return null;
  if (inA === inB) return "host" in a ? a : b;
  if ("domain" in b && isAtOrBelow(inA, inB)) return a;
  return "domain" in a && isAtOrBelow(inB, inA) ? b : null;
}

/** Null for a rule that permits nobody: a whole public suffix. */
function permittedName(rule: HostRule): string | null {
  const name = normaliseHost("host" in rule ? rule.host : rule.domain);
  return name !== null && "domain" in rule && rankName(name).registrable === null ? null : name;
}

function narrowerRange(a: string, b: string): string | null {
  const [inA, inB] = [parseRange(a), parseRange(b)];
  if (inA === null || inB === null) return null;
  const lies = (inner: typeof inA, outer: typeof inA) =>
    inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last;
  return lies(inA, inB) ? a : lies(inB, inA) ? b : null;
}
