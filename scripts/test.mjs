// Builds what the tests start as programs, then runs every suite.
import { spawnSync } from "node:child_process";

const run = (command, ...args) => {
  const { status } = spawnSync(process.execPath, [command, ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

run("scripts/build.mjs");
run("node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2));
