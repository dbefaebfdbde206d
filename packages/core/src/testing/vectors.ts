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

/** One trade that every face has to judge alike, from what a chain once said. */
export interface TradeVector {
  readonly it: string;
  /** RFC 3339, where it is another time than that of all. */
  readonly now?: string;
  /** Members of the start setting, beside registry and nodes. */
  readonly setting?: JsonObject;
  readonly readings: JsonObject;
  /** The arguments of the tool `evaluate_trade`, as they go over the wire. */
  readonly trade: JsonObject;
  readonly expect: {
    readonly decision: "allow" | "warn" | "deny";
    readonly error: string | null;
    readonly reasons: readonly string[];
    /** `code:weight` of each reason, in their order; only the library tells them. */
    readonly codes: readonly string[];
  } & JsonObject;
}

export interface TradeVectors {
  readonly now: string;
  readonly registry: JsonObject;
  readonly cases: readonly TradeVector[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), "utf8"));

export const decisionVectors = () => read("decisions.json") as DecisionVectors;
export const tradeVectors = () => read("trades.json") as TradeVectors;
