import { type ExactJson, type ExactObject, NumberText } from "@countersign/core";

/** How deep an input of the mandate dialect may nest; exactly so deep passes. */
export const MOST_LEVELS = 64;

export const isObject = (value: ExactJson | undefined): value is ExactObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

/** Without recursion, so that no depth is too deep to be refused. */
export function isDeeperThan(value: ExactJson, levels: number): boolean {
  let level: readonly ExactJson[] = [value];
  for (let depth = 0; ; depth += 1) {
    const containers = level.filter((one) => Array.isArray(one) || isObject(one));
    if (containers.length === 0) return false;
    if (depth === levels) return true;
    level = containers.flatMap((one) => (Array.isArray(one) ? one : Object.values(one as ExactObject)));
  }
}
