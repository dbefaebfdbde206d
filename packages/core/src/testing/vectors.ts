import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "../json/value.ts";

/** One decision that every face has to give alike: the policy in force, the ask as it goes over the wire, the answer. */
export interface DecisionVector {
  readonly it: string;
  readonly policy: JsonValue;
  readonly ask: JsonObject;
  readonly expect: {
    readonly verdict: "allow" | "review" | "block";
    /** Of all findings, each once, sorted. */
    readonly codes: readonly string[];
    readonly basis: JsonValue;
    readonly action_digest: string | null;
  };
}

export interface DecisionVectors {
  /** RFC 3339: the time at which all of them are decided. */
  readonly now: string;
  readonly agent: string;
  readonly scope: string;
  readonly cases: readonly DecisionVector[];
}

export const decisionVectors = (): DecisionVectors =>
  JSON.parse(readFileSync(new URL("../../../../vectors/decisions.json", import.meta.url), "utf8")) as DecisionVectors;
