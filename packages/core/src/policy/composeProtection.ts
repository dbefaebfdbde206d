import {
  type EscalatedOperation,
  type ForbiddenOperation,
  OPERATION_SEVERITIES,
  type ProtectedAsset,
  type ProtectedSurface,
} from "./effective.ts";
import { folded } from "./fold.ts";

/** `kind:selector` as it is compared. */
export const assetKey = ({ kind, selector }: Pick<ProtectedAsset, "kind" | "selector">): string =>
  folded(`${kind}:${selector}`);

/**
 * The union: assets by `kind:selector`, operations by pattern. Where two scopes name one pattern, the higher severity
 * stands, and it applies to all that either applies to. What is forbidden needs no escalation.
 */
export function composeProtection(surfaces: readonly ProtectedSurface[]): ProtectedSurface {
  const forbidden = merged(
    surfaces.flatMap((one) => one.forbidden),
    bothForbidden,
  );
  const everywhere = new Set(
    forbidden.filter(({ appliesTo }) => appliesTo === null).map(({ pattern }) => folded(pattern)),
  );
  return {
    assets: firsts(
      surfaces.flatMap((one) => one.assets),
      assetKey,
    ),
    forbidden,
    escalations: merged(
      surfaces.flatMap((one) => one.escalations),
      bothOperations,
    ).filter(({ pattern }) => !everywhere.has(folded(pattern))),
  };
}

function firsts<T>(list: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const one of list) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}

function merged<T extends EscalatedOperation>(list: readonly T[], both: (a: T, b: T) => T): readonly T[] {
  const byPattern = new Map<string, T>();
  for (const one of list) {
    const key = folded(one.pattern);
    const known = byPattern.get(key);
    byPattern.set(key, known === undefined ? one : both(known, one));
  }
  return [...byPattern.values()];
}

/** Of two that name one pattern the first keeps its words, and its scope where it already says as much. */
function bothOperations<T extends EscalatedOperation>(a: T, b: T): T {
  const appliesTo = union(a.appliesTo, b.appliesTo);
  const asWideAs = (one: T) =>
    one.appliesTo === null ? appliesTo === null : one.appliesTo.length === appliesTo?.length;
  return { ...a, appliesTo, scope: asWideAs(a) ? a.scope : b.scope };
}

function bothForbidden(a: ForbiddenOperation, b: ForbiddenOperation): ForbiddenOperation {
  const rank = ({ severity }: ForbiddenOperation) => OPERATION_SEVERITIES.indexOf(severity);
  const both = bothOperations(a, b);
  return rank(b) > rank(a) ? { ...both, severity: b.severity, scope: b.scope } : both;
}

function union(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  return firsts([...a, ...b], folded);
}
