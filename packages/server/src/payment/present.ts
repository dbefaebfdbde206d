import { type Problem, problemText } from "@countersign/api";
import type { JsonObject } from "@countersign/core";
import type { PaymentRequired, SettleResponse } from "@x402/core/types";
import type { FastifyReply } from "fastify";
import { send } from "../http/app.ts";
import type { ToolAnswer } from "../mcp/tool.ts";
import type { Sale } from "./till.ts";

/** Where over HTTP a payer reads how to pay, and what became of a payment. */
const HEADERS = { required: "payment-required", response: "payment-response" } as const;
const META = "x402/payment-response";
const REQUIRED = "x402/payment-required";

/** Seconds after which the same payment may be worth sending again. */
const RETRY_AFTER = 2;

/** The price in a tool's own words; null where it has none. */
type OwnTerms = (challenge: PaymentRequired) => JsonObject | null;

const noTerms: OwnTerms = () => null;

/** A sale over HTTP: both headers are base64 of JSON, and a challenge stands in the body too. */
export function sendSale(reply: FastifyReply, sale: Sale, ownTerms: OwnTerms = noTerms): FastifyReply {
  if (sale.settlement !== null) reply.header(HEADERS.response, base64(sale.settlement));
  if (sale.kind === "sold") return reply.header("content-type", "application/json").send(JSON.stringify(sale.answer));
  const { problem, challenge } = sale;
  if (isPassing(problem)) reply.header("retry-after", RETRY_AFTER);
  if (challenge === null) return send(reply, problem);
  reply.header(HEADERS.required, base64(challenge));
  return send(reply, { ...problem, ...challenge, ...ownTerms(challenge) });
}

/**
 * A sale over MCP. The transport's specification wants the challenge wrapped in `x402/error`, and clients that read the
 * text without it look for its members at the top: both find them. A tool with terms of its own answers with them as long as
 * nothing was paid, and the challenge goes beside them.
 */
export function toolAnswer(sale: Sale, ownTerms: OwnTerms = noTerms): ToolAnswer {
  const meta = sale.settlement === null ? {} : { meta: { [META]: sale.settlement as unknown as JsonObject } };
  if (sale.kind === "sold") return { structured: sale.answer, ...meta };
  const { problem, challenge } = sale;
  if (challenge === null) return { refused: problemText(problem), ...meta };
  const own = problem.code === "payment.required" ? ownTerms(challenge) : null;
  if (own !== null) return { structured: own, meta: { [REQUIRED]: challenge as unknown as JsonObject } };
  return { refused: JSON.stringify({ ...challenge, "x402/error": wrapped(problem, challenge) }), ...meta };
}

const wrapped = ({ code, detail }: Problem, data: PaymentRequired) => ({
  code: 402,
  message: `${code}: ${detail}`,
  data,
});

const isPassing = ({ code }: Problem): boolean => code === "payment.in_progress" || code === "payment.unknown";

const base64 = (value: PaymentRequired | SettleResponse): string =>
  Buffer.from(JSON.stringify(value)).toString("base64");
