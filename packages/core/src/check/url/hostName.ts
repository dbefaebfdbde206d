import { parse } from "tldts";

/** Where a name stands in the public suffix list. */
export interface NameRank {
  /** One label below the public suffix: who registered it answers for everything below. Null for a suffix itself. */
  readonly registrable: string | null;
  readonly suffix: string;
  /** The suffix is in the list. A name under an unlisted one is private, mistaken, or newer than the list. */
  readonly listed: boolean;
}

/** Suffixes under which strangers get names from a company ("github.io") count like "com". `name` has no trailing dot. */
export function rankName(name: string): NameRank {
  const { domain, publicSuffix, isIcann, isPrivate } = parse(name, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  return { registrable: domain, suffix: publicSuffix ?? name, listed: isIcann === true || isPrivate === true };
}

/** Every name from `name` up to its last label. */
export function nameAndParents(name: string): readonly string[] {
  const names = [name];
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) names.push(name.slice(dot + 1));
  return names;
}

/** `name` is `parent` or lies below it. */
export const isAtOrBelow = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);
