import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../testing/compile.ts";

test("the probe's bytecode is what its source compiles to (vitest -u writes it anew)", async () => {
  const contracts = compile(readFileSync(new URL("./Probe.sol", import.meta.url), "utf8"), "paris"); // A probe must also run on chains without PUSH0.
  const lines = Object.entries(contracts)
    // A library of internal functions leaves only a stub.
    .filter(([name]) => name !== "Foreign")
    .map(([name, { runtime }]) => `  ${name}:\n    "${runtime}",`.replace(/\n {4}(".{0,100}",)$/, " $1"));
  await expect(
    `// Made from Probe.sol; Probe.test.ts rebuilds and compares.\nexport const PROBE = {\n${lines.join("\n")}\n} as const;\n`,
  ).toMatchFileSnapshot("bytecode.ts");
});
