import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedSuite } from "../../testing.ts";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY } from "./urlPolicy.ts";

sharedSuite("conformance/ssrf", (folder) => {
  const cases = readFileSync(join(folder, "cases.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; url: string; expect: "block" | "allow" });
  const passes = (url: string) => judgeUrl(url, DEFAULT_URL_POLICY).verdict === "allow";

  test("stops all that must be stopped", () => {
    const wanted = cases.filter((one) => one.expect === "block");
    expect(wanted).toHaveLength(640);
    expect(wanted.filter(({ url }) => passes(url))).toEqual([]);
  });

  test("lets through all that must pass", () => {
    const wanted = cases.filter((one) => one.expect === "allow");
    expect(wanted).toHaveLength(209);
    expect(wanted.filter(({ url }) => !passes(url)).map(({ url }) => judgeUrl(url, DEFAULT_URL_POLICY))).toEqual([]);
  });
});
