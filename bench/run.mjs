// Runs every measurement (bench/*.bench.mjs, each in a process of its own), prints the table, writes it as JSON to
// bench/results/, and fails when a ratio is below its floor. `node bench/run.mjs canonical` runs those that match.
import { fork, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { line } from "./harness.mjs";

const wanted = process.argv.slice(2);
const folder = new URL(".", import.meta.url);
const root = new URL("..", folder);
const build = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);

const modules = readdirSync(folder)
  .filter((name) => name.endsWith(".bench.mjs"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (modules.length === 0) {
  console.error("no measurement has that name");
  process.exit(1);
}

const results = [];
const failures = [];
for (const module of modules) {
  let told = 0;
  const status = await new Promise((resolve) => {
    const child = fork(new URL(module, folder));
    child.on("message", (result) => {
      told += 1;
      results.push({ module, ...result });
      console.log(line(result));
      if (!(result.ratio >= result.floor))
        failures.push(`${result.name}: ${result.ratio.toFixed(2)} < ${result.floor}`);
    });
    child.on("close", (code) => resolve(code));
  });
  if (status !== 0) failures.push(`${module}: ended with status ${status}`);
  if (told === 0) failures.push(`${module}: measured nothing`);
}

mkdirSync(new URL("results/", folder), { recursive: true });
const about = { node: process.version, cpu: cpus()[0]?.model, at: new Date().toISOString() };
const name = wanted.length === 0 ? "latest" : wanted.join("-").replace(/[^\w-]/g, "_");
writeFileSync(new URL(`results/${name}.json`, folder), `${JSON.stringify({ about, results }, null, 2)}\n`);
for (const failure of failures) console.error(`below: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
