// How long somebody waits for one check, beside Node doing nothing, and beside the same program as it is before bundling.
// Programs are started in turns, with their output in a pipe.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseYaml } from "@countersign/api";
import { median, report } from "./harness.mjs";

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const inJson = join(folder, "policy.json");
writeFileSync(inJson, JSON.stringify(parseYaml(readFileSync(path("examples/policy.yaml"), "utf8")).value));
const check = (program, policy) => [path(program), "check", path("examples/asks/read-file.json"), "--policy", policy];
const contenders = {
  check: check("packages/cli/bin/countersign.js", inJson),
  "node -e ''": ["-e", ""],
  "check, policy in YAML": check("packages/cli/bin/countersign.js", path("examples/policy.yaml")),
  "check, not bundled": check("packages/cli/dist/program.js", inJson),
};
// With extra certificates Node reads its whole list of them at every start.
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;

const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round < 31; round += 1) {
  for (const [name, args] of Object.entries(contenders)) {
    const start = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    samples[name].push(Number(process.hrtime.bigint() - start) / 1e6);
    if (status !== 0) throw new Error(`${name} ended with status ${status}: ${stderr}`);
  }
}

rmSync(folder, { recursive: true });

const micros = Object.fromEntries(Object.entries(samples).map(([name, millis]) => [name, median(millis) * 1000]));
for (const { name, of, than, floor } of [
  { name: "starting one check (at most 2.5 times as long)", of: "check", than: "node -e ''", floor: 0.4 },
  { name: "starting one check, policy in YAML", of: "check, policy in YAML", than: "node -e ''", floor: 0.4 },
  { name: "starting one check, bundled", of: "check", than: "check, not bundled", floor: 1.67 },
]) {
  const ratio = median(samples[than].map((millis, round) => millis / samples[of][round]));
  report({ name, micros, ratioOf: [of, than], ratio, floor });
}
