import {
  type ErrorCode,
  faultOfProblem,
  PAID_TIER,
  PAID_TRADE,
  type Problem,
  problemOf,
  readAuditQuestion,
  readBalanceQuestion,
  readTokenQuestion,
  readTradeQuestion,
  splitProof,
  TRADE_TOOLS,
  type TradeFault,
  tradeFault,
  writeAssets,
  writeBalance,
  writeNoAssets,
  writeNoAudit,
  writeNoBalance,
  writeNoTokenSafety,
  writeNoTrade,
  writePaymentRequired,
  writeTokenSafety,
} from "@countersign/api";
import {
  err,
  isObject,
  type JsonObject,
  type JsonValue,
  judgeToken,
  ok,
  type Result,
  tradeError,
} from "@countersign/core";
import { adviceFor, type Caller } from "../../caller.ts";
import type { Dialect } from "../dialect.ts";
import { evaluate, settingsFor } from "./evaluate.ts";
import type { Tier, TradeFace } from "./ports.ts";
import { verifyTrail } from "./trail.ts";

/** Readings of the chain that one caller has a minute, beside trades: each may cost a hundred requests to a node. */
const READINGS = 30;
const MINUTE = 60_000;

/** Trades and tokens of one chain. Whatever goes wrong is an answer with `error`, and every other member denies. */
export const tradeDialect = (face: TradeFace): Dialect => ({
  name: "trade",
  tools: TRADE_TOOLS,
  numbers: "plain",
  async answer(tool, input, caller) {
    const { work, none } = toolOf(face, tool, input as JsonValue, caller, freeTier(face, caller));
    if (tool === PAID_TRADE)
      return ok({
        result: writeNoTrade(tradeFault("payment_unavailable", "nothing is sold here"), requestIdIn(input)),
      });
    try {
      const answer = await work();
      return ok(answer.ok ? answer.value : none(answer.error));
    } catch {
      return ok(none(UNEXPECTED));
    }
  },
  async refusal(tool, input, caller) {
    if (tool !== PAID_TRADE && tool !== "evaluate_trade") return readerOf(tool)(input as JsonValue);
    const read = readTradeQuestion(input as JsonValue);
    if (!read.ok) return read.error;
    const settings = await settingsFor(face, caller);
    if (!settings.ok) return passing(settings.error);
    const wrong = tradeError(read.value, settings.value);
    return wrong === undefined ? null : problemOf({ code: "request.invalid", message: wrong.message });
  },
  sold: {
    split: (tool, input) => (tool === PAID_TRADE ? splitProof(input as JsonValue) : { input, proof: null }),
    terms: (tool, { accepts: [first], resource }) =>
      tool === PAID_TRADE && first !== undefined
        ? writePaymentRequired(first, { url: resource.url, description: resource.description ?? "" })
        : null,
    async answer(tool, input, caller) {
      const { work, none } = toolOf(face, tool, input as JsonValue, caller, PAID_TIER);
      const answer = await work();
      const given = answer.ok ? answer.value : none(answer.error);
      // What may come right is owed until it does; anything else is the answer that was bought.
      if (!answer.ok && Object.hasOwn(PASSING, answer.error.error)) return err(passing(answer.error));
      return ok(tool === PAID_TRADE ? { result: given } : given);
    },
  },
});

const UNEXPECTED = tradeFault("internal", "the gate failed");

const PASSING: Partial<Record<TradeFault["error"], ErrorCode>> = {
  chain_unavailable: "facts.timeout",
  log_unavailable: "store.unavailable",
  rate_limited: "rate.limited",
  // For five minutes; then the same payment has its verdict.
  request_id_conflict: "idempotency.conflict",
};

const passing = ({ error, detail }: TradeFault): Problem =>
  problemOf({ code: PASSING[error] ?? "internal", message: detail });

const freeTier = ({ rules }: TradeFace, caller: Caller): Tier => rules.tiers.get(adviceFor(caller)) ?? 1;

interface Work {
  work(): Promise<Result<JsonObject, TradeFault>>;
  none(fault: TradeFault): JsonObject;
}

/** What a tool does, and what it answers when it cannot. */
function toolOf(face: TradeFace, tool: string, input: JsonValue, caller: Caller, tier: Tier): Work {
  const { chain, clock } = face;
  switch (tool) {
    case "evaluate_trade":
    case PAID_TRADE:
      return {
        none: (fault) => writeNoTrade(fault, requestIdIn(input)),
        work: () => withQuestion(readTradeQuestion(input), (question) => evaluate(face, { question, caller, tier })),
      };
    case "check_token_safety":
      return {
        none: writeNoTokenSafety,
        work: () =>
          withQuestion(readTokenQuestion(input), async (address) => {
            const limited = await readingOf(face, caller);
            if (limited !== null) return err(limited);
            const read = await chain.token(address, Math.floor(clock() / 1000));
            if (!read.ok) return err(tradeFault("chain_unavailable", read.error.message));
            const isOfficial = chain.registry.tokens.some((token) => token.address === address);
            return ok(writeTokenSafety(judgeToken(read.value, isOfficial ? "official" : "unregistered"), read.value));
          }),
      };
    case "simulate_balance":
      return {
        none: writeNoBalance,
        work: () =>
          withQuestion(readBalanceQuestion(input), async (question) => {
            const limited = await readingOf(face, caller);
            if (limited !== null) return err(limited);
            const shown = await chain.balance(question);
            if (shown.ok) return ok(writeBalance(shown.value));
            const { code, message } = shown.error;
            return err(tradeFault(code.startsWith("chain.") ? "chain_unavailable" : "balance_unavailable", message));
          }),
      };
    case "get_supported_assets":
      return {
        none: writeNoAssets,
        work: async () =>
          isObject(input)
            ? ok(writeAssets(chain.registry))
            : err(tradeFault("invalid_request", "the arguments have to be an object")),
      };
    case "verify_audit_trail":
      return {
        none: writeNoAudit,
        work: () =>
          withQuestion(readAuditQuestion(input), async (question) =>
            ok(await verifyTrail(face, caller.tenant, question)),
          ),
      };
    default:
      throw new Error("a tool is asked that this dialect does not have");
  }
}

async function withQuestion<T>(
  question: Result<T, Problem>,
  work: (question: T) => Promise<Result<JsonObject, TradeFault>>,
): Promise<Result<JsonObject, TradeFault>> {
  return question.ok ? work(question.value) : err(faultOfProblem(question.error));
}

function readerOf(tool: string): (input: JsonValue) => Problem | null {
  const problem = (read: Result<unknown, Problem>): Problem | null => (read.ok ? null : read.error);
  switch (tool) {
    case "check_token_safety":
      return (input) => problem(readTokenQuestion(input));
    case "simulate_balance":
      return (input) => problem(readBalanceQuestion(input));
    case "verify_audit_trail":
      return (input) => problem(readAuditQuestion(input));
    default:
      return (input) => (isObject(input) ? null : problemOf("request.invalid"));
  }
}

async function readingOf({ store }: TradeFace, caller: Caller): Promise<TradeFault | null> {
  const counted = await store.hit(caller.tenant, `trade-reading/${caller.credential}`, MINUTE);
  if (!counted.ok) return tradeFault("log_unavailable", "requests could not be counted");
  return counted.value > READINGS ? tradeFault("rate_limited", `more than ${READINGS} requests a minute`) : null;
}

/** So that a caller finds its answer again; only what is sound is given back. */
function requestIdIn(input: unknown): string | null {
  const given = isObject(input as JsonValue) ? (input as JsonObject)["request_id"] : null;
  return typeof given === "string" && given.length <= 128 ? given : null;
}
