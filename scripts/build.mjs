// Type-checks and emits every package, then bundles the program.
import { spawnSync } from "node:child_process";

const bundle = ["../../node_modules/tsdown/dist/run.mjs", "--log-level", "error"];
for (const [args, cwd] of [
  [["node_modules/typescript7/bin/tsc", "-b"], "."],
  [bundle, "packages/cli"],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ["inherit", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}
