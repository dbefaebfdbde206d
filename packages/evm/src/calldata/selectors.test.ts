import { CALLS } from "@countersign/core";
import { toFunctionSelector } from "viem";
import { expect, test } from "vitest";

const rows = [...CALLS].map(([selector, { name, args }]) => ({ selector, signature: `${name}(${args})` }));

test.each(rows)("$selector is the selector of $signature", ({ selector, signature }) => {
  expect(toFunctionSelector(`function ${signature}`)).toBe(`0x${selector}`);
});
