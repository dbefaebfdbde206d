import { type Answer, actionDigest, type JsonObject, type JsonValue, parseJson } from "@countersign/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problemText } from "../problem.ts";
import { readDecisionId, readOutcome } from "./readById.ts";
import { readDecision, withIdempotencyKey } from "./readDecision.ts";
import { answerSchema, decisionRequestSchema, decisionSummarySchema } from "./schema.ts";
import { decideTool, getDecisionTool, jsonSchemaOf, reportOutcomeTool } from "./tools.ts";
import { writeAnswer, writeSummary } from "./write.ts";

const ajv = new Ajv2020({ strict: false, ownProperties: true });

const ACTION = {
  kind: "transaction",
  verb: "pay",
  target: "https://shop.example/orders/1",
  counterparty: "shop",
  amount: { value: "12.50", currency: "USD" },
  parameters: { order: 1 },
  assets: ["account:main"],
  labels: ["urgent"],
  justification: "ordered by the user",
} as const;
const ASK = { action: ACTION, idempotency_key: "k1" } as const;

const refusal = (body: JsonValue): string => {
  const read = readDecision(body);
  return read.ok ? "read" : problemText(read.error);
};

describe("a question to the gate", () => {
  test("is read with its amount exact and everything else as it was sent", () => {
    const read = readDecision({ ...ASK, session: "s", audience: "https://pay.example", agent: "shopper" });
    if (!read.ok) throw new Error(problemText(read.error));
    const { action, ...rest } = read.value;
    expect(rest).toEqual({ idempotencyKey: "k1", session: "s", audience: "https://pay.example", agent: "shopper" });
    expect(action).toMatchObject({
      kind: "transaction",
      amount: { currency: "USD", amount: { coefficient: 125n, scale: 1 } },
    });
    expect(action?.parameters).toBe(ACTION.parameters);
  });

  test("of material alone is one too", () => {
    const material = {
      texts: [{ surface: "incoming", text: "", source: "web" }],
      urls: ["https://a.example"],
      data: null,
      evidence: [{ source: "crm", observed_at: "2026-01-01T00:00:00Z" }],
      calldata: { chain: "eip155:1", to: `0x${"1".repeat(40)}`, data: "0x", value: "0" },
      typed_data: { primaryType: "Permit" },
    };
    const read = readDecision({ material, idempotency_key: "k" });
    expect(read.ok && read.value.material).toBe(material);
  });

  test("keeps members called __proto__ where any JSON may stand, so that they are in the digest", () => {
    const parsed = parseJson(
      '{"idempotency_key":"k","action":{"kind":"file","verb":"read","target":"/a","parameters":{"__proto__":{"x":1}}}}',
      { bytes: 1000, depth: 9 },
      "plain",
    );
    const read = parsed.ok ? readDecision(parsed.value) : parsed;
    if (!read.ok) throw new Error("refused");
    const { action } = read.value as { action: NonNullable<(typeof read.value & { action?: object })["action"]> };
    expect(JSON.stringify(action)).toContain('"parameters":{"__proto__":{"x":1}}');
    const asker = { tenant: "t", agent: "a", teams: [] };
    const bare = { kind: "file", verb: "read", target: "/a", parameters: {} } as const;
    expect(actionDigest({ asker, action: action as typeof bare })).not.toBe(actionDigest({ asker, action: bare }));
  });

  const without = (name: keyof typeof ACTION): JsonObject => {
    const { [name]: _, ...rest } = ACTION;
    return rest;
  };
  test.each<{ it: string; body: JsonValue; want: string }>([
    { it: "no object", body: [], want: "request.invalid: this has to be of type object" },
    {
      it: "nothing asked",
      body: { idempotency_key: "k" },
      want: "nothing is asked (expected an action, material, or both)",
    },
    { it: "empty material", body: { material: {}, idempotency_key: "k" }, want: "nothing is asked" },
    {
      it: "material of empty lists",
      body: { material: { texts: [], urls: [] }, idempotency_key: "k" },
      want: "nothing is asked",
    },
    { it: "no key", body: { action: ACTION }, want: "/idempotency_key: this member is missing" },
    { it: "an empty key", body: { ...ASK, idempotency_key: "" }, want: "/idempotency_key: this is too short" },
    { it: "a policy of one's own", body: { ...ASK, policy: {} }, want: "/policy: this member is not known here" },
    {
      it: "a mistyped member",
      body: { ...ASK, acton: {} },
      want: "/acton: this member is not known here; did you mean action?",
    },
    {
      it: "a mistyped member of the action",
      body: { ...ASK, action: { ...ACTION, ammount: 1 } },
      want: "/action/ammount: this member is not known here; did you mean amount?",
    },
    {
      it: "a mistyped member of a text",
      body: { material: { texts: [{ surface: "incoming", txt: "" }] }, idempotency_key: "k" },
      want: "/material/texts/0/txt: this member is not known here; did you mean text?",
    },
    {
      it: "an own member called __proto__",
      body: JSON.parse('{"idempotency_key":"k","__proto__":{}}'),
      want: "/__proto__: this member is not known here",
    },
    {
      it: "an unknown kind",
      body: { ...ASK, action: { ...ACTION, kind: "payment" } },
      want: "/action/kind: this is not one of the values",
    },
    { it: "no verb", body: { ...ASK, action: without("verb") }, want: "/action/verb: this member is missing" },
    {
      it: "a verb with a space",
      body: { ...ASK, action: { ...ACTION, verb: "pay now" } },
      want: "/action/verb: this text is not of the form",
    },
    {
      it: "a verb in letters of another script",
      body: { ...ASK, action: { ...ACTION, verb: "раy" } },
      want: "/action/verb",
    },
    {
      it: "an invisible target",
      body: { ...ASK, action: { ...ACTION, target: "/a\u200b" } },
      want: "/action/target: the target has a control, invisible",
    },
    {
      it: "a target that turns around",
      body: { ...ASK, action: { ...ACTION, target: "/a\u202eb" } },
      want: "/action/target",
    },
    {
      it: "a counterparty with a control character",
      body: { ...ASK, action: { ...ACTION, counterparty: "a\u0007" } },
      want: "/action/counterparty",
    },
    {
      it: "an amount in a number",
      body: { ...ASK, action: { ...ACTION, amount: { value: 12.5, currency: "USD" } } },
      want: "/action/amount/value: this has to be of type string",
    },
    {
      it: "an amount with an exponent",
      body: { ...ASK, action: { ...ACTION, amount: { value: "1e3", currency: "USD" } } },
      want: "/action/amount/value: an amount is not a plain decimal",
    },
    {
      it: "a negative amount",
      body: { ...ASK, action: { ...ACTION, amount: { value: "-1", currency: "USD" } } },
      want: "/action/amount/value",
    },
    {
      it: "an amount in Arabic digits",
      body: { ...ASK, action: { ...ACTION, amount: { value: "١٢", currency: "USD" } } },
      want: "/action/amount/value",
    },
    {
      it: "a currency with a space",
      body: { ...ASK, action: { ...ACTION, amount: { value: "1", currency: "US D" } } },
      want: "/action/amount/currency",
    },
    {
      it: "an amount without a currency",
      body: { ...ASK, action: { ...ACTION, amount: { value: "1" } } },
      want: "/action/amount/currency: this member is missing",
    },
    { it: "parameters in a list", body: { ...ASK, action: { ...ACTION, parameters: [] } }, want: "/action/parameters" },
    {
      it: "an asset without a kind",
      body: { ...ASK, action: { ...ACTION, assets: ["main"] } },
      want: "/action/assets/0",
    },
    {
      it: "too many labels",
      body: { ...ASK, action: { ...ACTION, labels: Array(65).fill("a") } },
      want: "/action/labels: this is too long",
    },
    {
      it: "calldata for another family of chains",
      body: {
        material: { calldata: { chain: "solana:1", to: `0x${"1".repeat(40)}`, data: "0x" } },
        idempotency_key: "k",
      },
      want: "/material/calldata/chain",
    },
    {
      it: "calldata with half a byte",
      body: {
        material: { calldata: { chain: "eip155:1", to: `0x${"1".repeat(40)}`, data: "0x0" } },
        idempotency_key: "k",
      },
      want: "/material/calldata/data",
    },
  ])("with $it is refused, and says where", ({ body, want }) => {
    expect(refusal(body)).toContain(want);
  });

  test("is refused with everything that is wrong, at most twenty things", () => {
    const read = readDecision({ action: { kind: "x", verb: "" }, extra: 1 });
    expect(!read.ok && read.error.errors?.length).toBe(5);
    const many = readDecision({ ...ASK, action: { ...ACTION, labels: Array(64).fill("") } });
    expect(!many.ok && many.error.errors?.length).toBe(20);
  });

  test("never has its values repeated in a refusal", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const body = {
      [secret]: secret,
      action: { ...ACTION, kind: secret, verb: `${secret} `, target: `${secret}\u200b` },
    };
    expect(refusal(body)).not.toContain(secret);
  });

  test("passes here exactly when it passes the published schema, as far as that can say", () => {
    const published = ajv.compile(jsonSchemaOf(decisionRequestSchema));
    const odd = fc.constantFrom<JsonValue>(
      null,
      "",
      "a",
      "x".repeat(200),
      0,
      [],
      {},
      "0x",
      "eip155:1",
      "USD",
      "incoming",
      "a:b",
    );
    const members = fc.constantFrom(
      ...["action", "material", "agent", "session", "idempotency_key", "audience", "kind", "verb", "target", "amount"],
      ...[
        "parameters",
        "assets",
        "labels",
        "texts",
        "urls",
        "data",
        "evidence",
        "surface",
        "text",
        "value",
        "currency",
        "extra",
      ],
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        odd,
        fc.array(tie("value"), { maxLength: 2 }),
        fc.array(fc.tuple(members, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
      ),
    })).value as fc.Arbitrary<JsonValue>;
    const changed = fc.tuple(fc.constantFrom(...Object.keys(ACTION)), json).map(([name, value]) => ({
      ...ASK,
      action: { ...ACTION, [name]: value },
    }));
    fc.assert(
      fc.property(fc.oneof(json, changed), (body) => {
        const read = readDecision(body as JsonValue);
        if (read.ok) expect(published(body)).toBe(true);
        else if (published(body)) expect(problemText(read.error)).toMatch(/\/action\/(target|amount)|nothing is asked/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("for faces without a key of their own", () => {
  test("one is added where there is none", () => {
    expect(withIdempotencyKey({ a: 1 }, "k")).toEqual({ a: 1, idempotency_key: "k" });
    expect(withIdempotencyKey({ idempotency_key: "own" }, "k")).toEqual({ idempotency_key: "own" });
    expect(withIdempotencyKey([], "k")).toEqual([]);
  });
});

const DIGEST = `sha256:${"a".repeat(64)}`;
const ID = "dec_01890000-0000-7000-8000-000000000000";

describe("an answer", () => {
  const answer: Answer = {
    id: ID,
    verdict: "review",
    enforcement: "enforce",
    basis: [
      { by: "clause", scope: "org:acme", id: "c1" },
      { by: "default", scope: "team:ops" },
    ],
    findings: [{ check: "spend", code: "spend.unknown", severity: "review", message: "not known", retry: "later" }],
    action_digest: DIGEST,
    policy_digest: null,
    engine: "e1",
    receipt: "a.b.c",
    hold: { id: "hold_1", expires_at: "2026-01-01T00:00:00Z" },
    remedy: {
      text: "amount at most 42.1 USD",
      changes: [{ path: "/action/amount/value", value: "42.1" }],
      verdict: "allow",
    },
  };

  test("is as published, in the published order", () => {
    const wire = writeAnswer(answer);
    expect(answerSchema.safeParse(wire).success).toBe(true);
    expect(ajv.compile(decideTool.outputSchema)(wire)).toBe(true);
    expect(Object.keys(wire)).toEqual(Object.keys(answerSchema.def.shape));
  });

  test("leaves out what there is not", () => {
    const { receipt: _, hold: __, ...bare } = answer;
    expect(Object.keys(writeAnswer(bare))).not.toContain("receipt");
    expect(answerSchema.safeParse(writeAnswer(bare)).success).toBe(true);
  });

  test("can be looked up later without its content", () => {
    const wire = writeSummary({
      id: ID,
      seq: 1,
      at: 1_800_000_000_000,
      agent: "shopper",
      credential: "key_1",
      verdict: "allow",
      codes: [],
      actionDigest: DIGEST,
      policyDigest: DIGEST,
      scopes: [],
      redeemUntil: null,
      redeemedAt: 1_800_000_001_000,
      redeemedBy: "key_2",
      outcome: "executed",
      money: "none" as never,
      grant: null,
      hold: null,
      erasedAt: null,
    });
    expect(decisionSummarySchema.safeParse(wire).success).toBe(true);
    expect(wire).toMatchObject({ at: "2027-01-15T08:00:00Z", redeemed_at: "2027-01-15T08:00:01Z" });
    expect(JSON.stringify(wire)).not.toContain("key_");
  });
});

describe("an outcome", () => {
  const OUTCOME = { id: ID, result: "executed", sent: DIGEST, as_approved: true };
  test("is read", () => {
    expect(readOutcome(OUTCOME)).toEqual({ ok: true, value: OUTCOME });
    expect(readDecisionId({ id: ID })).toEqual({ ok: true, value: ID });
  });

  test.each<{ it: string; body: JsonValue }>([
    { it: "another id", body: { ...OUTCOME, id: "hold_1" } },
    { it: "content for a digest", body: { ...OUTCOME, sent: "hello" } },
    { it: "an unknown result", body: { ...OUTCOME, result: "ok" } },
    { it: "nothing about what was approved", body: { id: ID, result: "executed" } },
    { it: "a member too many", body: { ...OUTCOME, note: "x" } },
  ])("with $it is refused", ({ body }) => {
    expect(readOutcome(body).ok).toBe(false);
  });
});

test.each([decideTool, getDecisionTool, reportOutcomeTool])(
  "the tool $name is published with closed schemas",
  (tool) => {
    expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(tool.inputSchema)).not.toContain("$ref");
  },
);
