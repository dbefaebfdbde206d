import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../json/canonical.ts";
import type { JsonObject } from "../json/value.ts";
import { redactContent } from "./redactContent.ts";

const whole: JsonObject = {
  action: {
    kind: "transaction",
    verb: "pay",
    target: "https://shop.example/cart",
    counterparty: "shop",
    amount: { value: "12.50", currency: "USD" },
    parameters: { express: true, count: 3, note: "gift", "line items": ["a", "b"] },
    labels: ["private"],
  },
  material: { urls: ["https://shop.example/"], evidence: [{ source: "feed" }] },
  facts: [{ fact: "spent", of: "agent:a", state: "known", value: "3" }],
  session: "s1",
};

test("what has no words, secrets or personal data stays as it was, and is said to be whole", () => {
  const { fields, changed } = redactContent(whole);
  expect(fields).toEqual(whole);
  expect([...changed]).toEqual([]);
});

describe("what goes, and which field is then not whole", () => {
  const action = (rest: JsonObject): JsonObject => ({ action: { ...(whole["action"] as JsonObject), ...rest } });
  test.each<{ it: string; fields: JsonObject; planted: string; field: string }>([
    { it: "a justification", fields: action({ justification: "for Jane" }), planted: "Jane", field: "action" },
    {
      it: "a long parameter",
      fields: action({ parameters: { body: "planted ".repeat(20) } }),
      planted: "planted",
      field: "action",
    },
    {
      it: "a parameter of two lines",
      fields: action({ parameters: { deep: [{ body: "Dear Jane,\nhello" }] } }),
      planted: "Jane",
      field: "action",
    },
    {
      it: "an address in a parameter",
      fields: action({ parameters: { to: "jane@example.com" } }),
      planted: "jane",
      field: "action",
    },
    {
      it: "an address that is the name of a parameter",
      fields: action({ parameters: { "jane@example.com": 1 } }),
      planted: "jane",
      field: "action",
    },
    {
      it: "whom a mail goes to",
      fields: action({ target: "mailto:jane@example.com" }),
      planted: "jane",
      field: "action",
    },
    {
      it: "a counterparty that is a person's account",
      fields: action({ counterparty: "DE89 3704 0044 0532 0130 00" }),
      planted: "3704",
      field: "action",
    },
    {
      it: "a secret",
      fields: action({ parameters: { key: "AKIAIOSFODNN7EXAMPLQ" } }),
      planted: "AKIA",
      field: "action",
    },
    {
      it: "a text",
      fields: { material: { texts: [{ surface: "incoming", text: "planted", source: "mail" }] } },
      planted: "planted",
      field: "material",
    },
    { it: "data", fields: { material: { data: { name: "planted", age: 41 } } }, planted: "41", field: "material" },
    {
      it: "what a fact is about",
      fields: { facts: [{ fact: "spent", of: "agent:a/counterparty:jane%40example.com", value: "3" }] },
      planted: "jane",
      field: "facts",
    },
    {
      it: "a session that is named after somebody",
      fields: { session: "jane@example.com" },
      planted: "jane",
      field: "session",
    },
  ])("$it", ({ fields, planted, field }) => {
    const redacted = redactContent({ ...fields, teams: ["ops"] });
    expect(JSON.stringify(redacted.fields)).not.toContain(planted);
    expect([...redacted.changed]).toEqual([field]);
    expect(redacted.fields["teams"]).toEqual(["ops"]);
  });
});

test("how long it was stays, and what kind of thing it was", () => {
  const { fields } = redactContent({ material: { texts: [{ surface: "incoming", text: "four", source: "mail" }] } });
  expect(fields).toEqual({
    material: { texts: [{ surface: "incoming", text: "[redacted text, 4 characters]", source: "mail" }] },
  });
});

test("two names that come out alike stay two members", () => {
  const parameters = { "a@example.com": 1, "b@example.com": 2 };
  const { fields } = redactContent({ action: { kind: "file", parameters } });
  expect(Object.values((fields["action"] as JsonObject)["parameters"] as JsonObject)).toEqual([1, 2]);
});

test("a field is said to be whole exactly when it is, whatever JSON stands in it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("action", "material", "facts", "x"), fc.jsonValue()), (any) => {
      const fields = JSON.parse(JSON.stringify(any)) as JsonObject;
      const redacted = redactContent(fields);
      expect(Object.keys(redacted.fields).sort()).toEqual(Object.keys(fields).sort());
      for (const [name, value] of Object.entries(fields))
        expect(redacted.changed.has(name)).toBe(canonicalize(redacted.fields[name] ?? null) !== canonicalize(value));
    }),
  );
});
