import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  decodeBase64url,
  type ExactJson,
  type ExactObject,
  type Instant,
  type JsonObject,
  type MandateReceipt,
  mandateReceiptBytes,
  parseInstant,
  parseJson,
  type Signer,
} from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { verifyAsync } from "@noble/ed25519";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { mandate } from "./mandate.ts";
import { CHECK_ACTION, VALIDATE_MANDATE } from "./schema.ts";

const at = (text: string): Instant => {
  const read = parseInstant(text);
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const exact = (text: string): ExactJson => {
  const read = parseJson(text, { bytes: 4_194_304, depth: 1000 }, "exact");
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const asInput = (value: unknown): ExactJson => exact(JSON.stringify(value));

const NOW = at("2026-05-01T12:00:00Z");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signer: Signer = { kid: "k1", sign: async (bytes) => sign(null, bytes, privateKey) };

/** Every answer is held against the published output schema. */
async function ask(
  tool: "check_action" | "validate_mandate",
  input: ExactJson,
  more: object = {},
): Promise<JsonObject> {
  const answer = await mandate.call(tool, input, { now: NOW, ...more });
  if (!answer.ok) throw new Error(answer.error.code);
  const schema = (tool === "check_action" ? CHECK_ACTION : VALIDATE_MANDATE).outputSchema as InputSchema;
  expect(inputFaults(schema, answer.value as ExactJson)).toEqual([]);
  return answer.value;
}

interface Clause {
  readonly id: string;
  readonly effect: string;
  readonly match: object;
  readonly note?: string;
}
const clause = (id: string, effect: string, match: object = {}): Clause => ({
  id,
  effect,
  match: { kind: ["file"], ...match },
});
const mandateOf = (clauses: readonly unknown[], rest: object = {}): ExactObject =>
  ({
    schema_version: "0.2-draft",
    mandate_id: "m-1",
    purpose: "Tests.",
    default: "deny",
    clauses,
    ...rest,
  }) as ExactObject;
const request = (operation: object = {}, rest: object = {}): ExactObject =>
  ({
    schema_version: "0.1-draft",
    requested_by: { agent: "a" },
    operation: { kind: "file", verb: "read", target: "/srv/x", ...operation },
    justification: "Because.",
    ...rest,
  }) as ExactObject;
const check = (clauses: readonly unknown[], operation: object = {}, rest: object = {}) =>
  ask("check_action", asInput({ mandate: mandateOf(clauses, rest), action: request(operation) }));

describe("check_action decides", () => {
  const usd = (value: string, currency = "USD") => ({ max_amount: { value, currency } });
  const pays = (value: string, currency = "USD") => ({ amount: { value, currency } });
  const READ = [clause("r", "permit")];

  test.each<{
    it: string;
    clauses: readonly unknown[];
    operation?: object;
    rest?: object;
    outcome: string;
    clause?: string;
    reason: RegExp;
  }>([
    {
      it: "by the first clause that matches",
      clauses: [clause("no", "deny", { verb: ["write"] }), clause("yes", "permit")],
      outcome: "permit",
      clause: "yes",
      reason: /^clause 'yes' applies$/,
    },
    {
      it: "an escalation as it is",
      clauses: [clause("ask", "escalate")],
      outcome: "escalate",
      clause: "ask",
      reason: /applies/,
    },
    { it: "a denial as it is", clauses: [clause("no", "deny")], outcome: "deny", clause: "no", reason: /applies/ },
    {
      it: "that a kind needs a person, and keeps the clause",
      clauses: READ,
      rest: { requires_human: ["file"] },
      outcome: "escalate",
      clause: "r",
      reason: /clause 'r' permits this, but kind 'file' always requires a person/,
    },
    {
      it: "that a denial stays one for such a kind",
      clauses: [clause("no", "deny")],
      rest: { requires_human: ["file"] },
      outcome: "deny",
      clause: "no",
      reason: /applies/,
    },
    {
      it: "by default, naming who came close",
      clauses: [clause("w", "permit", { verb: ["write"] }), clause("t", "permit", { target_prefix: ["/etc/"] })],
      outcome: "deny",
      reason: /no clause matched.*'w' \(verb not in list \['write'\]\); 't' \(target matches no permitted prefix\)/,
    },
    {
      it: "by an escalating default",
      clauses: READ,
      operation: { kind: "device" },
      rest: { default: "escalate" },
      outcome: "escalate",
      reason: /no clause covers a 'device' operation/,
    },
    {
      it: "verbs without letter case",
      clauses: [clause("r", "permit", { verb: ["READ"] })],
      outcome: "permit",
      clause: "r",
      reason: /applies/,
    },
    {
      it: "counterparties to the letter",
      clauses: [clause("r", "permit", { counterparty: ["Bob"] })],
      operation: { counterparty: "bob" },
      outcome: "deny",
      reason: /counterparty not named/,
    },
    {
      it: "that the ceiling itself passes",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("10.00"),
      outcome: "permit",
      clause: "r",
      reason: /applies/,
    },
    {
      it: "that a hair above the ceiling does not",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("10.0000000000000000000001"),
      outcome: "deny",
      reason: /amount 10\.0000000000000000000001 exceeds the ceiling 10 USD/,
    },
    {
      it: "that no amount meets no ceiling",
      clauses: [clause("r", "permit", usd("10"))],
      outcome: "deny",
      reason: /clause bounds an amount but the request states none/,
    },
    {
      it: "that currencies differ by letter case",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("1", "usd"),
      outcome: "deny",
      reason: /currency does not match the ceiling currency 'USD'/,
    },
    {
      it: "that a negative amount cannot be compared",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("-1"),
      outcome: "error",
      reason: /not a plain non-negative decimal/,
    },
    {
      it: "that an exponent cannot be compared",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("1e0"),
      outcome: "error",
      reason: /not a plain non-negative decimal/,
    },
    {
      it: "that an amount nobody compares is only digested",
      clauses: [clause("no", "deny", { verb: ["read"] }), clause("r", "permit", { verb: ["write"], ...usd("10") })],
      operation: pays("-1"),
      outcome: "deny",
      clause: "no",
      reason: /applies/,
    },
    {
      it: "that an amount of another currency is not compared",
      clauses: [clause("r", "permit", usd("10"))],
      operation: pays("NaN", "EUR"),
      outcome: "deny",
      reason: /currency does not match/,
    },
    {
      it: "that an amount under another counterparty is not compared",
      clauses: [clause("r", "permit", { counterparty: ["b"], ...usd("10") })],
      operation: pays("NaN"),
      outcome: "deny",
      reason: /counterparty not named/,
    },
    {
      it: "a prefix after composition",
      clauses: [clause("r", "permit", { target_prefix: ["/e\u0301/"] })],
      operation: { target: "/\u00e9/x" },
      outcome: "permit",
      clause: "r",
      reason: /applies/,
    },
    {
      it: "that a full-width slash is no slash",
      clauses: [clause("r", "permit", { target_prefix: ["/srv/"] })],
      operation: { target: "\uff0fsrv\uff0fx" },
      outcome: "deny",
      reason: /matches no permitted prefix/,
    },
    {
      it: "that a permission covers only what is written",
      clauses: [clause("r", "permit", { target_prefix: ["/a b/"] })],
      operation: { target: "/a%20b/x" },
      outcome: "deny",
      reason: /matches no permitted prefix/,
    },
    {
      it: "that a denial covers what is encoded, however often",
      clauses: [
        clause("no", "deny", { target_prefix: ["/a b/"] }),
        clause("r", "permit", { verb: ["read"], target_prefix: ["/a%252520b/"] }),
      ],
      operation: { target: "/a%252520b/x" },
      outcome: "deny",
      clause: "no",
      reason: /applies/,
    },
    {
      it: "that an escalation covers what is encoded",
      clauses: [clause("ask", "escalate", { target_prefix: ["/a/"] })],
      operation: { target: "/%61/x" },
      outcome: "escalate",
      clause: "ask",
      reason: /applies/,
    },
    {
      it: "nothing for a parent segment",
      clauses: READ,
      operation: { target: "/srv/../etc" },
      outcome: "deny",
      reason: /parent-directory segment/,
    },
    {
      it: "nothing for a parent segment behind a backslash",
      clauses: READ,
      operation: { target: "srv\\..\\etc" },
      outcome: "deny",
      reason: /parent-directory segment/,
    },
    {
      it: "nothing for an encoded parent segment",
      clauses: READ,
      operation: { target: "/srv/%25252e%2e%5cetc" },
      outcome: "deny",
      reason: /parent-directory segment/,
    },
    {
      it: "that three dots are no parent",
      clauses: READ,
      operation: { target: "/srv/.../x..y/" },
      outcome: "permit",
      clause: "r",
      reason: /applies/,
    },
  ])("$it", async ({ clauses, operation, rest, outcome, clause: decided, reason }) => {
    const answer = await check(clauses, operation, rest);
    expect(answer).toMatchObject({ outcome, reason: expect.stringMatching(reason) });
    expect(answer["clause"]).toBe(decided);
    expect("action_digest" in answer && "mandate_ref" in answer).toBe(outcome !== "error");
  });

  test("and repeats the note of the clause that decided, letter by letter", async () => {
    const noted = { ...clause("r", "permit"), note: "Ask\nBob <b>" };
    expect(await check([noted])).toMatchObject({ clause_note: "Ask\nBob <b>", mandate_ref: "m-1" });
  });

  test("and explains ten near misses and counts the others", async () => {
    const many = Array.from({ length: 13 }, (_, i) => clause(`c${i}`, "permit", { verb: ["write"] }));
    expect((await check(many))["reason"]).toMatch(/'c9' \(verb not in list \['write'\]\); and 3 more$/);
  });
});

describe("a request that is not sound is denied under a sound mandate", () => {
  const deniedFor = async (action: unknown, rest: object = {}) =>
    ask("check_action", asInput({ mandate: mandateOf([clause("r", "permit")], rest), action }));

  test.each<{ it: string; action: unknown; reason: RegExp }>([
    {
      it: "without a member it needs",
      action: { ...request(), justification: undefined },
      reason: /does not conform to its published schema at justification/,
    },
    { it: "of another version", action: request({}, { schema_version: "0.2-draft" }), reason: /schema_version/ },
    {
      it: "with a member nobody knows",
      action: request({}, { extra: 1 }),
      reason: /at extra: this member is not known here/,
    },
    { it: "with an operation member nobody knows", action: request({ path: 1 }), reason: /at operation\.path/ },
    { it: "of an unknown kind", action: request({ kind: "unspecified" }), reason: /at operation\.kind/ },
    { it: "with a verb that is no text", action: request({ verb: 1 }), reason: /at operation\.verb/ },
    { it: "with an amount that is no object", action: request({ amount: "1 USD" }), reason: /at operation\.amount/ },
    {
      it: "with an amount in JSON numbers",
      action: request({ amount: { value: 1, currency: "USD" } }),
      reason: /at operation\.amount\.value/,
    },
    {
      it: "from a blank agent",
      action: request({}, { requested_by: { agent: " \u00a0" } }),
      reason: /requesting agent/,
    },
    { it: "with a blank justification", action: request({}, { justification: "\t\n" }), reason: /no justification/ },
  ])("$it", async ({ action, reason }) => {
    const answer = await deniedFor(action);
    expect(answer).toMatchObject({ outcome: "deny", mandate_ref: "m-1", reason: expect.stringMatching(reason) });
    expect(answer["action_digest"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    { until: "2026-05-01T12:00:00Z", outcome: "deny" },
    { until: "2026-05-01T12:00:00.001Z", outcome: "permit" },
    { until: "2026-05-01t14:00:00+02:00", outcome: "deny" },
    { until: "2026-05-01T11:59:60Z", outcome: "deny" },
    { until: "2026-05-01T12:00:60Z", outcome: "permit" },
  ])("a mandate until $until, now 12:00:00Z: $outcome", async ({ until, outcome }) => {
    const answer = await deniedFor(request(), { not_valid_after: until });
    expect(answer["outcome"]).toBe(outcome);
    if (outcome === "deny") expect(answer["reason"]).toBe(`the mandate expired at ${until}`);
  });

  test("its schema is looked at before the expiry, and the expiry before the rest", async () => {
    const expired = { not_valid_after: "2020-01-01T00:00:00Z" };
    expect((await deniedFor({ ...request(), extra: 1 }, expired))["reason"]).toMatch(/schema/);
    expect((await deniedFor(request({ target: "/.." }), expired))["reason"]).toMatch(/expired/);
  });

  test.each([
    { parameters: { "x-api-key": "" }, path: "action.operation.parameters.x-api-key" },
    { parameters: { list: ["fine", "Bearer abcdefghij"] }, path: "action.operation.parameters.list[1]" },
    { parameters: { note: "password = hunter2" }, path: "action.operation.parameters.note" },
    { parameters: { design: 1 }, path: "action.operation.parameters.design" },
  ])("with a credential, naming $path and nothing else", async ({ parameters, path }) => {
    const answer = await deniedFor(request({ parameters }));
    expect(answer).toMatchObject({ outcome: "deny", reason: `the request appears to carry a credential at ${path}` });
  });

  test("with a credential for a name, which is not repeated", async () => {
    const name = `sk-${"a".repeat(30)}`;
    const answer = await deniedFor(request({ parameters: { [name]: { token: 1 } } }));
    expect(answer["outcome"]).toBe("deny");
    expect(JSON.stringify(answer)).not.toContain(name);
  });
});

describe("what cannot be judged is an error, without digests", () => {
  const sound = { mandate: mandateOf([clause("r", "permit")]), action: request() };
  test.each<{ it: string; input: unknown; reason: RegExp }>([
    { it: "an input that is no object", input: [sound], reason: /input is not an object/ },
    { it: "no mandate", input: { action: request() }, reason: /mandate is not an object/ },
    { it: "a mandate that is no object", input: { ...sound, mandate: [] }, reason: /mandate is not an object/ },
    { it: "a request that is no object", input: { ...sound, action: "x" }, reason: /request is not an object/ },
    { it: "no request", input: { mandate: sound.mandate }, reason: /at action: this member is missing/ },
    { it: "an argument nobody knows", input: { ...sound, force: true }, reason: /at force/ },
    {
      it: "an unsound mandate",
      input: { ...sound, mandate: mandateOf([clause("r", "allow")]) },
      reason: /clauses\.0\.effect/,
    },
    {
      it: "an unsound mandate with an unsound request",
      input: { mandate: mandateOf([]), action: 1 },
      reason: /clauses/,
    },
  ])("$it", async ({ input, reason }) => {
    const answer = await ask("check_action", asInput(input), { signer });
    expect(answer).toEqual({ schema_version: "0.1-draft", outcome: "error", reason: expect.stringMatching(reason) });
  });

  /** `levels` of the whole input, whose parameters stand at the fourth. */
  const nested = (levels: number) => {
    const parameters = `{"p":${"[".repeat(levels - 4)}${"]".repeat(levels - 4)}}`;
    return exact(JSON.stringify({ ...sound, action: request({ parameters: "P" }) }).replace('"P"', parameters));
  };
  test("64 levels pass and 65 do not", async () => {
    expect((await ask("check_action", nested(64)))["outcome"]).toBe("permit");
    expect((await ask("check_action", nested(65)))["reason"]).toMatch(/deeper than 64/);
    expect((await ask("validate_mandate", nested(65)))["reason"]).toMatch(/deeper than 64/);
  });

  test("a number kept as text is not a level", async () => {
    const text = JSON.stringify({ ...sound, action: request({ parameters: "P" }) });
    const parameters = `{"p":${"[".repeat(60)}1.0${"]".repeat(60)}}`;
    expect((await ask("check_action", exact(text.replace('"P"', parameters))))["outcome"]).toBe("permit");
  });
});

describe("validate_mandate", () => {
  const validate = (written: unknown) => ask("validate_mandate", asInput({ mandate: written }));

  test("accepts a sound mandate and names it by its digest", async () => {
    expect(await validate(mandateOf([clause("r", "permit")]))).toEqual({
      schema_version: "0.1-draft",
      valid: true,
      reason: "the mandate is sound",
      clauses: 1,
      expired: false,
      mandate_ref: "m-1",
      mandate_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("does not take an expired mandate for an invalid one", async () => {
    const answer = await validate(mandateOf([clause("r", "permit")], { not_valid_after: "2026-05-01T12:00:00Z" }));
    expect(answer).toMatchObject({ valid: true, expired: true, reason: expect.stringContaining("expired at") });
  });

  const max = (value: unknown, currency: unknown = "USD") => ({ max_amount: { value, currency } });
  test.each<{ it: string; written: unknown; reason: RegExp }>([
    { it: "what is no object", written: "x", reason: /not an object/ },
    {
      it: "another version",
      written: { ...mandateOf([clause("r", "permit")]), schema_version: "0.1-draft" },
      reason: /schema_version/,
    },
    {
      it: "a condition nobody knows",
      written: mandateOf([clause("r", "permit", { path_regex: "^/" })]),
      reason: /clauses\.0\.match\.path_regex/,
    },
    {
      it: "a text where a list belongs",
      written: mandateOf([clause("r", "permit", { target_prefix: "/srv/" })]),
      reason: /clauses\.0\.match\.target_prefix/,
    },
    {
      it: "an empty list",
      written: mandateOf([clause("r", "permit", { verb: [] })]),
      reason: /clauses\.0\.match\.verb/,
    },
    { it: "no clauses", written: mandateOf([]), reason: /clauses/ },
    {
      it: "a permitting default",
      written: mandateOf([clause("r", "permit")], { default: "permit" }),
      reason: /at default/,
    },
    {
      it: "an unknown kind that needs a person",
      written: mandateOf([clause("r", "permit")], { requires_human: ["unspecified"] }),
      reason: /requires_human\.0/,
    },
    {
      it: "a blank purpose",
      written: mandateOf([clause("r", "permit")], { purpose: " " }),
      reason: /purpose is blank/,
    },
    {
      it: "a blank issuer",
      written: mandateOf([clause("r", "permit")], { issued_by: "" }),
      reason: /issued_by is blank/,
    },
    { it: "a blank clause id", written: mandateOf([clause(" ", "permit")]), reason: /clause id ' ' is blank/ },
    {
      it: "two clauses of one id",
      written: mandateOf([clause("r", "permit"), clause("r", "permit", { verb: ["x"] })]),
      reason: /duplicate clause id 'r'/,
    },
    {
      it: "an empty name in a list",
      written: mandateOf([clause("r", "permit", { counterparty: ["a", ""] })]),
      reason: /match\.counterparty has an empty string/,
    },
    {
      it: "an empty prefix",
      written: mandateOf([clause("r", "permit", { target_prefix: [""] })]),
      reason: /match\.target_prefix has an empty string/,
    },
    {
      it: "a bare host",
      written: mandateOf([clause("r", "permit", { target_prefix: ["api.example"] })]),
      reason: /'api\.example' has no boundary/,
    },
    {
      it: "an origin without a slash",
      written: mandateOf([clause("r", "permit", { target_prefix: ["https://api.example"] })]),
      reason: /no boundary/,
    },
    {
      it: "a directory without a slash",
      written: mandateOf([clause("r", "permit", { target_prefix: ["/srv/tickets"] })]),
      reason: /no boundary/,
    },
    {
      it: "a negative ceiling",
      written: mandateOf([clause("r", "permit", max("-1"))]),
      reason: /max_amount\.value is not a plain non-negative decimal/,
    },
    {
      it: "a ceiling with an exponent",
      written: mandateOf([clause("r", "permit", max("1e3"))]),
      reason: /not a plain non-negative decimal/,
    },
    {
      it: "a ceiling that is a number",
      written: mandateOf([clause("r", "permit", max(10))]),
      reason: /max_amount\.value/,
    },
    {
      it: "a ceiling without a currency",
      written: mandateOf([clause("r", "permit", max("1", ""))]),
      reason: /max_amount\.currency is empty/,
    },
    {
      it: "a date without a time",
      written: mandateOf([clause("r", "permit")], { not_valid_after: "2999-01-01" }),
      reason: /not_valid_after/,
    },
    {
      it: "a date that does not exist",
      written: mandateOf([clause("r", "permit")], { not_valid_after: "2026-02-31T00:00:00Z" }),
      reason: /not_valid_after/,
    },
    {
      it: "a time without an offset",
      written: mandateOf([clause("r", "permit")], { not_valid_after: "2026-02-01T00:00:00" }),
      reason: /not_valid_after/,
    },
    {
      it: "a shadowed denial, naming both",
      written: mandateOf([clause("all", "permit"), clause("secrets", "deny", { target_prefix: ["/s/"] })]),
      reason: /clause 'secrets' is unreachable, earlier clause 'all' already decides/,
    },
    {
      it: "a denial under an escalation",
      written: mandateOf([clause("ask", "escalate"), clause("never", "deny")]),
      reason: /'never' is unreachable, earlier clause 'ask'/,
    },
    {
      it: "a denial that narrows under a ceiling",
      written: mandateOf([clause("small", "permit", max("9")), clause("no", "deny", { counterparty: ["x"] })]),
      reason: /'no' is unreachable/,
    },
  ])("refuses $it", async ({ written, reason }) => {
    const answer = await validate(written);
    expect(answer).toEqual({ schema_version: "0.1-draft", valid: false, reason: expect.stringMatching(reason) });
  });

  test.each([
    {
      it: "tiers",
      clauses: [clause("s", "permit", max("50")), clause("m", "escalate", max("500")), clause("l", "deny")],
    },
    { it: "a permission that an escalation covers", clauses: [clause("a", "escalate"), clause("b", "permit")] },
    {
      it: "ceilings in two currencies",
      clauses: [clause("a", "permit", max("5")), clause("b", "deny", max("5", "EUR"))],
    },
  ])("accepts $it", async ({ clauses }) => {
    expect((await validate(mandateOf(clauses)))["valid"]).toBe(true);
  });

  test("tells every problem at once, each once", async () => {
    const answer = await validate(
      mandateOf([clause("a", "permit", { target_prefix: ["/srv"] }), clause("a", "deny"), { id: "b" }], {
        purpose: "",
        issued_by: " ",
      }),
    );
    expect(String(answer["reason"]).split("; ")).toEqual([
      expect.stringContaining("at clauses.2.effect"),
      expect.stringContaining("at clauses.2.match"),
      expect.stringContaining("at purpose"),
      "issued_by is blank",
      expect.stringContaining("no boundary"),
      expect.stringContaining("duplicate clause id 'a'"),
      expect.stringContaining("unreachable"),
    ]);
  });

  test("tells twenty problems and counts the others", async () => {
    const reason = String((await validate(mandateOf(Array.from({ length: 15 }, () => ({})))))["reason"]);
    expect(reason.split("; ")).toHaveLength(21);
    expect(reason).toMatch(/; and 25 more$/);
  });

  test("names a credential by its path and says nothing that could be it", async () => {
    const secret = `ghp_${"a".repeat(30)}`;
    const answer = await validate(
      mandateOf([{ ...clause(secret, "permit", { target_prefix: ["/srv"] }), note: `token: ${secret}` }]),
    );
    expect(answer["reason"]).toBe(
      "the mandate appears to carry a credential at mandate.clauses[0].id, mandate.clauses[0].note",
    );
  });

  test("names what several clauses make unreachable after also:, and stays valid", async () => {
    const covered = mandateOf([
      clause("r", "permit", { verb: ["read"] }),
      clause("w", "permit", { verb: ["write"] }),
      clause("both", "permit", { verb: ["read", "write"], target_prefix: ["/srv/"] }),
    ]);
    expect(await validate(covered)).toMatchObject({
      valid: true,
      reason:
        "the mandate is sound; also: clause 'both' is unreachable, earlier clauses 'r', 'w' together decide all it covers",
    });
    expect((await ask("check_action", asInput({ mandate: covered, action: request() })))["outcome"]).toBe("permit");
  });
});

sharedSuite("contracts/mandate.examples.json", (file) => {
  const examples = exact(readFileSync(file, "utf8")) as unknown as { readonly [tool: string]: readonly ExactJson[] };

  test("the published examples are decided, under the published digests", async () => {
    const [first, second] = examples["check_action"] ?? [];
    expect(await ask("check_action", first ?? null, { signer })).toMatchObject({
      outcome: "permit",
      clause: "permit-file",
      action_digest: "f6044fb2f66d8bc4deba7619d4e507e84344533c6bc7e6bcb6b4f1184168b875",
      receipt: { mandate_digest: "bbb0acff653bd0c4c41b872cd38a52ea8b72069f013c903a5cd8e47fddd43b11" },
    });
    expect(await ask("check_action", second ?? null, { signer })).toMatchObject({
      outcome: "permit",
      clause: "small-transfers",
      action_digest: "33e1d2ad55cd10279e09cfe586dc32164aab1fd1b4eeb0add182eafce483436f",
      receipt: { mandate_digest: "baf3c27db45b584977b0822090efd53bd7404e80f8cc9f991f4f2105fee59b47" },
    });
    for (const example of examples["validate_mandate"] ?? []) {
      expect(await ask("validate_mandate", example)).toMatchObject({ valid: true });
    }
  });
});

describe("a receipt", () => {
  const input = asInput({ mandate: mandateOf([clause("r", "permit")]), action: request() });
  const receiptOf = async (of: ExactJson, more: object = {}) =>
    (await ask("check_action", of, { signer, ...more }))["receipt"] as unknown as MandateReceipt;

  test("verifies with an independent implementation, and not when it says something else", async () => {
    const receipt = await receiptOf(input);
    const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
    const signature = decodeBase64url(receipt.signature) as Uint8Array;
    expect(await verifyAsync(signature, mandateReceiptBytes(receipt), raw)).toBe(true);
    expect(await verifyAsync(signature, mandateReceiptBytes({ ...receipt, outcome: "escalate" }), raw)).toBe(false);
    expect(receipt).toMatchObject({
      type: "hanria-receipt-v1",
      kid: "k1",
      outcome: "permit",
      clause: "r",
      mandate_ref: "m-1",
      issued_at: "2026-05-01T12:00:00Z",
      not_after: "2026-05-01T12:15:00Z",
    });
  });

  test("is given for a denial, and never for an error", async () => {
    const denied = await ask(
      "check_action",
      asInput({ mandate: mandateOf([clause("r", "permit")]), action: request({ kind: "x" }) }),
      { signer },
    );
    expect(denied["receipt"]).toMatchObject({ outcome: "deny" });
  });

  test("is not given, nor anything permitted, when the key or the record fails", async () => {
    const broken = { kid: "k", sign: () => Promise.reject(new Error("secret path")) };
    expect(await ask("check_action", input, { signer: broken })).toEqual({
      schema_version: "0.1-draft",
      outcome: "error",
      reason: "the answer could not be signed",
    });
    const record = () => Promise.reject(new Error("disk full"));
    expect(await ask("check_action", input, { signer, record })).toMatchObject({ outcome: "error" });
    expect(await ask("check_action", input, { record })).toMatchObject({ outcome: "error" });
  });

  test("is signed after it was recorded", async () => {
    const steps: string[] = [];
    await receiptOf(input, {
      record: async () => void steps.push("record"),
      signer: {
        kid: "k1",
        sign: (bytes: Uint8Array) => {
          steps.push("sign");
          return signer.sign(bytes);
        },
      },
    });
    expect(steps).toEqual(["record", "sign"]);
  });

  test("depends on how numbers were written", async () => {
    const withNumber = (number: string) =>
      exact(
        JSON.stringify({
          mandate: mandateOf([clause("r", "permit")]),
          action: request({ parameters: { n: "N" } }),
        }).replace('"N"', number),
      );
    const [one, float] = [await ask("check_action", withNumber("1")), await ask("check_action", withNumber("1.0"))];
    expect(one["action_digest"]).not.toBe(float["action_digest"]);
    expect(await ask("check_action", withNumber("1e2"))).toMatchObject({
      action_digest: (await ask("check_action", withNumber("100.0")))["action_digest"],
    });
  });
});

test("no input makes a tool throw, and only a sound one is permitted", () => {
  const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<ExactJson>;
  const sound = { mandate: mandateOf([clause("r", "permit", { target_prefix: ["/srv/"] })]), action: request() };
  const spoilt = fc.tuple(fc.constantFrom("mandate", "action"), fc.string(), json).map(([where, name, value]) => ({
    ...sound,
    [where]: { ...sound[where as "mandate"], [name]: value },
  }));
  return fc.assert(
    fc.asyncProperty(fc.oneof(json, spoilt), async (input) => {
      const answer = await ask("check_action", input as ExactJson);
      const verdict = await ask("validate_mandate", input as ExactJson);
      if (answer["outcome"] === "permit") expect(answer["clause"]).toBe("r");
      expect(typeof verdict["valid"]).toBe("boolean");
    }),
    { numRuns: 300 },
  );
});

test("an unknown tool is the only refusal", async () => {
  expect(await mandate.call("check", null, { now: NOW })).toMatchObject({ ok: false, error: { code: "tool.unknown" } });
});
