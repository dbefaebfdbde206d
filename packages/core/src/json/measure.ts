import type { JsonValue } from "./value.ts";

export interface JsonBounds {
  /** Levels of arrays and objects, the outermost counted; a scalar has none. */
  readonly depth: number;
  /** Values in all, members and elements included. */
  readonly nodes: number;
}

/** What was passed first, or undefined when the value is within its bounds. */
export type JsonExcess = "depth" | "nodes" | undefined;

/** Without recursion, and ends even on values that contain themselves, which only a caller in the same process can make. */
export function excessOf(value: JsonValue, bounds: JsonBounds): JsonExcess {
  const open: JsonValue[] = [value];
  const levels: number[] = [0];
  let nodes = 1;
  if (nodes > bounds.nodes) return "nodes";
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const level = (levels.pop() ?? 0) + 1;
    if (typeof item !== "object" || item === null) continue;
    if (level > bounds.depth) return "depth";
    const children: readonly JsonValue[] = Array.isArray(item) ? item : Object.values(item);
    nodes += children.length;
    if (nodes > bounds.nodes) return "nodes";
    for (const child of children) {
      if (typeof child !== "object" || child === null) continue;
      open.push(child);
      levels.push(level);
    }
  }
  return undefined;
}
