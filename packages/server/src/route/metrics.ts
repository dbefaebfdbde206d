import type { Problem } from "@countersign/api";
import type { JsonObject, Result } from "@countersign/core";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { authenticated, callerOf } from "../auth/authenticated.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { demand } from "../caller.ts";
import type { Dialect } from "../face/dialect.ts";
import { send } from "../http/app.ts";
import { onAnswer } from "../http/onAnswer.ts";

export interface Metrics {
  /** The same dialect, with every answer counted by tool and verdict. */
  counted(dialect: Dialect): Dialect;
}

/**
 * `/metrics` for Prometheus, for whoever may audit. Routes by their pattern, tools by their name and answers by verdict
 * or code: no label holds anything of a request, so none can hold a secret or grow without end.
 */
export function mountMetrics(app: FastifyInstance, authenticator: Authenticator): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: "countersign_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  const answers = new Counter({
    name: "countersign_answers_total",
    help: "Answers of each tool, by verdict; a refused request by its code.",
    labelNames: ["dialect", "tool", "answer"],
    registers: [registry],
  });
  onAnswer(app, ({ method }, reply, route) =>
    seconds.observe({ method, route: route ?? "none", status: String(reply.statusCode) }, reply.elapsedTime / 1000),
  );
  app.register(async (scope) => {
    authenticated(scope, authenticator);
    scope.get("/metrics", async (request, reply) => {
      const lacking = demand(callerOf(request), "audit");
      if (lacking !== null) return send(reply, lacking);
      return reply.header("content-type", registry.contentType).send(await registry.metrics());
    });
  });
  return {
    counted: (dialect) => ({
      ...dialect,
      async answer(tool, ...asked) {
        const answer = await dialect.answer(tool, ...asked);
        answers.inc({ dialect: dialect.name, tool, answer: shown(answer) });
        return answer;
      },
    }),
  };
}

/** Under which member each dialect says its verdict. */
const VERDICTS = ["verdict", "decision", "outcome"] as const;

function shown(answer: Result<JsonObject, Problem>): string {
  if (!answer.ok) return answer.error.code;
  const verdict = VERDICTS.map((name) => answer.value[name]).find((value) => typeof value === "string");
  return typeof verdict === "string" ? verdict.toLowerCase() : "answered";
}
