import type { StoreError } from "@countersign/core";
import { storeError } from "../sql/storeError.ts";

/** By SQLSTATE, the first two letters being its class. */
const CODES: Readonly<Record<string, StoreError["code"]>> = {
  "22": "store.refused_input",
  "25006": "store.read_only",
  "40": "store.busy",
  "42501": "store.read_only",
  "53100": "store.full",
  // More than the server takes in one statement: it was too much together, and may not be alone.
  "54": "store.refused_input",
  "55P03": "store.busy",
  "57014": "store.busy",
  "58030": "store.unavailable",
  XX001: "store.corrupt",
  XX002: "store.corrupt",
};

const stateOf = (thrown: unknown): string => {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "";
};

export function postgresError(thrown: unknown): StoreError {
  // A row that is not what we wrote.
  if (thrown instanceof TypeError || thrown instanceof SyntaxError) return storeError("store.corrupt");
  const state = stateOf(thrown);
  return storeError(CODES[state] ?? CODES[state.slice(0, 2)] ?? "store.unavailable");
}

/** Whether the server itself answered: then what it refused is not done. Anything else leaves a commit in doubt. */
export const isAnswered = (thrown: unknown): boolean => {
  const state = stateOf(thrown);
  return state !== "" && !state.startsWith("08") && !state.startsWith("57P");
};
