import {
  ACTION_GATE_TOOL,
  type DialectTool,
  firewall,
  mandate,
  type Problem,
  problemOf,
  TRADE_TOOLS,
} from "@countersign/api";
import {
  type ExactJson,
  type Instant,
  type JsonObject,
  type Result,
  suggest,
  toPlain,
  type Verdict,
} from "@countersign/core";
import { CommandError } from "./exit.ts";

/** A tool of a dialect, as the command line calls it. */
export interface DialectCall {
  readonly name: string;
  call(input: ExactJson, now: Instant): Promise<Result<JsonObject, Problem>>;
  /** What the answer means here (design: verdicts per dialect). Undefined where it decides nothing. */
  verdictOf(answer: JsonObject): Verdict | "error" | undefined;
}

interface KnownDialect {
  readonly tools: readonly DialectTool[];
  /** The tool that the dialect's own name stands for. */
  readonly first: string;
  call(tool: string, input: ExactJson, now: Instant): Promise<Result<JsonObject, Problem>>;
  verdictOf(answer: JsonObject): Verdict | "error" | undefined;
}

const CAPITALS: Readonly<Record<string, Verdict>> = { ALLOW: "allow", REVIEW: "review", BLOCK: "block" };

const MANDATE: Readonly<Record<string, Verdict | "error">> = {
  permit: "allow",
  escalate: "review",
  deny: "block",
  error: "error",
};

const DIALECTS: Readonly<Record<string, KnownDialect>> = {
  firewall: {
    tools: firewall.tools,
    first: "trust_check_action",
    call: async (tool, input, now) => {
      const plain = toPlain(input);
      return plain.ok ? firewall.call(tool, plain.value, { now }) : { ok: false, error: problemOf(plain.error) };
    },
    verdictOf: ({ verdict }) => (verdict === undefined ? undefined : (CAPITALS[String(verdict)] ?? "error")),
  },
  "action-gate": {
    tools: [ACTION_GATE_TOOL],
    first: ACTION_GATE_TOOL.name,
    call: async (_, input, now) => {
      const plain = toPlain(input);
      if (!plain.ok) return { ok: false, error: problemOf(plain.error) };
      return (await import("./actionGateCall.ts")).callActionGate(plain.value, now);
    },
    verdictOf: ({ decision }) => CAPITALS[String(decision)] ?? "error",
  },
  mandate: {
    tools: mandate.tools,
    first: "check_action",
    call: (tool, input, now) => mandate.call(tool, input, { now }),
    verdictOf: ({ outcome, valid }) =>
      outcome === undefined ? (valid === true ? "allow" : "block") : (MANDATE[String(outcome)] ?? "error"),
  },
};

/** The tool of a dialect's or a tool's name; a name that is not known ends the command with a suggestion. */
export function dialectCall(name: string): DialectCall {
  for (const [dialect, { tools, first, call, verdictOf }] of Object.entries(DIALECTS)) {
    const tool = tools.find(
      (one) => one.name === name || one.aliases.includes(name) || (dialect === name && one.name === first),
    );
    if (tool !== undefined) return { name: tool.name, call: (input, now) => call(tool.name, input, now), verdictOf };
  }
  const traded =
    TRADE_TOOLS.find((tool) => tool.name === name)?.name ?? (name === "trade" ? "evaluate_trade" : undefined);
  if (traded !== undefined)
    throw new CommandError("usage", `trades are judged on a chain: countersign trade ${traded} FILE --trade SETTING`, {
      at: "--dialect",
    });
  const names = Object.entries(DIALECTS).flatMap(([dialect, { tools }]) => [
    dialect,
    ...tools.map((tool) => tool.name),
  ]);
  const meant = suggest(name, names);
  throw new CommandError(
    "usage",
    meant === undefined ? "this dialect is not known" : `this dialect is not known; did you mean ${meant}?`,
    { at: "--dialect", expected: names.join(", ") },
  );
}
