// Data contracts beside ajv: the same judgement, warm, and what it costs to prepare it. Ours generates no code.
import { firewall } from "@countersign/api";
import { instantFromMillis, prepareFields } from "@countersign/core";
import Ajv from "ajv/dist/2020.js";
import { compare } from "./harness.mjs";

const lines = 10;
const fields = {};
for (let index = 0; index < 20; index += 1) {
  const type = ["string", "integer", "number", "boolean"][index % 4];
  fields[`f${index}`] = { type, required: true, ...(type === "integer" ? { min: 0, max: 1000 } : {}) };
}
fields.f0.enum = ["v0", "v4", "v8"];
for (let index = 0; index < lines; index += 1) {
  fields[`lines.${index}.sku`] = { type: "string", required: true };
  fields[`lines.${index}.quantity`] = { type: "integer", required: true, min: 1 };
  fields[`lines.${index}.price`] = { type: "number", required: true, min: 0 };
  fields[`lines.${index}.note`] = { type: "string" };
}
const contract = { fields, extra: "allowed" };

/** What a rule means, in JSON Schema: a field that is missing, null or "" is asked only whether it is required. */
function schemaOf({ type, required, min, max, enum: allowed }) {
  const rule = {
    type,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(allowed === undefined ? {} : { enum: allowed }),
  };
  return required ? { ...rule, not: { enum: [null, ""] } } : { anyOf: [{ enum: [null, ""] }, rule] };
}
const top = Object.keys(fields).filter((field) => !field.includes("."));
const line = ["sku", "quantity", "price", "note"];
const schema = {
  type: "object",
  required: [...top, "lines"],
  properties: {
    ...Object.fromEntries(top.map((field) => [field, schemaOf(fields[field])])),
    lines: {
      type: "array",
      minItems: lines,
      items: {
        type: "object",
        required: line.filter((field) => fields[`lines.0.${field}`].required),
        properties: Object.fromEntries(line.map((field) => [field, schemaOf(fields[`lines.0.${field}`])])),
      },
    },
  },
};

/** Data as it comes from a reader: not all members there, not all in one order, so that no engine learns one shape. */
const data = Array.from({ length: 64 }, (_, number) => {
  const members = Object.entries(fields)
    .filter(([field]) => !field.includes("."))
    .map(([field, { type }], index) => [
      field,
      type === "string" ? `v${index}` : type === "boolean" ? true : type === "number" ? index + 0.5 : index + number,
    ]);
  members.push([
    "lines",
    Array.from({ length: lines }, (_, index) => ({
      sku: `s-${index}`,
      quantity: index + 1,
      price: 1.5,
      ...((index + number) % 10 === 0 ? {} : { note: "n" }),
    })),
  ]);
  if (number % 5 === 0) members.push([`extra${number % 7}`, number]);
  return JSON.parse(JSON.stringify(Object.fromEntries(number % 7 === 0 ? members.reverse() : members)));
});

const prepared = prepareFields(contract);
const validate = new Ajv({ allErrors: true }).compile(schema);
const broken = data.map((value, number) => {
  const copy = structuredClone(value);
  const field = `f${number % 20}`;
  copy[field] = [null, "", "x", -1, 1e9, [], {}, false][number % 8];
  return copy;
});
for (const value of [...data, ...broken]) {
  if (validate(value) !== (prepared.judge(value).length === 0)) throw new Error("the contenders do not agree");
}

let turn = 0;
const next = (values) => {
  turn = (turn + 1) % values.length;
  return values[turn];
};

await compare({
  name: "data contract, 60 fields, warm",
  contenders: { ours: () => prepared.judge(next(data)), ajv: () => validate(next(data)) },
  ratio: ["ours", "ajv"],
  floor: 0.6,
});
await compare({
  name: "data contract, 60 fields, warm, one field wrong",
  contenders: { ours: () => prepared.judge(next(broken)), ajv: () => validate(next(broken)) },
  ratio: ["ours", "ajv"],
  floor: 0.6,
});
await compare({
  name: "data contract, prepared and used once",
  contenders: {
    ours: () => prepareFields(contract).judge(next(data)),
    ajv: () => new Ajv({ allErrors: true }).compile(schema)(next(data)),
  },
  rounds: 11,
  ratio: ["ours", "ajv"],
  floor: 50,
});

// The whole advice, of fields that all fail: as much time for each of many as for each of few.
const failing = (count) => {
  const named = (value) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, value(index)]));
  return { data: named((index) => `v${index}`), fields: named(() => ({ type: "number" })) };
};
const [few, many] = [failing(1_000), failing(20_000)];
const now = instantFromMillis(Date.UTC(2027, 0, 15));
const advise = (input) => firewall.call("trust_validate_data", input, { now });
for (const input of [few, many]) {
  if (advise(input).value.reasons.length !== Object.keys(input.fields).length) throw new Error("not all fields failed");
}
await compare({
  name: "validating 20,000 failing fields",
  contenders: {
    "20,000 at once": () => advise(many),
    "1,000, 20 times": () => {
      for (let turns = 0; turns < 20; turns += 1) advise(few);
    },
  },
  rounds: 11,
  ratio: ["20,000 at once", "1,000, 20 times"],
  floor: 0.4,
});
