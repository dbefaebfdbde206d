import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  composeParts,
  createGate,
  createMemoryStore,
  exportLog,
  parseMoney,
  readPart,
  samePolicy,
} from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEMPLATES } from "./templates.ts";
import { countersign, isOneLine, start } from "./testing/command.ts";
import { parseYaml } from "./yaml.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
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

test("a policy of ten thousand clauses of the platform is read", () => {
  const clauses = Array.from({ length: 10_000 }, (_, at) => ({
    id: `clause-${at}`,
    effect: "allow",
    match: { kind: ["file"], verb: ["read"], target_prefix: [`/work/${at}/${"x".repeat(40)}/`] },
  }));
  const large = file("large.json", JSON.stringify({ mandate: { clauses, default: "block" } }));
  const ran = countersign(["policy", "diff", `platform:default=${large}`, `platform:default=${large}`]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
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
      provenance: expect.arrayContaining([{ path: "/spend/1", scope: "agent:x", document: "policy", version: null }]),
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

describe("policy explain", () => {
  const pay = (value: string) =>
    JSON.stringify({ action: { kind: "transaction", verb: "pay", target: "x", amount: { value, currency: "USD" } } });

  test("says of every clause why it decides or does not, and what would pass", () => {
    const ran = countersign(["policy", "explain", "-", "--policy", policy, "--all"], pay("60"));
    expect(ran).toMatchObject({ status: 1, stderr: "" });
    expect(ran.stdout).toContain("○ reads  allow   is for file");
    expect(ran.stdout).toContain("○ pays   allow   wants an amount of at most 10 USD");
    expect(ran.stdout).toContain("spend.ceiling_exceeded");
    expect(ran.stdout).toContain("remedy  amount at most 10 USD: would be allowed");
  });

  test("names the clause that decides", () => {
    const ran = countersign(["policy", "explain", "-", "--policy", policy], pay("5"));
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain("● pays  allow   matches first, and decides");
  });

  test("gives a program the steps, the findings and the remedy", () => {
    const ran = countersign(["policy", "explain", "-", "--policy", policy, "--json"], pay("60"));
    expect(JSON.parse(ran.stdout)).toMatchObject({
      verdict: "block",
      mandates: [
        {
          scope: "org:local",
          effect: "block",
          by: null,
          clauses: [
            { id: "reads", outcome: "kind" },
            { id: "pays", outcome: "ceiling" },
          ],
        },
      ],
      remedy: {
        text: "amount at most 10 USD",
        changes: [{ path: "/action/amount/value", value: "10" }],
        verdict: "allow",
      },
    });
  });

  test("never shows what acts on a terminal", () => {
    const ask = { action: { kind: "file", verb: "read", target: "/work/a", justification: "\u001b[2J" } };
    expect(countersign(["policy", "explain", "-", "--policy", policy], JSON.stringify(ask)).stdout).not.toContain(
      "\u001b",
    );
  });
});

describe("policy test", () => {
  const cases = (text: string, name = "policy.test.yaml") => file(name, text);
  const READ = "ask: { action: { kind: file, verb: read, target: /work/a } }";
  const PASSES = `cases:
  - { name: reads, ${READ}, want: allow, by: [reads] }
  - { name: pays, ask: { action: { kind: transaction, verb: pay, target: x, amount: { value: "9", currency: USD } } }, want: allow }
  - { name: large, ask: { action: { kind: transaction, verb: pay, target: x, amount: { value: "60", currency: USD } } }, want: block, codes: [spend.ceiling_exceeded], remedy: amount at most 10 USD }
`;

  test("passes where every case gets what it wants, and counts the clauses", () => {
    const ran = countersign(["policy", "test", cases(PASSES), "--coverage", "100"]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain("3 passed, 0 failed; 2 of 2 clauses covered (100 %)");
  });

  test.each([
    { it: "another verdict", line: `{ name: n, ${READ}, want: review }`, says: "wanted review, got allow" },
    {
      it: "a code that was not found",
      line: `{ name: n, ${READ}, want: allow, codes: [x.y] }`,
      says: "wanted x.y; nothing was found",
    },
    { it: "another clause", line: `{ name: n, ${READ}, want: allow, by: [pays] }`, says: "it is by reads" },
    {
      it: "a remedy that is none",
      line: `{ name: n, ${READ}, want: allow, remedy: less }`,
      says: "wanted the remedy less, got none",
    },
  ])("fails for $it", ({ line, says }) => {
    const ran = countersign(["policy", "test", cases(`cases:\n  - ${line}\n`)]);
    expect(ran).toMatchObject({ status: 1, stderr: "" });
    expect(ran.stdout).toContain(says);
  });

  test("says which report cannot be written", () => {
    const ran = countersign(["policy", "test", cases(PASSES), "--junit", join(folder, "none", "junit.xml")]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain("output.unwritable");
    expect(isOneLine(ran.stderr)).toBe(true);
  });

  test("fails where too few clauses are reached, and names the others", () => {
    const few = cases(`cases:\n  - { name: n, ${READ}, want: allow }\n`);
    expect(countersign(["policy", "test", few])).toMatchObject({ status: 0 });
    const ran = countersign(["policy", "test", few, "--coverage", "80"]);
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.stdout).toContain("no case reaches pays of org:local");
  });

  test("tells programs and build servers", () => {
    const failing = cases(`cases:\n  - { name: "<a>", ${READ}, want: block }\n  - { name: b, ${READ}, want: allow }\n`);
    const out = join(folder, "junit.xml");
    const ran = countersign(["policy", "test", failing, "--json", "--junit", out]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      failed: 1,
      suites: [
        {
          cases: [{ name: "<a>", want: "block", got: "allow", passed: false }, { passed: true }],
          coverage: { percent: 50 },
        },
      ],
    });
    const xml = readFileSync(out, "utf8");
    expect(xml).toContain('tests="2" failures="1"');
    expect(xml).toContain('name="&lt;a&gt;"');
  });

  test.each([
    {
      it: "a mistyped key",
      text: `cases:\n  - { name: n, ${READ}, wants: allow }\n`,
      says: "/cases/0/wants: this is no test of a policy (expected: want)",
    },
    { it: "a verdict that is none", text: `cases:\n  - { name: n, ${READ}, want: yes }\n`, says: "/cases/0/want" },
    { it: "no cases", text: "cases: []\n", says: "/cases" },
    {
      it: "two cases of one name",
      text: `cases:\n  - { name: n, ${READ}, want: allow }\n  - { name: n, ${READ}, want: allow }\n`,
      says: "/cases/1/name",
    },
    {
      it: "an ask that is none",
      text: "cases:\n  - { name: n, ask: { action: { kind: files } }, want: allow }\n",
      says: "request.invalid",
    },
  ])("refuses $it in one line", ({ text, says }) => {
    const ran = countersign(["policy", "test", cases(text)]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(isOneLine(ran.stderr)).toBe(true);
    expect(ran.stderr).toContain(says);
  });

  test("composes the scopes that the cases name, seen from their own folder", () => {
    file("above.yaml", "mandate: { default: block, clauses: [{ id: all, effect: review, match: { kind: [file] } }] }");
    const both = cases(
      `policy: platform:default=above.yaml,org:acme=policy.yaml
cases:
  - { name: the stricter stands, ${READ}, want: review, by: [all, reads] }
`,
      "both.test.yaml",
    );
    const ran = countersign(["policy", "test", both], "", tmpdir());
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain("2 of 3 clauses covered");
  });

  test("runs again when a file changes", async () => {
    const place = mkdtempSync(join(folder, "watch-"));
    writeFileSync(join(place, "p.yaml"), POLICY);
    writeFileSync(join(place, "p.test.yaml"), `cases:\n  - { name: n, ${READ}, want: allow }\n`);
    const running = start(["policy", "test", "--watch", join(place, "p.test.yaml")]);
    let heard = "";
    const says = (text: string) =>
      new Promise<void>((resolve) => {
        running.stdout.on("data", () => heard.includes(text) && resolve());
        if (heard.includes(text)) resolve();
      });
    running.stdout.on("data", (chunk) => {
      heard += chunk;
    });
    try {
      await says("1 passed");
      writeFileSync(join(place, "p.yaml"), POLICY.replace("[read]", "[write]"));
      await says("1 failed");
    } finally {
      running.kill();
    }
  });
});

describe("templates", () => {
  const templates = fileURLToPath(new URL("../templates/", import.meta.url));

  test.each(TEMPLATES.map((name) => ({ name })))(
    "$name passes its tests, which reach every clause, and nothing is to be said of it",
    ({ name }) => {
      const tested = countersign(["policy", "test", join(templates, `${name}.test.yaml`), "--coverage", "100"]);
      expect(tested).toMatchObject({ status: 0, stderr: "" });
      const linted = countersign(["policy", "lint", "--strict", join(templates, `${name}.yaml`)]);
      expect(linted).toMatchObject({ status: 0, stdout: "nothing to say\n" });
    },
  );

  test("are all there is in their folder", () => {
    const files = TEMPLATES.flatMap((name) => [`${name}.yaml`, `${name}.test.yaml`]);
    expect(readdirSync(templates).sort()).toEqual(files.sort());
  });

  test("are installed with their tests, and keep what is there", () => {
    const place = mkdtempSync(join(folder, "init-"));
    const ran = countersign(["init", "--template", "shopping-agent", "--policy", "shop.yaml"], "", place);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(countersign(["policy", "test", "shop.test.yaml"], "", place)).toMatchObject({ status: 0 });
    writeFileSync(join(place, "shop.yaml"), POLICY);
    expect(countersign(["init", "--template", "trading-bot", "--policy", "shop.yaml"], "", place).stdout).toContain(
      "kept  shop.yaml",
    );
    expect(readFileSync(join(place, "shop.yaml"), "utf8")).toBe(POLICY);
  });

  test("that do not exist are refused", () => {
    const ran = countersign(["init", "--template", "bank-robber"], "", mkdtempSync(join(folder, "none-")));
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain("coding-agent");
  });
});

describe("policy replay", () => {
  const place = mkdtempSync(join(folder, "log-"));
  const log = join(place, "log.jsonl");
  const read = (record: object, content: object | null) => `${JSON.stringify({ ...record, content })}\n`;

  /** A log that a gate wrote, as it is exported. */
  async function exportedLog(): Promise<string> {
    const part = readPart(parsed(POLICY), "org:local");
    if (!part.ok) throw new Error("the policy reads");
    const store = createMemoryStore({ clock: Date.now, random: (n) => new Uint8Array(randomBytes(n)), sha256 });
    const gate = createGate({
      ledger: store,
      policies: samePolicy(composeParts([part.value])),
      sources: [],
      deadline: () => new Promise(() => {}),
      signer: null,
      clock: Date.now,
      random: (n) => new Uint8Array(randomBytes(n)),
      sha256,
      engine: "test/1",
      issuer: "gate",
      holds: null,
      content: { keep: "full", keepFor: null },
    });
    const principal = { tenant: "local", agent: "local", teams: [], credential: "k" };
    for (const value of ["5", "11", "24"]) {
      const amount = parseMoney(value, "USD");
      if (!amount.ok) throw new Error("an amount");
      await gate.decide({
        principal,
        action: { kind: "transaction", verb: "pay", target: "cart", amount: amount.value },
      });
    }
    await gate.decide({ principal, material: { data: { key: "AKIAIOSFODNN7EXAMPLQ" } } });
    const entries = await exportLog("local", store, 0, 100);
    if (!entries.ok) throw new Error("the log is exported");
    return entries.value.map(({ content, ...rest }) => read(rest, content)).join("");
  }
  const parsed = (text: string) => {
    const document = parseYaml(text);
    if (!document.ok) throw new Error(document.error.code);
    return document.value;
  };

  beforeAll(async () => writeFileSync(log, await exportedLog()));

  test("tells what would change, what money would have moved, and what cannot be replayed", () => {
    const ran = countersign(["policy", "replay", looser, "--export", log]);
    expect(ran).toMatchObject({ status: 1, stderr: "" });
    expect(ran.stdout).toContain("4 decisions, 3 replayed, 2 would change");
    expect(ran.stdout).toContain("1 not replayed: their content was not kept, or was erased");
    expect(ran.stdout).toContain("block → allow  2");
    expect(ran.stdout).toContain("would have moved  35 USD");
    expect(ran.stdout).toContain("local: transaction pay cart 24 USD");
    expect(ran.stdout).toContain("another engine, which may judge otherwise: test/1");
  });

  test("gives a program the sums and the decisions, as many as it asks for", () => {
    const ran = countersign(["policy", "replay", looser, "--export", "-", "--json", "--list", "1"], readFileSync(log));
    expect(JSON.parse(ran.stdout)).toMatchObject({
      decisions: 4,
      replayed: 3,
      changes: [{ from: "block", to: "allow", decisions: 2 }],
      would_have_moved: [{ value: "35", currency: "USD" }],
      not_replayed: { content_not_kept: 1 },
      engines: ["test/1"],
      changed: [{ from: "block", to: "allow", agent: "local" }],
    });
  });

  test("finds no change under the policy of then, and says that not all could be replayed", () => {
    expect(countersign(["policy", "replay", policy, "--export", log])).toMatchObject({ status: 2, stderr: "" });
  });

  test("holds the documents of other agents against nobody", () => {
    const stack = `org:local=${policy},agent:somebody=${file("none.yaml", "mandate: { default: block, clauses: [{ id: n, effect: block, match: { kind: [file] } }] }")}`;
    expect(countersign(["policy", "replay", stack, "--export", log])).toMatchObject({ status: 2 });
    expect(countersign(["policy", "replay", stack.replace("somebody", "local"), "--export", log])).toMatchObject({
      status: 1,
    });
  });

  test.each([
    { it: "a log that is not there", args: ["--export", join(place, "no.jsonl")], says: "no such file" },
    { it: "a store that is not there", args: ["--store", join(place, "no.db")], says: "there is no log here" },
    { it: "what is no export", args: ["--export", policy], says: "line 1" },
    { it: "a number that is none", args: ["--export", log, "--list", "many"], says: "--list" },
  ])("refuses $it in one line, and makes nothing", ({ args, says }) => {
    const ran = countersign(["policy", "replay", policy, ...args]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(isOneLine(ran.stderr)).toBe(true);
    expect(ran.stderr).toContain(says);
    expect(existsSync(join(place, "no.db"))).toBe(false);
  });
});
