// Canonical JSON (RFC 8785) beside npm canonicalize, on asks of 1, 10 and 100 KiB.
import { canonicalize } from "@countersign/core";
import reference from "canonicalize";
import { compare } from "./harness.mjs";

/** Members as a program writes them, not sorted, and some text beyond ASCII. */
const ask = (index) => ({
  kind: "transaction",
  verb: "transfer",
  target: `https://pay.example/v1/accounts/${index}/transfers`,
  counterparty: `acct-${index}`,
  amount: { value: "25.00", currency: "USDC" },
  parameters: {
    memo: `invoice 2026-${index}`,
    attempts: index % 7,
    ratio: index / 8,
    dry: false,
    tags: ["hosting", "monthly", "été"],
    nested: { deep: [1, 2.5, 3, true, null], again: { b: "\n", a: "“quoted”" } },
  },
  assets: ["account:main"],
  labels: { project: "alpha", cost: "hosting" },
  justification: "the monthly bill of the hosting provider, as agreed in the contract, is due now",
});

/** A text that was put together from pieces is only finished when somebody reads it; a digest does. */
const bytesOf = (text) => Buffer.byteLength(text);

const sorted = (value) => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

for (const [size, asks] of [
  ["1 KiB", 2],
  ["10 KiB", 17],
  ["100 KiB", 168],
]) {
  const document = { asks: Array.from({ length: asks }, (_, index) => ask(index)) };
  for (const [order, value] of [
    ["unsorted", document],
    ["already sorted", sorted(document)],
  ]) {
    if (canonicalize(value) !== reference(value)) throw new Error("the contenders do not agree");
    await compare({
      name: `canonical JSON, ${size}, ${order}`,
      contenders: { ours: () => bytesOf(canonicalize(value)), "npm canonicalize": () => bytesOf(reference(value)) },
      ratio: ["ours", "npm canonicalize"],
      floor: 1.8,
    });
  }
}
