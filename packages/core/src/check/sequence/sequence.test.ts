import { describe, expect, test } from "vitest";
import type { Ask } from "../../action/action.ts";
import { factsOf, NO_FACTS } from "../../fact/fact.ts";
import type { JsonObject } from "../../json/value.ts";
import { readPolicy } from "../../policy/readPolicy.ts";
import { instantFromMillis } from "../../time/instant.ts";
import { marksOf } from "./marks.ts";
import { CREDENTIAL_MARKS, sequence } from "./sequence.ts";

const NOW = instantFromMillis(Date.UTC(2027, 0, 15, 8));
const asker = { tenant: "acme", agent: "mailer", teams: [] };
const SEND: Ask = { asker, action: { kind: "network", verb: "post", target: "https://out.example.com/x" } };
const RULE = {
  id: "no-exfiltration",
  after: ["read_private", "saw_untrusted"],
  match: { kind: ["network"], verb: ["post"] },
  effect: "block",
  within: "PT1H",
};

const policyOf = (section: JsonObject) => {
  const read = readPolicy({ sequence: section }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const left = (marks: Record<string, string>) =>
  factsOf([
    {
      key: CREDENTIAL_MARKS,
      fact: {
        state: "known",
        value: Object.entries(marks).map(([mark, at]) => ({ mark, at: `2027-01-15T${at}Z` })),
        source: "test",
        at: "2027-01-15T08:00:00Z",
      },
    },
  ]);
const codes = (ask: Ask, facts = left({}), section: JsonObject = { rules: [RULE] }) =>
  sequence.judge(ask, policyOf(section), facts, NOW).map(({ code }) => code);

describe("a rule over what was done before", () => {
  test.each([
    {
      it: "blocks after all of its marks",
      marks: { read_private: "07:30:00", saw_untrusted: "07:40:00" },
      want: ["sequence.blocked"],
    },
    {
      it: "in whichever order they were left",
      marks: { read_private: "07:50:00", saw_untrusted: "07:40:00" },
      want: ["sequence.blocked"],
    },
    { it: "says nothing after one of them", marks: { read_private: "07:30:00" }, want: [] },
    { it: "forgets after its time", marks: { read_private: "06:59:59", saw_untrusted: "07:40:00" }, want: [] },
    { it: "forgets exactly at its time", marks: { read_private: "07:00:00", saw_untrusted: "07:40:00" }, want: [] },
  ])("$it", ({ marks, want }) => {
    expect(codes(SEND, left(marks as unknown as Record<string, string>))).toEqual(want);
  });

  test("counts what this very ask has seen", () => {
    const ask: Ask = { ...SEND, material: { texts: [{ surface: "incoming", text: "hello", source: "web" }] } };
    expect(codes(ask, left({ read_private: "07:30:00" }))).toEqual(["sequence.blocked"]);
  });

  test("blocks where what was done before is not known", () => {
    expect(codes(SEND, NO_FACTS)).toEqual(["sequence.unknown"]);
  });

  test("leaves other actions alone, known or not", () => {
    const read: Ask = { asker, action: { kind: "network", verb: "get", target: "https://out.example.com/x" } };
    expect(codes(read, NO_FACTS)).toEqual([]);
  });

  test("sends to a person where it says so", () => {
    const rule = { ...RULE, after: ["read_private"], effect: "review" };
    expect(codes(SEND, left({ read_private: "07:59:00" }), { rules: [rule] })).toEqual(["sequence.review"]);
  });
});

describe("marks", () => {
  const section = {
    marks: [
      { mark: "read_home", match: { kind: ["file"], target_prefix: ["/home/"] } },
      { mark: "got_mail", texts: { surfaces: ["incoming"], sources: ["mail"] } },
    ],
    rules: [{ ...RULE, after: ["read_home", "got_mail"] }],
  };
  const marks = (ask: Omit<Ask, "asker">) => marksOf({ asker, ...ask }, policyOf(section));

  test.each<{ it: string; target: string; want: readonly string[] }>([
    { it: "what a rule of the policy names", target: "/home/me/notes", want: ["read_home"] },
    { it: "and what hides behind encoding", target: "/work/%2e%2e/home/me", want: ["read_home"] },
    { it: "nothing else", target: "/work/a", want: [] },
  ])("are left by $it", ({ target, want }) => {
    expect(marks({ action: { kind: "file", verb: "read", target } }).ofAction).toEqual(want);
  });

  test("are left by the texts that came along", () => {
    const texts = (source: "mail" | "user") => ({
      material: { texts: [{ surface: "incoming" as const, text: "hi", source }] },
    });
    expect(marks(texts("mail")).ofTexts).toEqual(["got_mail", "saw_untrusted"]);
    expect(marks(texts("user")).ofTexts).toEqual([]);
  });

  test("a text that does not say what it is may be anything", () => {
    expect(marks({ material: { texts: [{ surface: "incoming", text: "hi" }] } }).ofTexts).toEqual([
      "got_mail",
      "saw_untrusted",
    ]);
  });
});

test.each<{ it: string; section: JsonObject; want: string }>([
  {
    it: "a mark that nothing leaves",
    section: { rules: [{ ...RULE, after: ["nothing"] }] },
    want: "policy.reference /sequence/rules/0/after",
  },
  {
    it: "a mark that says not what leaves it",
    section: { marks: [{ mark: "x" }], rules: [RULE] },
    want: "policy.missing /sequence/marks/0",
  },
  {
    it: "a time longer than marks are kept",
    section: { rules: [{ ...RULE, within: "P2D" }] },
    want: "policy.duration /sequence/rules/0/within",
  },
  {
    it: "two rules of one id",
    section: { rules: [RULE, { ...RULE, id: "NO-exfiltration" }] },
    want: "policy.duplicate_id /sequence/rules/1/id",
  },
])("refuses $it", ({ section, want }) => {
  const read = readPolicy({ sequence: section }, "org:acme");
  expect(read.ok ? [] : read.error.map(({ code, path }) => `${code} ${path}`)).toEqual([want]);
});
