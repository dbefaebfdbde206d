import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { mapToolCall } from "./mapToolCall.ts";
import { readPolicy } from "./readPolicy.ts";

const policyOf = (mapping: JsonObject) => {
  const read = readPolicy({ tools: [{ tool: "git/push", kind: "network", verb: "push", ...mapping }] }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const target = (args: JsonObject, template = "api://repo/{/owner}/{/name}") => {
  const mapped = mapToolCall(policyOf({ target: template }), "git/push", args);
  return mapped.ok ? mapped.value.action.target : mapped.error.code;
};

describe("a value in a target", () => {
  test.each<{ it: string; args: JsonObject; want: string }>([
    { it: "stands where its pointer says", args: { owner: "acme", name: "site" }, want: "api://repo/acme/site" },
    { it: "stays one segment", args: { owner: "a/b", name: "c?d#e" }, want: "api://repo/a%2Fb/c%3Fd%23e" },
    { it: "may be a number", args: { owner: 7, name: true }, want: "api://repo/7/true" },
    { it: "may not be missing", args: { owner: "acme" }, want: "mapping.missing" },
    { it: "may not be null", args: { owner: "acme", name: null }, want: "mapping.missing" },
    { it: "may not be an object", args: { owner: "acme", name: { a: 1 } }, want: "mapping.missing" },
    { it: "may not be empty", args: { owner: "", name: "x" }, want: "mapping.refused" },
    { it: "may not climb", args: { owner: "..", name: "x" }, want: "mapping.refused" },
    { it: "may not stand still", args: { owner: ".", name: "x" }, want: "mapping.refused" },
    { it: "is no inherited member", args: { name: "x" }, want: "mapping.missing" },
  ])("$it", ({ args, want }) => {
    expect(target(args)).toBe(want);
  });

  test("is found in lists and under escaped names", () => {
    expect(target({ list: [{ "a/b": "x" }] }, "api://{/list/0/a~1b}")).toBe("api://x");
    expect(target({}, "api://{/constructor}")).toBe("mapping.missing");
  });
});

test("the parameters are all of the arguments, and the tool is among the labels", () => {
  const args = { owner: "acme", name: "site", force: true };
  const mapped = mapToolCall(
    policyOf({ target: "api://x", labels: ["external"], assets: ["repo:{/name}"] }),
    "git/push",
    args,
  );
  expect(mapped).toMatchObject({
    ok: true,
    value: { mapped: true, action: { parameters: args, labels: ["external", "tool:git/push"], assets: ["repo:site"] } },
  });
});

test("an amount is exact or refused", () => {
  const policy = policyOf({ target: "api://x", amount: { value: "{/sum}", currency: "USD" } });
  expect(mapToolCall(policy, "git/push", { sum: "12.50" }).ok).toBe(true);
  expect(mapToolCall(policy, "git/push", { sum: "1e3" })).toMatchObject({
    ok: false,
    error: { code: "mapping.refused" },
  });
});

test("what nobody mapped is an action that no permit matches", () => {
  expect(mapToolCall(policyOf({ target: "api://x" }), "git/other", { a: 1 })).toMatchObject({
    ok: true,
    value: { mapped: false, action: { kind: "unspecified", target: "tool://git/other", parameters: { a: 1 } } },
  });
});

test.each(["{owner}", "{/a", "a}", "{/~2}", "{{/a}}"])("refuses the template %s", (template) => {
  const read = readPolicy({ tools: [{ tool: "a/b", kind: "file", verb: "v", target: template }] }, "org:acme");
  expect(read.ok ? "" : read.error[0]?.code).toBe("policy.template");
});
