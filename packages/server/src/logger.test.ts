import { Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { createLogger } from "./logger.ts";

const LINE = { request: "r-1", method: "POST", route: "/v1/decisions", status: 200, ms: 1.5 };

function collected(level: "info" | "error" | "silent") {
  const writes: string[] = [];
  return { writes, logger: createLogger(level, { write: (text) => void writes.push(text) }) };
}

test.each(["error", "silent"] as const)("tells nothing of requests at the level %s", async (level) => {
  vi.useFakeTimers();
  const { writes, logger } = collected(level);
  logger.requested(LINE);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(writes).toEqual([]);
});

test("tells of a request in a line of JSON, in the order of what else is told, many in one write", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
  const { writes, logger } = collected("info");
  logger.requested(LINE);
  logger.error({ code: "x" }, "a fault");
  logger.requested({ ...LINE, route: null });
  expect(writes).toEqual([]);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(writes).toHaveLength(1);
  const time = "2026-01-02T03:04:05.678Z";
  const lines = writes[0]?.trimEnd().split("\n") ?? [];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 30, time, ...LINE, msg: "request" },
    { level: 50, time, code: "x", msg: "a fault" },
    { level: 30, time, ...LINE, route: null, msg: "request" },
  ]);
});

test("a line is written when the process ends before its time came", () => {
  const { writes, logger } = collected("info");
  const before = process.listeners("exit");
  logger.requested(LINE);
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  added[0]?.(0);
  expect(writes).toHaveLength(1);
  expect(process.listeners("exit")).toEqual(before);
});

test("does not hold more than a little, however many lines come at once", () => {
  const { writes, logger } = collected("info");
  for (let count = 0; count < 10_000; count += 1) logger.requested(LINE);
  expect(writes.length).toBeGreaterThan(10);
  expect(Math.max(...writes.map((text) => text.length))).toBeLessThan(65 * 1024);
});

test("a log whose reader is gone stops nothing", async () => {
  let asked = 0;
  const to = new Writable({
    write(_chunk, _encoding, done) {
      asked += 1;
      done(new Error("EPIPE"));
    },
  });
  const failed = new Promise((resolve) => to.once("close", resolve));
  const logger = createLogger("info", to);
  logger.requested(LINE);
  await failed;
  expect(asked).toBe(1);
  logger.requested(LINE);
});

test("a log on a full disk stops nothing, and what was lost is not written a second time", () => {
  vi.useFakeTimers();
  const writes: string[] = [];
  let full = true;
  const logger = createLogger("info", {
    write(text) {
      if (full) throw new Error("ENOSPC");
      writes.push(text);
    },
  });
  logger.requested({ ...LINE, request: "r-lost" });
  expect(() => vi.runAllTimers()).not.toThrow();
  full = false;
  logger.requested({ ...LINE, request: "r-kept" });
  vi.runAllTimers();
  vi.useRealTimers();
  expect(writes.join("")).toContain("r-kept");
  expect(writes.join("")).not.toContain("r-lost");
});
