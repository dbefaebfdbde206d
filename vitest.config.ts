import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["countersign-source"] },
  ssr: { resolve: { conditions: ["countersign-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.mjs"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", "./scripts/suiteReporter.mjs"],
  },
});
