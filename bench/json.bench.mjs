// Strict JSON beside JSON.parse, from bytes to a value. JSON.parse refuses no duplicate member and no lossy number, so
// the ratio is the price of strictness; the floor keeps it from growing.
import { isUtf8 } from "node:buffer";
import { parseJson } from "@countersign/core";
import { compare } from "./harness.mjs";

const limits = { bytes: 1_048_576, depth: 128 };
const decode = (bytes) =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString() : undefined;

const ask = (index) => ({
  kind: "transaction",
  verb: "transfer",
  target: `https://pay.example/v1/accounts/${index}/transfers`,
  amount: { value: "25.00", currency: "USDC" },
  parameters: {
    memo: `invoice 2026-${index}`,
    attempts: index % 7,
    ratio: index / 8,
    tags: ["a", "été"],
    deep: [[1, true, null]],
  },
  justification: "the monthly bill of the hosting provider, as agreed in the contract, is due now",
});

for (const [size, asks] of [
  ["1 KiB", 3],
  ["10 KiB", 29],
  ["100 KiB", 290],
]) {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: asks }, (_, index) => ask(index))));
  if (!parseJson(bytes, limits, "plain", decode).ok) throw new Error("the document is not read");
  await compare({
    name: `strict JSON, ${size}`,
    contenders: {
      ours: () => parseJson(bytes, limits, "plain", decode),
      "JSON.parse": () => JSON.parse(bytes.toString()),
    },
    ratio: ["ours", "JSON.parse"],
    floor: 0.45,
  });
}
