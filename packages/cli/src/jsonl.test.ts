import { PassThrough, Readable, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LineCommand, type LinesEnd, transformLines } from "./jsonl.ts";

/** Answers with what it was asked, so that every loss and every mix-up shows. */
const echo: LineCommand = {
  asks: ["q", "r"],
  answer: (question) =>
    question["q"] === "bad" ? { error: { code: "test.bad", message: "bad" } } : { value: { answer: question } },
};

async function through(chunks: readonly Buffer[], command = echo): Promise<{ lines: string[]; end: LinesEnd }> {
  const output = new PassThrough();
  const texts: Buffer[] = [];
  output.on("data", (chunk: Buffer) => texts.push(chunk));
  const end = await transformLines(Readable.from(chunks, { objectMode: false }), output, command);
  const text = Buffer.concat(texts).toString();
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line is not ended");
  return { lines: text === "" ? [] : text.slice(0, -1).split("\n"), end };
}

const one = async (line: string): Promise<unknown> => {
  const { lines } = await through([Buffer.from(line)]);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "");
};

/** The obvious way: whole lines, one after the other. */
function model(text: string): { lines: unknown[]; end: LinesEnd } {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const answers = lines.map((line, index) => {
    let object: Record<string, unknown>;
    try {
      object = JSON.parse(line);
    } catch {
      return { line: index + 1, error: true };
    }
    if (typeof object !== "object" || object === null || Array.isArray(object)) return { line: index + 1, error: true };
    const { q, r, answer: _, ...rest } = object;
    if (q === "bad") return { line: index + 1, error: true };
    return { ...rest, answer: { ...("q" in object ? { q } : {}), ...("r" in object ? { r } : {}) } };
  });
  const all = answers.every((answer) => !("error" in answer) || answer.error !== true);
  return { lines: answers, end: all ? "answered" : "refused" };
}

const anyLine = fc.oneof(
  fc
    .record(
      { q: fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("bad")), id: fc.integer(), answer: fc.nat() },
      { requiredKeys: [] },
    )
    .map((object) => JSON.stringify(object)),
  fc.constantFrom("", " ", "[]", "null", "{", '{"q":1}\r', '"text"', '{"q":"é","x":"𝄞"}'),
);

test("however the input is cut, each line has its answer in its place", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { maxLength: 20 }),
      fc.boolean(),
      fc.array(fc.nat(200)),
      async (lines, ended, cuts) => {
        const bytes = Buffer.from(lines.join("\n") + (ended ? "\n" : ""));
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
        const got = await through(chunks);
        const want = model(bytes.toString());
        expect(got.end).toBe(want.end);
        expect(got.lines.map((line) => blurred(JSON.parse(line)))).toEqual(want.lines);
      },
    ),
  );
});

/** Which error it is, is for the table below. */
const blurred = (answer: Record<string, unknown>) => ("error" in answer ? { ...answer, error: true } : answer);

describe("a bad line", () => {
  test.each([
    { it: "that is empty", line: "\n", code: "json.syntax" },
    { it: "that is cut off", line: '{"q":', code: "json.syntax" },
    { it: "that is a list", line: "[1]", code: "line.not_an_object" },
    { it: "with a member twice", line: '{"q":1,"q":2}', code: "json.duplicate_member" },
    { it: "with a byte order mark", line: '\ufeff{"q":1}', code: "json.bom" },
    { it: "with half a surrogate", line: '{"q":"\\ud800"}', code: "json.lone_surrogate" },
    { it: "that is nested too deeply", line: `{"q":${"[".repeat(200)}${"]".repeat(200)}}`, code: "json.too_deep" },
    {
      it: "whose question holds a number that a double would change",
      line: '{"q":12345678901234567890}',
      code: "json.number_lossy",
    },
    { it: "that the check refuses", line: '{"q":"bad"}', code: "test.bad" },
    { it: "that is too long", line: `{"q":"${"x".repeat(1 << 20)}"}`, code: "line.too_long" },
  ])("$it says so in its place", async ({ line, code }) => {
    const { lines, end } = await through([Buffer.from(`${line.replace(/\n$/, "")}\n{"q":1}\n`)]);
    expect(end).toBe("refused");
    expect(JSON.parse(lines[0] ?? "")).toEqual({ line: 1, error: { code, message: expect.any(String) } });
    expect(JSON.parse(lines[1] ?? "")).toEqual({ answer: { q: 1 } });
  });

  test("that is not UTF-8 says so", async () => {
    const { lines } = await through([Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]);
    expect(JSON.parse(lines[0] ?? "").error.code).toBe("json.not_utf8");
  });

  test("never has its values repeated", async () => {
    const { lines } = await through([Buffer.from('{"q":"bad","secret":"hunter2"}\n{"q":hunter2}\n')]);
    expect(lines.join("")).not.toContain("hunter2");
  });
});

