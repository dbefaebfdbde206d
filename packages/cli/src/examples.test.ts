import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countersign } from "./testing/command.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What the tour of the README promises of each ask. */
const PROMISED: Readonly<Record<string, readonly [status: number, says: string]>> = {
  "delete-file": [2, "mandate.clause_review"],
  "fetch-metadata": [1, "url.private_address"],
  "fetch-page": [0, "by clause documentation"],
  "injected-page": [1, "instructions.block"],
  "large-payment": [1, "spend.budget_exceeded"],
  "read-file": [0, "by clause project-files"],
  "read-outside": [2, "target.ambiguous"],
  "small-payment": [0, "by clause small-payments"],
  "unknown-payee": [2, "mandate.clause_review"],
};

const asks = readdirSync(`${ROOT}examples/asks`).map((name) => name.replace(/[.]json$/, ""));

test("every example is promised something", () => {
  expect(asks.sort()).toEqual(Object.keys(PROMISED));
});

test.each(Object.entries(PROMISED))("the example %s is decided as promised", (name, [status, says]) => {
  const ran = countersign(["check", `examples/asks/${name}.json`, "--policy", "examples/policy.yaml"], "", ROOT);
  expect(ran).toMatchObject({ status, stderr: "" });
  expect(ran.stdout).toContain(says);
});

test("a command that begins harmlessly is not allowed for it", () => {
  const ask = { action: { kind: "process", verb: "run", target: "npm test; rm -rf /" } };
  const ran = countersign(["check", "-", "--policy", "examples/policy.yaml"], JSON.stringify(ask), ROOT);
  expect(ran).toMatchObject({ status: 2, stderr: "" });
});

test("the linter warns of nothing in the example policy", () => {
  const ran = countersign(["policy", "lint", "examples/policy.yaml"], "", ROOT);
  expect(ran.stdout).toContain("0 errors, 0 warnings");
});

test("everything holds under the example policy", () => {
  const ran = countersign(["doctor", "--policy", "examples/policy.yaml", "--home", "none"], "", ROOT);
  expect(ran.status, ran.stdout).toBe(0);
});
