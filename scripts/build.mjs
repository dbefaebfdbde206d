// Type-checks and emits every package, then bundles the program and compiles it ahead.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

rmSync("packages/cli/dist/program", { recursive: true, force: true });
for (const { args, cwd = ".", stdio = "inherit" } of [
  { args: ["node_modules/typescript7/bin/tsc", "-b"] },
  // By its API: its command line warns of each Node that it will not run on one day.
  {
    args: ["--input-type=module", "-e", 'await (await import("tsdown")).build({ logLevel: "error" })'],
    cwd: "packages/cli",
  },
  // What the commands print on the way is of no interest.
  { args: ["compile.mjs"], cwd: "packages/cli", stdio: ["ignore", "ignore", "inherit"] },
]) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio });
  if (status !== 0) process.exit(status ?? 1);
}
