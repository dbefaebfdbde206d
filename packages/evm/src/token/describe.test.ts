import { TOKEN_FACTOR_NAMES, TOKEN_FACTORS, TOKEN_STAGES, type TokenFacts } from "@countersign/core";
import { expect, test } from "vitest";
import { describeSafety } from "./describe.ts";
import type { SafetyReport } from "./safety.ts";

const flags = Object.fromEntries(TOKEN_FACTOR_NAMES.map((name) => [name, { value: "no", evidence: [] }]));
const report = (change: Record<string, unknown>): SafetyReport => ({
  facts: {
    chainId: 4663,
    address: `0x${"11".repeat(20)}`,
    block: { number: "7", hash: `0x${"22".repeat(32)}` },
    codeHash: "0x",
    authorities: [],
    stages: TOKEN_STAGES.map((stage) => ({ stage, status: "ran" as const, calls: 2, ms: 1 })),
    flags: { ...flags, ...change } as TokenFacts["flags"],
    taxBps: { buy: 0, sell: 500, transfer: null },
    sellSimulationOk: true,
  },
  calls: 20,
  ms: 33.3,
  watch: { contracts: [], slots: [] },
});

test("says what was found with its evidence, what was not seen, and what was tried", () => {
  const lines = describeSafety(
    report({
      sell_tax: { value: "yes", evidence: ["500 basis points"] },
      sell_blocked_later: { value: "unknown", evidence: [] },
    }),
    "unregistered",
  );
  expect(lines[0]).toContain("at block 7: warn");
  expect(lines[1]).toBe("taxes: buy 0.00 %, sell 5.00 %, transfer not measured");
  expect(lines).toContain("          500 basis points");
  expect(lines).toContain("nobody could look at:");
  expect(lines.filter((line) => / ran +2 requests$/.test(line))).toHaveLength(TOKEN_STAGES.length);
});

test("the documented table is the table that judges (vitest -u writes it anew)", async () => {
  const rows = TOKEN_FACTOR_NAMES.map((name) => {
    const { stage, weight, unknown, issuer, meaning } = TOKEN_FACTORS[name];
    return [`\`${name}\``, stage, weight, unknown === "warn" ? "warn" : "-", issuer ? "advisory" : weight, meaning];
  });
  const head = ["factor", "stage", "weighs", "when unknown", "in the registry", "meaning"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const page = [
    "# Token factors",
    "",
    "Made from `TOKEN_FACTORS` in `@countersign/core`; a test compares. Severity is the heaviest factor that is there, at least",
    "`warn` where a stage did not run or a factor that weighs as unknown could not be looked at, and `safe` otherwise.",
    "",
    line(head),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map(line),
    "",
  ];
  await expect(page.join("\n")).toMatchFileSnapshot("../../../../docs/token-factors.md");
});
