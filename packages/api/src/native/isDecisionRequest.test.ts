import { type JsonValue, KINDS, SURFACES, TEXT_SOURCES } from "@countersign/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { decisionFaults } from "./decisionFaults.ts";
import { isDecisionRequest } from "./isDecisionRequest.ts";
import { decisionRequestSchema } from "./schema.ts";

const address = `0x${"aB".repeat(20)}`;
/** With every member that there is. */
const FULL = {
  action: {
    kind: "transaction",
    verb: "pay",
    target: "https://shop.example/",
    counterparty: "Shop (EU)",
    amount: { value: "1.50", currency: "USD" },
    parameters: { n: 1 },
    assets: ["account:main"],
    labels: ["weekly"],
    justification: "for the party",
  },
  material: {
    texts: [
      {
        surface: "incoming",
        text: "hello",
        source: "mail",
        from: { agent: "a", domain: "shop.example", address: "192.0.2.1" },
      },
    ],
    urls: ["https://shop.example/"],
    data: null,
    evidence: [{ source: "crm", observed_at: "2027-01-15T08:00:00Z" }],
    calldata: { chain: "eip155:1", to: address, data: "0x00", value: "0", from: address },
    typed_data: { primaryType: "Permit" },
  },
  agent: "shopper",
  session: "s",
  idempotency_key: "1",
  audience: "executor",
};

test("what has every member of the schema needs no second look", () => {
  expect(membersOf(FULL)).toEqual(membersIn(decisionRequestSchema));
  expect(isDecisionRequest(FULL)).toBe(true);
  expect(decisionFaults(FULL)).toBeNull();
});

test("what the schema refuses is never taken", () => {
  fc.assert(
    fc.property(anyRequest, (body) => {
      if (isDecisionRequest(body)) expect(decisionFaults(body)).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test.each<{ it: string; of: string; value: JsonValue }>([
  { it: "is at its length", of: "/action/target", value: "x".repeat(16_384) },
  { it: "is beyond its length", of: "/action/target", value: "x".repeat(16_385) },
  { it: "is empty", of: "/action/target", value: "" },
  { it: "has another type", of: "/action/target", value: 7 },
  { it: "is no kind", of: "/action/kind", value: "constructor" },
  { it: "ends in a line feed", of: "/action/verb", value: "pay\n" },
  { it: "hides a character", of: "/agent", value: "shop\u200bper" },
  { it: "is a name at its length", of: "/idempotency_key", value: "x".repeat(128) },
  { it: "is a name beyond its length", of: "/idempotency_key", value: "x".repeat(129) },
  { it: "has no selector", of: "/action/assets/0", value: "account:" },
  { it: "is a list where an object has to be", of: "/action/parameters", value: [] },
  { it: "is null where an object has to be", of: "/material/typed_data", value: null },
  { it: "is a list too long", of: "/material/urls", value: Array(257).fill("") },
  { it: "is a list of other things", of: "/material/urls", value: [1] },
  { it: "is half a byte", of: "/material/calldata/data", value: "0x0" },
  { it: "has a leading zero", of: "/material/calldata/chain", value: "eip155:01" },
  { it: "is negative", of: "/material/calldata/value", value: "-1" },
  { it: "is not known", of: "/action/amount/unit", value: "kg" },
  { it: "is called __proto__", of: "/__proto__", value: {} },
])("what $it is taken only where the schema takes it", ({ of, value }) => {
  const body = changed(of, value);
  expect(isDecisionRequest(body)).toBe(decisionFaults(body) === null);
});

test.each(["/idempotency_key", "/action/kind", "/action/amount/currency", "/material/evidence/0/source"])(
  "%s has to be there",
  (of) => {
    expect(isDecisionRequest(changed(of))).toBe(false);
  },
);

test("names in other scripts are left to the schema, which takes them", () => {
  const body = changed("/agent", "покупатель");
  expect([isDecisionRequest(body), decisionFaults(body)]).toEqual([false, null]);
});

/** The full request with one member changed, or taken away. */
function changed(path: string, ...values: readonly JsonValue[]): JsonValue {
  const body = JSON.parse(JSON.stringify(FULL));
  const steps = path.slice(1).split("/");
  const last = steps.pop() ?? "";
  const holder = steps.reduce((at, step) => at[step], body);
  if (values.length === 0) delete holder[last];
  else Object.defineProperty(holder, last, { value: values[0], enumerable: true, writable: true, configurable: true });
  return body;
}

/** Right values and wrong ones, so that whole requests are right often enough. */
const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 6 }) },
  fc.constantFrom("", "\u0000", "\u200b", "é", "x".repeat(200), "a:b", "0x", "0x00", address, "eip155:1", "1", "1.5"),
  fc.string({ unit: "binary" }),
);
const wrong = fc.constantFrom<JsonValue>(null, 1, true, [], {}, "", ["a"], { a: 1 });
const mostly = (value: fc.Arbitrary<JsonValue>) => fc.oneof({ weight: 12, arbitrary: value }, wrong);
const object = (members: Record<string, fc.Arbitrary<JsonValue>>, needed: readonly string[]) =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, mostly(value)])), {
        requiredKeys: [...needed],
      }),
      fc.option(fc.constantFrom("__proto__", "constructor", "extra", "kind", "agent"), { freq: 12 }),
    )
    .map(([value, extra]) => (extra === null ? value : { ...value, [extra]: "x" })) as fc.Arbitrary<JsonValue>;
