import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { asksWithin } from "../check/limits.ts";
import type { Seconds } from "../time/duration.ts";
import { instantFromMillis } from "../time/instant.ts";
import { asksFacts } from "./asksFacts.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";
import type { Rates } from "./ports.ts";

const NOW = instantFromMillis(1_800_000_000_000);
const MINUTE = asksWithin("a", 60 as Seconds);
const ask = (agent = "a") => ({ asker: { tenant: "acme", agent, teams: [] } });

function counting(at = { now: 1_800_000_000_000 }) {
  const store = createMemoryStore({
    clock: () => at.now,
    random: (length) => new Uint8Array(randomBytes(length)),
    sha256: (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest()),
  });
  const source = asksFacts(store);
  return async (of = ask(), key = MINUTE) => (await source.gather(of, [key], NOW))[0]?.fact;
}

test("an ask counts once, however often it is gathered", async () => {
  const count = counting();
  const one = ask();
  for (let i = 0; i < 3; i += 1) expect(await count(one)).toMatchObject({ state: "known", value: 1 });
  expect(await count(ask())).toMatchObject({ value: 2 });
});

test("agents and windows are counted apart, and a window ends", async () => {
  const at = { now: 1_800_000_000_000 };
  const count = counting(at);
  await count();
  expect(await count(ask("b"), asksWithin("b", 60 as Seconds))).toMatchObject({ value: 1 });
  expect(await count(ask(), asksWithin("a", 10 as Seconds))).toMatchObject({ value: 1 });
  at.now += 60_000;
  expect(await count()).toMatchObject({ value: 1 });
});

test("what cannot be counted is unknown", async () => {
  const failing: Rates = { hit: async () => ({ ok: false, error: { code: "store.busy", message: "busy" } }) };
  const [found] = await asksFacts(failing).gather(ask(), [MINUTE], NOW);
  expect(found?.fact.state).toBe("unknown");
  const [strange] = await asksFacts(failing).gather(ask(), [{ fact: "asks", of: "{" }], NOW);
  expect(strange?.fact.state).toBe("unknown");
});
