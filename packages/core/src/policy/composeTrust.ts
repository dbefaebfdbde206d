import { NOBODY_TRUSTED, type TrustedSources } from "./effective.ts";
import type { PolicyPart } from "./readPart.ts";
import { isPlatform } from "./scope.ts";
import type { Trust } from "./section/material.ts";
import { underCeiling } from "./trustedSource.ts";

export const BUCKETS = ["agents", "domains", "addresses"] as const satisfies readonly (keyof TrustedSources)[];

/**
 * (organisation ∪ teams ∪ agent) ∩ platform, list by list. Every document of the platform that speaks of screening sets
 * a ceiling, unless it says that it sets none.
 */
export function composeTrust(parts: readonly PolicyPart[]): TrustedSources {
  const ceilings = trustAt(parts, isPlatform);
  const below = trustAt(parts, (scope) => !isPlatform(scope));
  if (below.length === 0) return NOBODY_TRUSTED;
  const of = (bucket: keyof TrustedSources): readonly string[] => [
    ...new Set(
      below.flatMap((trust) =>
        trust.sources[bucket].flatMap((entry) => throughCeilings(bucket, entry, trust, ceilings)),
      ),
    ),
  ];
  return { agents: of("agents"), domains: of("domains"), addresses: of("addresses") };
}

export const trustAt = (parts: readonly PolicyPart[], where: (scope: string) => boolean): readonly Trust[] =>
  parts.flatMap(({ scope, sections: { screening } }) =>
    screening !== undefined && where(scope) ? [screening.trust] : [],
  );

/** What is left of one entry below all ceilings: the entry, narrower ranges, or nothing. */
export function throughCeilings(
  bucket: keyof TrustedSources,
  entry: string,
  { without }: Trust,
  ceilings: readonly Trust[],
): readonly string[] {
  // A document in the native words counts only under a ceiling, or the lack of one, that was written in them.
  if (without === "nobody" && !ceilings.some((ceiling) => ceiling.without === "nobody")) return [];
  return ceilings.reduce<readonly string[]>(
    (entries, ceiling) =>
      isOpen(ceiling, bucket) ? entries : entries.flatMap((one) => underCeiling(bucket, one, ceiling.sources[bucket])),
    [entry],
  );
}

const isOpen = ({ ceiling }: Trust, bucket: keyof TrustedSources): boolean =>
  ceiling === "none" || (ceiling !== "listed" && ceiling.open.includes(bucket));