const list = (item: fc.Arbitrary<JsonValue>) => fc.array(mostly(item), { maxLength: 3 });

const anyRequest = object(
  {
    action: object(
      {
        kind: fc.constantFrom(...KINDS),
        verb: fc.constantFrom("read", "pay.now", "a b", "x".repeat(65)),
        target: anyText,
        counterparty: anyText,
        amount: object({ value: anyText, currency: anyText }, ["value", "currency"]),
        parameters: fc.dictionary(anyText, anyText),
        assets: list(fc.constantFrom("file:/x", "a:b:c", ":x", "a:", "é:x", `${"k".repeat(65)}:x`)),
        labels: list(anyText),
        justification: anyText,
      },
      ["kind", "verb", "target"],
    ),
    material: object(
      {
        texts: list(
          object(
            {
              surface: fc.constantFrom(...SURFACES),
              text: anyText,
              source: fc.constantFrom(...TEXT_SOURCES),
              from: object({ agent: anyText, domain: anyText, address: anyText }, []),
            },
            ["surface", "text"],
          ),
        ),
        urls: list(anyText),
        data: fc.jsonValue() as fc.Arbitrary<JsonValue>,
        evidence: list(object({ source: anyText, observed_at: anyText }, ["source"])),
        calldata: object({ chain: anyText, to: anyText, data: anyText, value: anyText, from: anyText }, [
          "chain",
          "to",
          "data",
        ]),
        typed_data: fc.dictionary(anyText, anyText),
      },
      [],
    ),
    agent: anyText,
    session: anyText,
    idempotency_key: anyText,
    audience: anyText,
  },
  ["idempotency_key"],
);

/** The pointers of all members, lists by their first item. */
function membersOf(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return membersOf(value[0], `${at}/0`);
  if (typeof value !== "object" || value === null || OPEN.has(at)) return [at];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, `${at}/${name}`));
}

/** What may hold anything. */
const OPEN: ReadonlySet<string> = new Set(["/action/parameters", "/material/data", "/material/typed_data"]);

function membersIn(schema: z.core.$ZodType, at = ""): readonly string[] {
  if (schema instanceof z.ZodMiniOptional) return membersIn(schema.def.innerType, at);
  if (schema instanceof z.ZodMiniArray) return membersIn(schema.def.element, `${at}/0`);
  if (!(schema instanceof z.ZodMiniObject)) return [at];
  return Object.entries(schema.def.shape).flatMap(([name, member]) =>
    membersIn(member as z.core.$ZodType, `${at}/${name}`),
  );
}
