import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionVectors, tradeVectors } from "@countersign/core/testing";
import { afterAll, expect, test } from "vitest";
import { countersign } from "./testing/command.ts";

const { now, cases } = decisionVectors();
const STATUS = { allow: 0, block: 1, review: 2 } as const;
const folder = mkdtempSync(join(tmpdir(), "vectors-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(cases.map((one) => [one.it, one] as const))(
  "%s, over the command line",
  (_, { policy, ask, expect: want }) => {
    writeFileSync(join(folder, "policy.json"), JSON.stringify(policy));
    const { stdout, status } = countersign(
      ["check", "-", "--policy", join(folder, "policy.json"), "--now", now, "--json"],
      JSON.stringify(ask),
    );
    const { verdict, findings, basis, action_digest } = JSON.parse(stdout);
    const codes = [...new Set(findings.map(({ code }: { code: string }) => code))].sort();
    expect({ verdict, codes, basis, action_digest }).toEqual(want);
    expect(status).toBe(STATUS[want.verdict]);
  },
);

const trades = tradeVectors();
const TRADE_STATUS = { allow: 0, warn: 0, deny: 1 } as const;

test.each(trades.cases.map((one) => [one.it, one] as const))(
  "%s, over the command line",
  (_, { now: at = trades.now, setting, readings, trade, expect: { codes: _codes, ...want } }) => {
    const file = (name: string, content: object): string => {
      writeFileSync(join(folder, name), JSON.stringify(content));
      return join(folder, name);
    };
    const chain = { registry: trades.registry, rpc: ["https://nobody-is-asked.example"], ...setting };
    const given = ["--trade", file("trade.json", chain), "--facts", file("readings.json", readings), "--now", at];
    const { stdout, status } = countersign(
      ["trade", "evaluate_trade", "-", ...given, "--home", folder, "--json"],
      JSON.stringify(trade),
    );
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject(want);
    expect(status).toBe(want.error === null ? TRADE_STATUS[want.decision] : 3);
  },
);
