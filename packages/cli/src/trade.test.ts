import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RISK_WEIGHTS } from "@countersign/core";
import { readTradeConfig } from "@countersign/server";
import { expect, test } from "vitest";
import { countersign, isOneLine } from "./testing/command.ts";
import { registryOf } from "./trade.ts";
import { parseYaml } from "./yaml.ts";

const document = readFileSync(new URL("../../../docs/trades.md", import.meta.url), "utf8");

test("the setting that the documentation shows is one", () => {
  const yaml = parseYaml(/```yaml\n(.*?)```/s.exec(document)?.[1] ?? "");
  const read = yaml.ok ? readTradeConfig(yaml.value) : yaml;
  if (!read.ok) throw new Error("the setting is refused");
  expect(read.value.registry).toBe("robinhood");
  expect(read.value.rules.tiers.get("portfolio-agent")).toBe(3);
  expect(read.value.rules.clusters.size).toBe(2);
  expect(read.value.rules.sharedFunders.size).toBe(1);
});

test("the points that the documentation shows are those that are given", () => {
  const table = document.slice(document.indexOf("## `risk_score`"), document.indexOf("## Errors"));
  const points = [...table.matchAll(/\|\s+(\d+)\s+\|$/gm)].map(([, figure]) => Number(figure));
  expect(points).toEqual(Object.values(RISK_WEIGHTS));
});

test("the registry that comes with the program can be read, and a name that is none is a file", async () => {
  expect((await registryOf("robinhood")).chainId).toBe(4663);
  await expect(registryOf("toString", "trade.yaml")).rejects.toMatchObject({ code: "input.unreadable" });
  await expect(registryOf({ chainId: 1 })).rejects.toMatchObject({ code: "registry.malformed" });
});

const SETTING = {
  registry: { chainId: 1, name: "Test", source: "this test", tokens: [] },
  rpc: ["https://nobody-is-asked.example"],
};

test.each<[string, string[], RegExp]>([
  [
    "a dialect that is judged on a chain",
    ["check", "-", "--dialect", "trade"],
    /countersign trade evaluate_trade FILE/,
  ],
  ["a tool of it", ["check", "-", "--dialect", "check_token_safety"], /countersign trade check_token_safety FILE/],
  [
    "a time for what is judged by the clock",
    ["trade", "evaluate_trade", "-", "--now", "2027-01-15T15:00:00Z"],
    /--facts/,
  ],
  [
    "readings that are none",
    ["trade", "evaluate_trade", "-", "--facts", "trade.json"],
    /readings\.malformed .*\/address/,
  ],
  ["readings that are not there", ["trade", "evaluate_trade", "-", "--facts", "none.json"], /input\.unreadable/],
])("%s end in one line that says what to do", (_, args, why) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-trade-"));
  writeFileSync(join(folder, "trade.json"), JSON.stringify(SETTING));
  const given = args[0] === "trade" ? [...args, "--trade", "trade.json", "--home", folder] : args;
  const { status, stderr } = countersign(given, "{}", folder);
  rmSync(folder, { recursive: true });
  expect(status).toBe(3);
  expect(stderr).toMatch(why);
  expect(isOneLine(stderr)).toBe(true);
});

test("the readings that the documentation shows are judged as it says, and leave nothing behind", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-trade-"));
  const readings = /```json\n(.*?)```/s.exec(document.slice(document.indexOf("## Without a chain")))?.[1] ?? "";
  writeFileSync(join(folder, "readings.json"), readings);
  writeFileSync(join(folder, "trade.json"), JSON.stringify({ ...SETTING, registry: "robinhood" }));
  const { address } = JSON.parse(readings);
  const asked = { wallet: address, asset: "NVDA", contract_address: address, side: "buy", amount: 10 };
  const { stdout, status } = countersign(
    ["trade", "evaluate_trade", "-", "--trade", "trade.json", "--facts", "readings.json"].concat([
      "--now",
      "2027-01-15T15:00:00Z",
      "--home",
      join(folder, "home"),
      "--json",
    ]),
    JSON.stringify(asked),
    folder,
  );
  const isKept = existsSync(join(folder, "home"));
  rmSync(folder, { recursive: true });
  expect(JSON.parse(stdout)).toMatchObject({ decision: "allow", price_usd: 200, error: null });
  expect([status, isKept]).toEqual([0, false]);
});
