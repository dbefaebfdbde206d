import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["countersign-source"] },
  ssr: { resolve: { conditions: ["countersign-source"] } },
  test: {
    // Every decision of every test is made again: the law is in packages/core/src/gate/replay/replayAgrees.test.ts.
    setupFiles: ["./packages/core/src/testing/replayAgrees.setup.ts"],
    include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.mjs"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", "./scripts/suiteReporter.mjs"],
  },
});
