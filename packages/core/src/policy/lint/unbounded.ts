import { targetIn } from "../regions/targetIn.ts";

/** What ends a name: behind it, what follows is part of something else. */
const BOUNDARY = /[/?#=&:@|,;]$/;
/** Complete as they are: an address, a hash. */
const COMPLETE = /0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/;
const IN_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+$/i;

/** A scheme and nothing behind it: whatever it leads to begins so. */
export const namesNoPlace = (prefix: string): boolean => /^[a-z][a-z0-9+.-]*:[/]{0,2}$/i.test(prefix);

export interface Unbounded {
  /** The prefix ends inside the host of a URL, so that it permits hosts of others. */
  readonly host: boolean;
  /** A target that the author will not have meant. */
  readonly target: string;
}

/** How a prefix of a permission covers more than the name it ends with; undefined where it ends at a boundary. */
export function unboundedBy(prefix: string): Unbounded | undefined {
  if (BOUNDARY.test(prefix) || COMPLETE.test(prefix)) return undefined;
  const host = IN_HOST.test(prefix);
  for (const more of host ? [".example.net/", "x/", ".x/"] : ["-other", "x"]) {
    const found = targetIn({ under: prefix + more, except: [] });
    if (typeof found !== "string") return { host, target: found.target };
  }
  return undefined;
}