describe("other members", () => {
  test("are passed through, and the answer stands behind them", async () => {
    const { lines } = await through([Buffer.from('{"id":7,"q":1,"tags":["a"]}')]);
    expect(lines[0]).toBe('{"id":7,"tags":["a"],"answer":{"q":1}}');
  });

  test("keep numbers that no double holds as they were written", async () => {
    const { lines } = await through([
      Buffer.from(`{"id":12345678901234567890,"q":1,"deep":{"x":[1.10,-0]},"long":1${"0".repeat(400)}}`),
    ]);
    expect(lines[0]).toBe(
      `{"id":12345678901234567890,"deep":{"x":[1.10,-0]},"long":1${"0".repeat(400)},"answer":{"q":1}}`,
    );
  });

  test("do not stand in for the answer", async () => {
    expect(await one('{"q":1,"answer":"forged"}')).toEqual({ answer: { q: 1 } });
    expect(await one('{"q":1,"answer":12345678901234567890}')).toEqual({ answer: { q: 1 } });
  });

  test("called __proto__ are members like any other", async () => {
    const { lines } = await through([Buffer.from('{"__proto__":{"q":1},"q":2}')]);
    expect(lines[0]).toBe('{"__proto__":{"q":1},"answer":{"q":2}}');
  });
});

test("a line that comes alone is answered before the next one is sent", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = transformLines(input, output, echo);
  for (const q of [1, 2]) {
    input.write(`{"q":${q}}\n`);
    const answer = await new Promise<Buffer>((resolve) => output.once("data", resolve));
    expect(JSON.parse(answer.toString())).toEqual({ answer: { q } });
  }
  input.end();
  expect(await done).toBe("answered");
});

test("while nobody reads the output, no more than a little input is taken", async () => {
  let taken = 0;
  const line = Buffer.from(`{"q":"${"x".repeat(1000)}"}\n`);
  const input = new Readable({
    highWaterMark: 1 << 16,
    read() {
      taken += 1;
      this.push(taken > 100_000 ? null : line);
    },
  });
  const stuck = new Writable({ highWaterMark: 1 << 16, write: () => {} });
  void transformLines(input, stuck, echo);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBeLessThan(1000);
});

test("ends when the reader of the output is gone", async () => {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 10 });
  const done = transformLines(input, output, echo);
  input.write('{"q":"long enough to fill the output"}\n');
  await new Promise((resolve) => setTimeout(resolve, 20));
  output.destroy();
  expect(await done).toBe("unread");
});

test("input that is cut off since the reader of the output is gone is no failure", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = transformLines(input, output, echo);
  output.destroy();
  input.destroy();
  expect(await done).toBe("unread");
});

test("input that breaks while somebody reads is a failure", async () => {
  const input = new PassThrough();
  const done = transformLines(input, new PassThrough(), echo);
  input.destroy(new Error("broken"));
  await expect(done).rejects.toMatchObject({ code: "input.unreadable" });
});
