// How long somebody waits for one check, beside Node doing nothing, and beside the same program as it is before bundling.
// Programs are started in turns, with their output in a pipe.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, report } from "./harness.mjs";

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const ask = [path("examples/asks/read-file.json"), "--policy", path("examples/policy.yaml")];
const contenders = {
  check: [path("packages/cli/bin/countersign.js"), "check", ...ask],
  "node -e ''": ["-e", ""],
  "check, not bundled": [path("packages/cli/dist/program.js"), "check", ...ask],
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

const micros = Object.fromEntries(Object.entries(samples).map(([name, millis]) => [name, median(millis) * 1000]));
for (const { name, than, floor } of [
  { name: "starting one check (at most 2.5 times as long)", than: "node -e ''", floor: 0.4 },
  { name: "starting one check, bundled", than: "check, not bundled", floor: 1.67 },
]) {
  const ratio = median(samples[than].map((millis, round) => millis / samples.check[round]));
  report({ name, micros, ratioOf: ["check", than], ratio, floor });
}
