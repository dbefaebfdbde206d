import { expect, test } from "vitest";
import { createWaiting } from "./waiting.ts";

/** A store that changes when it is told to. */
function events() {
  const watching = new Set<() => void>();
  return {
    watching,
    change: () => {
      for (const wake of [...watching]) wake();
    },
    watch: (_: string, wake: () => void) => {
      watching.add(wake);
      return () => watching.delete(wake);
    },
  };
}
const never = new AbortController().signal;
const parts = { tenant: "acme", credential: "key_1", millis: 30_000, gone: never };

test("looks once, and waits for nothing, when what it waits for is there", async () => {
  const store = events();
  expect(await createWaiting(store).until({ ...parts, look: async () => "there" })).toBe("there");
  expect(store.watching.size).toBe(0);
});

test("looks again whenever something has changed, also while it looks", async () => {
  const store = events();
  let looks = 0;
  const found = createWaiting(store).until({
    ...parts,
    async look() {
      looks += 1;
      // What changes now was not there when this look began.
      if (looks === 2) store.change();
      return looks === 3 ? "changed" : undefined;
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await found).toBe("changed");
  expect(store.watching.size).toBe(0);
});

test.each([
  { it: "the time is over", ends: { millis: 10 } },
  { it: "nobody waits any more", ends: { gone: AbortSignal.timeout(10) } },
  { it: "nobody waited to begin with", ends: { gone: AbortSignal.abort() } },
])("gives up when $it, and leaves nothing behind", async ({ ends }) => {
  const store = events();
  expect(await createWaiting(store).until({ ...parts, ...ends, look: async () => undefined })).toBeUndefined();
  expect(store.watching.size).toBe(0);
});

test("one credential does not take the places of all, and gets its own back", async () => {
  const store = events();
  const waiting = createWaiting(store);
  const stop = new AbortController();
  const wait = (credential: string) =>
    waiting.until({ ...parts, credential, gone: stop.signal, look: async () => undefined });
  const held = Array.from({ length: 16 }, () => wait("key_1"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(store.watching.size).toBe(16);
  expect(await wait("key_1")).toBeUndefined();
  const other = wait("key_2");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(store.watching.size).toBe(17);
  stop.abort();
  await Promise.all([...held, other]);
  expect(store.watching.size).toBe(0);
});

test("what looking throws is told to whoever waits, and the place is free again", async () => {
  const store = events();
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks > 1) throw new Error("gone");
    return undefined;
  };
  await expect(createWaiting(store).until({ ...parts, look })).rejects.toThrow("gone");
  expect(store.watching.size).toBe(0);
});
