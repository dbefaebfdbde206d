import { pointerOf } from "../json/pointer.ts";
import { isObject, type JsonValue } from "../json/value.ts";
import type { Scope } from "./effective.ts";
import type { PolicyPart } from "./readPart.ts";

/** A section of one scope of which two documents do not say the same. */
export interface ChangedSection {
  readonly scope: Scope;
  readonly section: string;
  readonly change: "added" | "removed" | "changed";
  /** JSON Pointers into the section, the places that differ; at most `PLACES_LISTED`. */
  readonly places: readonly string[];
}

export const PLACES_LISTED = 20;

/** Compares the documents of two stacks section by section, as they are written. `leaveOut` is compared elsewhere. */
export function changedSections(
  before: readonly PolicyPart[],
  after: readonly PolicyPart[],
  leaveOut: readonly string[] = [],
): readonly ChangedSection[] {
  const scopes = [...new Set([...before, ...after].map(({ scope }) => scope))];
  return scopes.flatMap((scope) => {
    const [old, young] = [before, after].map((parts) => parts.find((part) => part.scope === scope)?.document ?? {});
    const sections = [...new Set([...Object.keys(old ?? {}), ...Object.keys(young ?? {})])].sort();
    return sections.flatMap((section): ChangedSection[] => {
      if (leaveOut.includes(section)) return [];
      const [a, b] = [member(old, section), member(young, section)];
      const places = differences(a, b);
      if (places.length === 0) return [];
      const change = a === undefined ? "added" : b === undefined ? "removed" : "changed";
      return [{ scope, section, change, places }];
    });
  });
}

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  value !== undefined && isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function differences(a: JsonValue | undefined, b: JsonValue | undefined): readonly string[] {
  const places: string[] = [];
  const waiting: {
    readonly a: JsonValue | undefined;
    readonly b: JsonValue | undefined;
    readonly path: readonly (string | number)[];
  }[] = [{ a, b, path: [] }];
  for (let one = waiting.pop(); one !== undefined && places.length < PLACES_LISTED; one = waiting.pop()) {
    const { path } = one;
    const [left, right] = [one.a, one.b];
    if (Array.isArray(left) && Array.isArray(right)) {
      for (let at = Math.max(left.length, right.length) - 1; at >= 0; at -= 1)
        waiting.push({ a: left[at], b: right[at], path: [...path, at] });
    } else if (left !== undefined && right !== undefined && isObject(left) && isObject(right)) {
      for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort().reverse())
        waiting.push({ a: member(left, key), b: member(right, key), path: [...path, key] });
    } else if (left !== right) {
      places.push(pointerOf(path));
    }
  }
  return places;
}
