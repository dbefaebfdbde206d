import { readFileSync } from "node:fs";
import { RISK_WEIGHTS } from "@countersign/core";
import { readTradeConfig } from "@countersign/server";
import { expect, test } from "vitest";
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
