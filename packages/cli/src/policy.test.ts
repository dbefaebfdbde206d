import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { countersign, isOneLine } from "./testing/command.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const POLICY = `mandate:
  default: block
  clauses:
    - { id: reads, effect: allow, match: { kind: [file], verb: [read], target_prefix: [/work/] } }
    - id: pays
      effect: allow
      match:
        kind: [transaction]
        max_amount: { value: "10", currency: USD }
spend:
  ceilings: [{ value: "50", currency: USD }]
`;
const policy = file("policy.yaml", POLICY);
const looser = file("looser.yaml", POLICY.replace('"10"', '"25"').replace('"50"', '"60"'));

describe("policy diff", () => {
  test("finds nothing between a policy and itself", () => {
    const ran = countersign(["policy", "diff", policy, policy]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain("no action is judged otherwise");
  });

  test("shows an action for each difference, and what else was changed", () => {
    const ran = countersign(["policy", "diff", policy, looser]);
    expect(ran).toMatchObject({ status: 1, stderr: "" });
    expect(ran.stdout).toContain("block → allow  transaction x x 11 USD");
    expect(ran.stdout).toContain("where   kind transaction; amount above 10 up to 25 USD");
    expect(ran.stdout).toContain("exceeds the ceiling 10 USD");
    expect(ran.stdout).toContain("changed spend of org:local: /ceilings/0/value");
  });

  test("gives a program every region, its witness and both decisions", () => {
    const ran = countersign(["policy", "diff", "--json", looser, policy]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      mandate: {
        outcome: "differ",
        differences: [
          {
            from: "allow",
            to: "block",
            region: { kinds: ["transaction"], amounts: [{ currency: "USD", above: "10", up_to: "25" }] },
            witness: { kind: "transaction", amount: { value: "11", currency: "USD" } },
            before: { verdict: "allow", basis: [{ by: "clause", id: "pays" }] },
            after: { verdict: "block", basis: null },
          },
        ],
      },
      changed: [{ scope: "org:local", section: "spend", change: "changed", places: ["/ceilings/0/value"] }],
    });
  });

  test("composes scopes before it compares", () => {
    const base = file(
      "base.yaml",
      "mandate: { default: block, clauses: [{ id: r, effect: allow, match: { kind: [file] } }] }",
    );
    const stack = (org: string) => `platform:default=${base},org:acme=${org}`;
    // What the organisation loosens for payments, the platform blocks all the same.
    const ran = countersign(["policy", "diff", "--json", stack(policy), stack(looser)]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ mandate: { outcome: "same" }, changed: [{ scope: "org:acme" }] });
  });

  test.each([
    { it: "a file that is not there", args: [policy, join(folder, "none.yaml")], says: "no such file" },
    { it: "a scope twice", args: [policy, `org:a=${policy},org:a=${policy}`], says: "a scope has one document" },
    { it: "a scope that is none", args: [policy, `planet:a=${policy}`], says: "SCOPE=FILE" },
    {
      it: "a policy that cannot be read",
      args: [policy, file("bad.yaml", "mandat: {}")],
      says: "did you mean mandate",
    },
  ])("refuses $it in one line", ({ args, says }) => {
    const ran = countersign(["policy", "diff", ...args]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(isOneLine(ran.stderr)).toBe(true);
    expect(ran.stderr).toContain(says);
  });
});

describe("policy lint", () => {
  test("has nothing to say of a policy that says what it means", () => {
    expect(countersign(["policy", "lint", policy])).toMatchObject({
      status: 0,
      stdout: "nothing to say\n",
      stderr: "",
    });
  });

  test("names the line and column of what it finds", () => {
    const open = file("open.yaml", POLICY.replace("/work/", "/work").replace("file]", "file]"));
    const ran = countersign(["policy", "lint", open]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toMatch(/open[.]yaml:4:\d+ {2}warning {2}.*'\/work-other'.*lint[.]unbounded/);
    expect(ran.stdout).toContain("0 errors, 1 warning, 0 notes");
    expect(countersign(["policy", "lint", "--strict", open]).status).toBe(1);
  });

  test("places what cannot be read at all, every mistake of it", () => {
    const bad = file(
      "typos.yaml",
      POLICY.replace("default: block", "default: blok").replace("effect: allow", "efect: allow"),
    );
    const ran = countersign(["policy", "lint", "--json", bad]);
    expect(ran.status).toBe(1);
    const { findings } = JSON.parse(ran.stdout);
    expect(findings.map((one: { code: string; line: number }) => `${one.line} ${one.code}`)).toEqual(
      expect.arrayContaining(["2 policy.wrong_value", "4 policy.missing", "4 policy.unknown_key"]),
    );
  });

  test("places what it finds in a document in JSON too", () => {
    const json = file(
      "open.json",
      JSON.stringify(
        { mandate: { default: "block", clauses: [{ id: "a", effect: "allow", match: { kind: ["file"] } }] } },
        null,
        2,
      ),
    );
    expect(JSON.parse(countersign(["policy", "lint", "--json", json]).stdout)).toMatchObject({
      findings: [{ code: "lint.unbounded", line: 8, column: 9, path: "/mandate/clauses/0/match" }],
    });
  });
});

describe("policy show", () => {
  test("shows what is in force, and where it comes from", () => {
    const ran = countersign(["policy", "show", "--json", `platform:default=${policy},agent:x=${looser}`]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      policy: { spend: [{ scope: "platform:default" }, { scope: "agent:x" }] },
      provenance: expect.arrayContaining([{ path: "/spend/1", scope: "agent:x", version: null }]),
    });
  });

  test.each([
    {
      it: "yes, with an action that shows it",
      partial: { target_prefix: "/work/" },
      status: 0,
      says: "yes  file read /work/",
    },
    {
      it: "no, where every action is blocked",
      partial: { kind: "file", target_prefix: "/etc/" },
      status: 1,
      says: "no",
    },
    {
      it: "no for an amount above every ceiling",
      partial: { amount: { value: "10.01", currency: "USD" }, kind: "transaction" },
      status: 1,
      says: "no",
    },
  ])("says $it", ({ partial, status, says }) => {
    const ran = countersign(["policy", "show", policy, "--ever", "allow", "--action", "-"], JSON.stringify(partial));
    expect(ran).toMatchObject({ status, stderr: "" });
    expect(ran.stdout).toContain(says);
  });

  test.each([
    { it: "a member that is none", partial: { verbs: "read" }, says: "/verbs" },
    { it: "a kind that is none", partial: { kind: "files" }, says: "/kind" },
    { it: "a target beside a prefix", partial: { target: "/a", target_prefix: "/a" }, says: "/target_prefix" },
    { it: "an amount that is none", partial: { amount: 5 }, says: "/amount" },
    { it: "a target without a normal form", partial: { target: "\u0000" }, says: "target.character" },
  ])("refuses $it in one line", ({ partial, says }) => {
    const ran = countersign(["policy", "show", policy, "--ever", "allow", "--action", "-"], JSON.stringify(partial));
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(isOneLine(ran.stderr)).toBe(true);
    expect(ran.stderr).toContain(says);
  });
});
