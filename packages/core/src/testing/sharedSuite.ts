import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, test } from "vitest";

const root = new URL("../../../..", import.meta.url).pathname;

/**
 * A suite over data that is kept outside the repository: below COUNTERSIGN_SHARED, else below `../shared`.
 * Without the data it is skipped and counted; with COUNTERSIGN_SHARED set, missing data is a failure.
 */
export function sharedSuite(path: string, body: (folder: string) => void): void {
  const base = process.env["COUNTERSIGN_SHARED"];
  const folder = resolve(base ?? resolve(root, "../shared"), path);
  if (existsSync(folder)) return void describe(`shared: ${path}`, () => body(folder));
  if (base === undefined)
    return void describe.skip(`shared: ${path}`, () => void test("needs the shared data", () => {}));
  describe(`shared: ${path}`, () => {
    test("has its data", () => {
      throw new Error(`COUNTERSIGN_SHARED is set and ${path} is not below it`);
    });
  });
}
