// JSON Schema 2020-12 beside ajv. Ajv generates code and is not held to bounds; what is told here is the price of being
// exact, bounded and free of generated code: compiled and used once we are faster, warm we are slower.
import { compileSchema, judgeSchema } from "@countersign/core";
import Ajv from "ajv/dist/2020.js";
import { compare } from "./harness.mjs";

const item = {
  type: "object",
  properties: {
    sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]{4}$" },
    quantity: { type: "integer", minimum: 1, maximum: 1000 },
    price: { type: "number", minimum: 0, multipleOf: 0.5 },
    tags: { type: "array", items: { type: "string", maxLength: 20 }, uniqueItems: true },
  },
  required: ["sku", "quantity", "price"],
  additionalProperties: false,
};
const schema = {
  type: "object",
  properties: {
    order: { type: "string", minLength: 8 },
    currency: { enum: ["EUR", "USD", "USDC"] },
    lines: { type: "array", minItems: 1, items: { $ref: "#/$defs/item" } },
    note: { anyOf: [{ type: "null" }, { type: "string", maxLength: 200 }] },
  },
  required: ["order", "currency", "lines"],
  additionalProperties: false,
  $defs: { item },
};
const data = {
  order: "2026-000123",
  currency: "USDC",
  note: null,
  lines: Array.from({ length: 10 }, (_, index) => ({
    sku: `AB-${1000 + index}`,
    quantity: index + 1,
    price: index / 2,
    tags: ["a", "b", `t${index}`],
  })),
};

const compiled = await compileSchema(schema);
if (!compiled.ok) throw new Error(compiled.error.code);
const validate = new Ajv({ allErrors: true }).compile(schema);
for (const value of [data, { ...data, currency: "GBP" }, { ...data, lines: [{ ...data.lines[0], price: 0.3 }] }]) {
  const judged = judgeSchema(compiled.value, value);
  if (!judged.ok || judged.value.valid !== validate(value)) throw new Error("the contenders do not agree");
}

await compare({
  name: "JSON Schema, an order of 10 lines, warm",
  contenders: { ours: () => judgeSchema(compiled.value, data), ajv: () => validate(data) },
  ratio: ["ours", "ajv"],
  floor: 0.005,
});
await compare({
  name: "JSON Schema, compiled and used once",
  contenders: {
    ours: async () => judgeSchema((await compileSchema(schema)).value, data),
    ajv: () => new Ajv({ allErrors: true }).compile(schema)(data),
  },
  rounds: 11,
  ratio: ["ours", "ajv"],
  floor: 1.5,
});
