// Type-checks and emits every package, then bundles the program.
import { spawnSync } from "node:child_process";

for (const args of [["node_modules/typescript7/bin/tsc", "-b"]]) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
