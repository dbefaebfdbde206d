import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Action } from "../../action/action.ts";
import { decide } from "../../decision/decide.ts";
import { factsOf } from "../../fact/fact.ts";
import type { JsonObject } from "../../json/value.ts";
import { folded } from "../../policy/fold.ts";
import { globMatches, globOf } from "../../policy/glob.ts";
import { readPolicy } from "../../policy/readPolicy.ts";
import { instantFromMillis } from "../../time/instant.ts";
import { stopKey } from "../stop.ts";
import { canProduce, operationNames } from "./operations.ts";

const asker = { tenant: "acme", agent: "dba", teams: [] };
const ACTION: Action = { kind: "process", verb: "db.exec", target: "postgres://main/orders" };

function codes(document: JsonObject, action: Partial<Action> = {}) {
  const read = readPolicy({ protected: document }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const ask = { asker, action: { ...ACTION, ...action } };
  const stops = {
    key: stopKey(ask),
    fact: { state: "known", value: [], source: "test", at: "2027-01-15T08:00:00Z" },
  } as const;
  const outcome = decide(ask, read.value, factsOf([stops]), instantFromMillis(1_800_000_000_000));
  if (outcome.kind === "fault") throw new Error(outcome.code);
  return outcome.findings.filter(({ check }) => check === "protected").map(({ code }) => code);
}
const forbids = (pattern: string, action: Partial<Action>, more: JsonObject = {}) =>
  codes({ forbidden_operations: [{ pattern, ...more }] }, action).length > 0;

describe("a pattern matches", () => {
  test.each<{ it: string; pattern: string; action: Partial<Action>; want: boolean }>([
    { it: "the verb", pattern: "drop_table", action: { verb: "drop_table" }, want: true },
    { it: "the verb in any letter case", pattern: "DROP_table", action: { verb: "drop_TABLE" }, want: true },
    { it: "no longer verb", pattern: "drop_table", action: { verb: "drop_tables" }, want: false },
    { it: "the beginning of the verb", pattern: "drop_*", action: { verb: "drop_schema" }, want: true },
    { it: "verb and target", pattern: "delete /etc/*", action: { verb: "delete", target: "/etc/passwd" }, want: true },
    {
      it: "a target that hides behind encoding",
      pattern: "delete /etc/*",
      action: { verb: "delete", target: "/work/%2e%2e/etc/passwd" },
      want: true,
    },
    {
      it: "a target in full-width letters",
      pattern: "delete *passwd",
      action: { verb: "delete", target: "/etc/ｐａｓｓｗｄ" },
      want: true,
    },
    { it: "verb and label", pattern: "send:external", action: { verb: "send", labels: ["external"] }, want: true },
    {
      it: "the name of the tool",
      pattern: "mail/send_*",
      action: { verb: "call", labels: ["tool:mail/send_bulk"] },
      want: true,
    },
    { it: "everything", pattern: "*", action: {}, want: true },
    {
      it: "no target under another verb",
      pattern: "delete /etc/*",
      action: { verb: "read", target: "/etc/x" },
      want: false,
    },
    {
      it: "a star in the target only as itself",
      pattern: "read ?",
      action: { verb: "read", target: "x" },
      want: false,
    },
  ])("$it", ({ pattern, action, want }) => {
    expect(forbids(pattern, action)).toBe(want);
  });
});

describe("what a rule applies to", () => {
  test.each<{ it: string; assets: readonly string[] | undefined; appliesTo: string[]; want: boolean }>([
    { it: "an asset that the action names", assets: ["table:orders"], appliesTo: ["table:orders"], want: true },
    { it: "in any letter case", assets: ["Table:ORDERS"], appliesTo: ["table:orders"], want: true },
    { it: "no other asset", assets: ["table:users"], appliesTo: ["table:orders"], want: false },
    { it: "no action that says it touches nothing", assets: [], appliesTo: ["table:orders"], want: false },
    { it: "an action that does not say what it touches", assets: undefined, appliesTo: ["table:orders"], want: true },
    { it: "assets by a pattern", assets: ["table:orders_2026"], appliesTo: ["table:orders*"], want: true },
    { it: "everything where the list is empty", assets: ["table:users"], appliesTo: [], want: true },
  ])("$it", ({ assets, appliesTo, want }) => {
    const action = assets === undefined ? {} : { assets };
    expect(forbids("db.*", action, { applies_to: appliesTo })).toBe(want);
  });
});

test("a forbidden operation blocks, and one that needs escalation goes to a person", () => {
  expect(codes({ forbidden_operations: [{ pattern: "db.*" }] })).toEqual(["protected.forbidden"]);
  expect(codes({ escalation_required: [{ pattern: "db.*" }] })).toEqual(["protected.escalation_required"]);
});

describe("a pattern that nothing can produce is refused when it is saved", () => {
  test.each([
    { pattern: "删除", can: false },
    { pattern: " drop", can: false },
    { pattern: "drop ", can: false },
    { pattern: "a\u202eb", can: false },
    { pattern: "zero\u200bwidth", can: false },
    { pattern: "(drop|truncate) *", can: false },
    { pattern: "é*", can: false },
    { pattern: `${"x".repeat(129)}`, can: false },
    { pattern: "drop", can: true },
    { pattern: "*删除*", can: true },
    { pattern: "delete 表", can: true },
    { pattern: "send:émile", can: true },
    { pattern: "mail/send", can: true },
    { pattern: "*", can: true },
  ])("$pattern: $can", ({ pattern, can }) => {
    const read = readPolicy({ protected: { forbidden_operations: [{ pattern }] } }, "org:acme");
    expect(read.ok ? [] : read.error.map(({ code, path }) => `${code} ${path}`)).toEqual(
      can ? [] : ["protected.unenforceable /protected/forbidden_operations/0/pattern"],
    );
  });

  test("and every pattern made from an action is not", () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9._:-]{1,12}$/);
    const target = fc.stringMatching(/^[/a-zé表 ]{1,12}$/u).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(
        word,
        target,
        fc.array(word, { maxLength: 2 }),
        fc.nat(),
        fc.nat(),
        (verb, to, labels, from, size) => {
          for (const name of operationNames({ ...ACTION, verb, target: to, labels })) {
            const start = from % (name.length + 1);
            const pattern = `${name.slice(0, start)}*${name.slice(start + (size % 4))}`;
            expect([pattern, canProduce(pattern), globMatches(globOf(pattern), name)]).toEqual([pattern, true, true]);
          }
        },
      ),
    );
  });
});

test("a glob matches as a regular expression of its pieces does", () => {
  const text = fc.stringMatching(/^[ab*]{0,10}$/);
  fc.assert(
    fc.property(text, fc.stringMatching(/^[ab]{0,12}$/), (pattern, name) => {
      const expression = new RegExp(`^${pattern.split("*").join("[^]*")}$`);
      expect(globMatches(globOf(pattern), folded(name))).toBe(expression.test(name));
    }),
    { numRuns: 500 },
  );
});
