import { expect, test } from "vitest";
import { clause, mandateOf, money, NOW, policyOf } from "../../testing/smallPolicies.ts";
import { explainMandates } from "./explain.ts";

const told = (policy: Parameters<typeof explainMandates>[1], target = "/a/x") =>
  explainMandates({ kind: "network", verb: "get", target }, policy, NOW).map(({ scope, outcome, steps }) =>
    [scope, outcome.kind, ...steps.map(({ clause: { id }, outcome: step }) => `${id}:${step}`)].join(" "),
  );

test("says of every clause what became of it, scope by scope", () => {
  const first = mandateOf([
    clause("block", { kind: ["file"] }),
    clause("block", { verb: ["put"] }),
    clause("block", { targetPrefix: ["/b/"] }),
    clause("block", { counterparty: ["c"] }),
    clause("allow", { maxAmount: money("1") }),
    clause("allow", { targetPrefix: ["/a/"] }),
    clause("review"),
  ]);
  const second = mandateOf([clause("allow")], { expires: { until: NOW, inclusive: false } });
  expect(told(policyOf(first, second))).toEqual([
    "org:0 evaluated c0:kind c1:verb c2:target c3:counterparty c4:amount c5:decides c6:too_late",
    "org:1 expired",
  ]);
});

test("explains nothing of a target that cannot be read", () => {
  expect(told(policyOf(mandateOf([clause("allow")])), "\u0000")).toEqual(["org:0 unreadable"]);
});
