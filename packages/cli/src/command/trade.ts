import { type JsonObject, millisOf, suggest } from "@countersign/core";
import { LOCAL } from "@countersign/server";
import { refuseProblem } from "../ask.ts";
import { CommandError, STATUS } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import { createLocalStore } from "../localGate.ts";
import { timeOf } from "../now.ts";
import { openStore, type StoreOptions } from "../openStore.ts";
import { print, printJson } from "../output.ts";
import { storedPolicies } from "../policyInForce.ts";
import { printable } from "../printable.ts";
import { openTradeFrom } from "../trade.ts";

export interface TradeOptions extends StoreOptions {
  readonly trade: string;
  /** Readings that stand in for the chain. */
  readonly facts?: string;
  readonly now?: string;
  readonly json?: boolean;
}

/**
 * Answers as a tool of the trade dialect does, to the agent `local`: a verdict is recorded in the log. From recorded facts
 * it is made on paper, and nothing of it is kept.
 */
export async function trade(tool: string, file: string, options: TradeOptions): Promise<void> {
  if (options.now !== undefined && options.facts === undefined)
    throw new CommandError("usage", "a chain is judged by the clock; --now is for recorded --facts");
  const input = await readJson(file, "plain");
  const clock = options.now === undefined ? Date.now : () => millisOf(timeOf(options.now));
  const store = options.facts === undefined ? await openStore(options, "make") : createLocalStore(clock);
  try {
    const recorded = options.facts === undefined ? {} : { recorded: options.facts };
    const place = { store, policies: storedPolicies(store), clock, ...recorded };
    const { dialect } = await openTradeFrom(options.trade, place);
    const names = dialect.tools.map(({ name }) => name);
    if (!names.includes(tool)) {
      const meant = suggest(tool, names);
      const message = meant === undefined ? "this tool is not known" : `this tool is not known; did you mean ${meant}?`;
      throw new CommandError("usage", message, { at: tool, expected: names.join(", ") });
    }
    const answer = await dialect.answer(tool, input, LOCAL, () => new AbortController().signal);
    if (!answer.ok) return refuseProblem(answer.error, nameOf(file));
    process.exitCode = statusOf(answer.value);
    if (options.json === true) printJson(answer.value);
    else print(...linesOf(answer.value).map(printable));
  } finally {
    await store.close();
  }
}

const STATUSES: Readonly<Record<string, number>> = {
  allow: STATUS.allow,
  warn: STATUS.allow,
  deny: STATUS.block,
  safe: STATUS.allow,
  danger: STATUS.block,
};

/** An error is no verdict, whatever stands beside it. */
function statusOf(answer: JsonObject): number {
  const { error, decision, severity, healthy, result } = answer;
  if (typeof result === "object" && result !== null) return statusOf(result as JsonObject);
  if (error !== null) return STATUS.error;
  if (typeof decision === "string") return STATUSES[decision] ?? STATUS.error;
  if (typeof severity === "string") return severity === "warn" ? STATUS.review : (STATUSES[severity] ?? STATUS.error);
  return healthy === false ? STATUS.block : STATUS.allow;
}

/** Every member that says something, one a line. */
const linesOf = (answer: JsonObject): readonly string[] =>
  Object.entries(answer).flatMap(([name, value]) => {
    if (value === null) return [];
    if (!Array.isArray(value)) return [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
    return value.map((one) => `  ${typeof one === "string" ? one : JSON.stringify(one)}`);
  });
