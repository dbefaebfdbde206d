import type { Page } from "./ports.ts";

/** The first `limit` of what was found, and where the next page starts. Needs one item more than the limit to tell. */
export function pageOf<T>(found: readonly T[], limit: number, tokenOf: (item: T) => string): Page<T> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? tokenOf(last) : null };
}
