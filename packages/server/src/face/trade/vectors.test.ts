import type { AddressInfo } from "node:net";
import { readTradeQuestion, writeTrade } from "@countersign/api";
import {
  createMemoryStore,
  evaluateTrade,
  type JsonObject,
  judgeReadings,
  millisOf,
  parseInstant,
  readReadings,
  readRegistry,
  recordedTradeChain,
  zero,
} from "@countersign/core";
import { type TradeVector, tradeVectors } from "@countersign/core/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL } from "../../caller.ts";
import { createLogger } from "../../logger.ts";
import { createServer } from "../../server.ts";
import { hexSha256, random, sha256 } from "../../testing/paymentWorld.ts";
import type { Dialect } from "../dialect.ts";
import { readTradeConfig } from "./config.ts";
import type { TradeFace } from "./ports.ts";
import { tradeDialect } from "./tradeDialect.ts";

const vectors = tradeVectors();
const registry = readRegistry(vectors.registry);
if (!registry.ok) throw new Error(`${registry.error.path} ${registry.error.message}`);
const known = registry.value;

function faceOf({ readings, setting, now = vectors.now }: TradeVector): TradeFace {
  const config = readTradeConfig({ registry: "vectors", rpc: ["https://nobody-is-asked.example"], ...setting });
  if (!config.ok) throw new Error(config.error[0].path);
  const recorded = readReadings(readings, known.chainId);
  if (!recorded.ok) throw new Error(`${recorded.error.path} ${recorded.error.message}`);
  const at = parseInstant(now);
  if (!at.ok) throw new Error("the time of a vector cannot be read");
  const clock = () => millisOf(at.value);
  const { rules } = config.value;
  const chain = recordedTradeChain(known, recorded.value);
  const store = createMemoryStore({ clock, random, sha256 });
  return { chain, funderOf: null, policies: null, rules, store, clock, random, sha256, hexSha256 };
}

/** One server for all of them: each case is judged by its own readings, and recorded in its own log. */
let face: TradeFace;
let app: FastifyInstance;
let base: string;
let client: Client;

beforeAll(async () => {
  const dialect: Dialect = {
    ...tradeDialect(faceOf(vectors.cases[0] as TradeVector)),
    answer: (...asked) => tradeDialect(face).answer(...asked),
  };
  app = createServer({
    version: "0.0.0",
    dialects: [dialect],
    keys: { jwks: () => ({ keys: [] }), adviceJwks: () => ({ keys: [] }), mandateKeys: () => ({ keys: [] }) },
    authenticator: async () => ({ ok: true, value: LOCAL }),
    readiness: async () => null,
    logger: createLogger("silent"),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/trade`)));
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  await app.close();
});

describe.each(vectors.cases.map((one) => [one.it, one] as const))("%s", (_, one) => {
  const { codes, ...wire } = one.expect;
  const isVerdict = wire.error === null;

  // A question that is refused is not judged.
  const judged: typeof test | (() => void) = isVerdict ? test : () => {};
  judged("by the library, with the codes that are written down", () => {
    const { rules, clock } = faceOf(one);
    const question = readTradeQuestion(one.trade);
    const recorded = readReadings(one.readings, known.chainId);
    if (!question.ok || !recorded.ok) throw new Error("test data");
    const { wallet, address } = question.value;
    const now = Math.floor(clock() / 1000);
    const { block: _block, ...read } = judgeReadings(recorded.value.readings, {
      ...question.value,
      registry: known,
      now,
    });
    const facts = {
      ...read,
      stopped: { known: true, value: false },
      blocklisted: { known: true, value: rules.blocked.has(wallet) || rules.blocked.has(address) },
      funding: { state: "not_asked", funders: [] },
      recentTrades: { known: true, value: 1 },
      realisedLoss: { known: true, value: zero },
    } as const;
    const judged = evaluateTrade({ ...question.value, tier: rules.tiers.get("local") ?? 1 }, facts, rules.settings);
    if (!judged.ok) throw new Error(judged.error.code);
    expect(judged.value.reasons.map(({ code, weight }) => `${code}:${weight}`)).toEqual(codes);
    expect(writeTrade(judged.value, null, null)).toMatchObject(wire);
  });

  const recordedOnce = { audit_seq: isVerdict ? 1 : null };

  test("over HTTP", async () => {
    face = faceOf(one);
    const answer = await fetch(`${base}/v1/trade/evaluate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(one.trade),
    });
    expect((await answer.json()) as JsonObject).toMatchObject({ ...wire, ...recordedOnce });
  });

  test("over MCP", async () => {
    face = faceOf(one);
    const answer = await client.callTool({ name: "evaluate_trade", arguments: one.trade });
    expect(answer.structuredContent).toMatchObject({ ...wire, ...recordedOnce });
  });
});
