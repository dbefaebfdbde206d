import { afterEach, expect, vi } from "vitest";
import type { ReplayWatch } from "./replayAgrees.ts";

/**
 * Law *replay agrees*, over every decision that the test suites make in their own process: each is decided again from
 * what an export of it would hold, as it is drafted. Only tests load this; the gate knows nothing of it.
 */
const watch: ReplayWatch = { decisions: 0, disagreements: [] };
Object.assign(globalThis, { [Symbol.for("countersign.replays")]: watch });

vi.mock("../gate/gate.ts", async (original) => {
  const { watchedGate } = await import("./replayAgrees.ts");
  const module = await original<typeof import("../gate/gate.ts")>();
  return { ...module, createGate: watchedGate(module.createGate) };
});

vi.mock("../gate/draft.ts", async (original) => {
  const { watchedDraft } = await import("./replayAgrees.ts");
  const module = await original<typeof import("../gate/draft.ts")>();
  return { ...module, draftDecision: watchedDraft(module.draftDecision, watch) };
});

afterEach(() => {
  const disagreements = watch.disagreements.splice(0);
  expect(disagreements, "Replay agrees: a decision of this test is another when it is made again").toEqual([]);
});
