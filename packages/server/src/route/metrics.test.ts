import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { LOCAL } from "../caller.ts";
import type { Dialect } from "../face/dialect.ts";
import { type Metrics, mountMetrics } from "./metrics.ts";

let caller: Caller = LOCAL;
const app = Fastify();
let metrics: Metrics;
const DIALECT = {
  name: "probe",
  tools: [],
  numbers: "plain",
  answer: async (tool: string) =>
    tool === "fails" ? { ok: false, error: { code: "request.invalid" } } : { ok: true, value: { verdict: "ALLOW" } },
} as unknown as Dialect;
const ask = (tool: string, input: object) =>
  metrics.counted(DIALECT).answer(tool, input as never, LOCAL, undefined as never);

beforeAll(async () => {
  metrics = mountMetrics(app, async () => ({ ok: true, value: caller }));
  await app.ready();
});
afterAll(() => app.close());

test("nobody reads metrics without the scope audit, the agent on loopback included", async () => {
  caller = LOCAL;
  expect((await app.inject("/metrics")).statusCode).toBe(403);
});

test("answers are counted by tool and verdict, refusals by code, and no label holds what was asked", async () => {
  caller = { ...LOCAL, scopes: new Set(["audit"]) };
  await ask("ask", { secret: "hunter2" });
  await ask("ask", {});
  await ask("fails", {});
  await app.inject("/nowhere/hunter2");
  const { body } = await app.inject("/metrics");
  expect(body).toContain('countersign_answers_total{dialect="probe",tool="ask",answer="allow"} 2');
  expect(body).toContain('countersign_answers_total{dialect="probe",tool="fails",answer="request.invalid"} 1');
  expect(body).toContain("countersign_http_request_duration_seconds_count");
  expect(body).not.toContain("hunter2");
});
