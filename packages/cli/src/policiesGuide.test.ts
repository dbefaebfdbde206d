import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { countersign } from "./testing/command.ts";

const GUIDE = readFileSync(fileURLToPath(new URL("../../../docs/writing-policies.md", import.meta.url)), "utf8");
const folder = mkdtempSync(join(tmpdir(), "countersign-guide-"));
afterAll(() => rmSync(folder, { recursive: true }));

for (const [, name = "", text = ""] of GUIDE.matchAll(/<!-- file: (\S+) -->\n```\w+\n(.*?)```/gs))
  writeFileSync(join(folder, name), text);
for (const [, name = "", from = "", a = "", b = ""] of GUIDE.matchAll(
  /<!-- file: (\S+) from (\S+): (\S+) to (\S+) -->/g,
))
  writeFileSync(join(folder, name), readFileSync(join(folder, from), "utf8").replace(a, b));

/** `$ echo '…' | countersign …`, and what it prints. */
const runs = [...GUIDE.matchAll(/```console\n\$ (?:echo '(.*?)' \| )?countersign (.*?)\n(.*?)```/gs)].map(
  ([, input = "", args = "", output = ""]) => ({ args, input, output }),
);

test("the guide shows every tool that prints something of a policy alone", () => {
  const shown = new Set(runs.map(({ args }) => args.split(" ")[1]));
  expect([...shown].sort()).toEqual(["diff", "explain", "lint", "show", "test"]);
});

test.each(runs)("countersign $args prints what the guide says", ({ args, input, output }) => {
  const ran = countersign(args.split(" "), input, folder);
  expect(ran.stderr).toBe("");
  expect(ran.stdout.trimEnd()).toBe(output.trimEnd());
});
