// Compiles Probe.sol and writes bytecode.ts. Reproducible: the same compiler gives the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { compileProbe } from "./compile.mjs";

const source = readFileSync(new URL("./Probe.sol", import.meta.url), "utf8");
const contracts = compileProbe(source);
const lines = Object.entries(contracts).map(([name, code]) => `  ${name}: "${code}",`);
writeFileSync(
  new URL("./bytecode.ts", import.meta.url),
  `// Made from Probe.sol by build.mjs; a test rebuilds and compares.\nexport const PROBE = {\n${lines.join("\n")}\n} as const;\n`,
);
