import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { sharedSuite } from "@countersign/core/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL } from "../caller.ts";
import { createApp } from "../http/app.ts";
import { createLogger } from "../logger.ts";
import { mountMcp } from "./http.ts";
import type { Tool } from "./tool.ts";

const PLAIN = {
  aliases: [],
  annotations: { readOnlyHint: true },
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
};
const seen: unknown[] = [];
const TOOLS: readonly Tool[] = [
  {
    ...PLAIN,
    name: "test_simple_text",
    title: "Simple",
    description: "Answers.",
    call: async ({ input }) => {
      seen.push(input);
      return { structured: { ok: true } };
    },
  },
  {
    ...PLAIN,
    name: "test_error_handling",
    title: "Fails",
    description: "Refuses.",
    call: async () => ({ refused: "test.refused: as asked" }),
  },
];

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  const logger = createLogger("silent");
  app = createApp({ logger, hosts: [], origins: [] });
  mountMcp(
    app,
    { name: "countersign", title: "Countersign", version: "0.0.0" },
    [{ name: "probe", callers: "known", tools: TOOLS }],
    async () => ({ ok: true, value: LOCAL }),
    logger,
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

function send(method: string, headers: Record<string, string>, body: string | undefined): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path: "/mcp", method, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => (text += chunk));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The JSON-RPC message of an answer, plain or as the one event of a stream. */
const messageOf = ({ text }: Reply) => {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return data.trim() === "" ? undefined : (JSON.parse(data) as Record<string, never>);
};

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

sharedSuite("conformance/mcp", (folder) => {
  const cases = readFileSync(`${folder}/own-http.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failures: string[] = [];
  let shoulds = 0;

  async function holds({ session, http, expect: want }: (typeof cases)[number]): Promise<boolean> {
    const headers: Record<string, string> = { ...http.headers };
    if (session === "new") {
      const opened = await send("POST", HEADERS, INITIALIZE);
      const id = opened.headers["mcp-session-id"];
      if (typeof id === "string") headers["mcp-session-id"] = id;
      headers["mcp-protocol-version"] ??= "2025-11-25";
    }
    const reply = await send(http.method, headers, http.body ?? undefined);
    if (want.status !== undefined && !want.status.includes(reply.status)) return false;
    if (want.no_body && reply.text.trim() !== "") return false;
    const wantsMessage = [
      "error_code",
      "result_protocolVersion",
      "result_protocolVersion_one_of",
      "has_tools",
      "result",
    ].some((key) => key in want);
    if (!wantsMessage) return true;
    const message = messageOf(reply) as
      | { error?: { code: number }; result?: Record<string, unknown>; id?: unknown }
      | undefined;
    const { error, result } = message ?? {};
    if (want.id_echo && message?.id !== JSON.parse(http.body).id) return false;
    if (want.never_result && result !== undefined) return false;
    if (error !== undefined) return (want.error_code ?? want.or_error_code ?? []).includes(error.code);
    if (want.has_tools || (want.or_has_tools && result !== undefined)) return Array.isArray(result?.["tools"]);
    if (want.or_result_isError && result?.["isError"] === true) return true;
    const versions = want.result_protocolVersion ?? want.result_protocolVersion_one_of;
    if (versions !== undefined) return versions.includes(result?.["protocolVersion"]);
    return want.result !== undefined && result !== undefined;
  }

  const strict = cases.filter(({ level }) => level === "must" || level === "guard");
  test.each(strict.map((one) => [one.id, one] as const))("%s is answered as it must be", async (_, one) => {
    expect(await holds(one), JSON.stringify(one)).toBe(true);
  });

  test("at least nine in ten of what should be is so", async () => {
    for (const one of cases.filter(({ level }) => level === "should")) {
      shoulds += 1;
      if (!(await holds(one))) failures.push(`${one.id} ${one.class}`);
    }
    expect(failures.length / shoulds, failures.join(", ")).toBeLessThanOrEqual(0.1);
  });
});

describe.each([
  { era: "2025-11-25", mode: "legacy" as const },
  { era: "2026-07-28", mode: { pin: "2026-07-28" } as const },
])("a real client of $era", ({ era, mode }) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: "test", version: "1" }, mode === "legacy" ? {} : { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp/probe`)));
  });
  afterAll(() => client.close());

  test("speaks its own protocol version", () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
  });

  test("sees the tools as they are published, and no member more", async () => {
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
        name,
        title,
        description,
        annotations,
        inputSchema,
        outputSchema,
      })),
    ).toEqual(TOOLS.map(({ call: _, aliases: __, ...published }) => published));
  });

  test("gets structured content and the same as text", async () => {
    const answer = await client.callTool({ name: "test_simple_text", arguments: { a: 1 } });
    expect(answer.structuredContent).toEqual({ ok: true });
    expect(answer.content).toEqual([{ type: "text", text: '{"ok":true}' }]);
    expect(seen.at(-1)).toEqual({ a: 1 });
  });

  test("gets a refusal as text alone", async () => {
    const answer = await client.callTool({ name: "test_error_handling", arguments: {} });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
  });
});

test("the tool is given what was sent, also where the SDK's copy drops a member", async () => {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_simple_text","arguments":{"__proto__":{"a":1},"n":1.0}}}';
  await send("POST", { ...HEADERS, "mcp-protocol-version": "2025-11-25" }, body);
  const input = seen.at(-1) as object;
  expect(Object.keys(input)).toEqual(["__proto__", "n"]);
});
