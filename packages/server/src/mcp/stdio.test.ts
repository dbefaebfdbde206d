import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LOCAL } from "../caller.ts";
import { serveMcpStdio } from "./stdio.ts";
import type { Tool } from "./tool.ts";

const seen: unknown[] = [];
const ECHO: Tool = {
  name: "echo",
  title: "Echo",
  description: "Answers.",
  annotations: {},
  aliases: [],
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  call: async ({ input }) => {
    seen.push(input);
    return { structured: { ok: true } };
  },
};

const OPEN = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];
const call = (id: number | string, args: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"echo","arguments":${args}}}`;

/** What comes out for these lines, once the input has ended. */
async function exchange(lines: readonly (string | Buffer)[]): Promise<readonly Record<string, never>[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk) => {
    text += chunk;
  });
  const done = serveMcpStdio(
    { name: "countersign", title: "Countersign", version: "0.0.0" },
    [ECHO],
    LOCAL,
    input,
    output,
  );
  for (const line of lines) input.write(typeof line === "string" ? `${line}\n` : line);
  input.end();
  await done;
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const errorOf = (messages: readonly Record<string, never>[], code: number) =>
  messages.filter(({ error }) => (error as { code: number } | undefined)?.code === code);
const answered = (messages: readonly Record<string, never>[], id: number | string) =>
  messages.some((message) => message["id"] === id && message["result"] !== undefined);

test.each([
  { it: "half a message", line: '{"jsonrpc":"2.0","id":1,', code: -32700 },
  { it: "a member that is there twice", line: call(1, '{"a":1,"a":2}'), code: -32700 },
  { it: "bytes that are not UTF-8", line: Buffer.from([0x22, 0xff, 0x22, 0x0a]), code: -32700 },
  { it: "a batch", line: `[${call(1, "{}")}]`, code: -32600 },
  { it: "a line of 2 MiB", line: call(1, JSON.stringify("x".repeat(2 << 20))), code: -32600 },
  { it: "arguments that are no object", line: call(1, "[]"), code: -32602 },
  { it: "an id that is true", line: '{"jsonrpc":"2.0","id":true,"method":"ping"}', code: -32600 },
])("$it is answered with an error, and the next request is served", async ({ line, code }) => {
  const messages = await exchange([...OPEN, line, call(2, "{}")]);
  expect(errorOf(messages, code)).toHaveLength(1);
  expect(answered(messages, 2)).toBe(true);
});

test("judges what was sent, also where the SDK's copy drops a member", async () => {
  await exchange([...OPEN, call("a", '{"__proto__":{"b":1}}')]);
  expect(Object.keys(seen.at(-1) as object)).toEqual(["__proto__"]);
});

test("answers a last line that has no end", async () => {
  const messages = await exchange([...OPEN, Buffer.from(call(3, "{}"))]);
  expect(answered(messages, 3)).toBe(true);
});

test("refuses a second request under an id that is still open, and answers the first", async () => {
  const messages = await exchange([...OPEN, call(4, "{}"), call(4, "{}")]);
  expect(answered(messages, 4)).toBe(true);
});
