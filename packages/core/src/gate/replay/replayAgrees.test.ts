import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readPolicy } from "../../policy/readPolicy.ts";
import type { PolicySource } from "../../policy/source.ts";
import type { ReplayWatch } from "../../testing/replayAgrees.ts";
import type { ContentKeeping } from "../draft.ts";
import { createGate } from "../gate.ts";
import { createMemoryStore } from "../memory/memoryStore.ts";

/** Set up for every test file of the repository. */
const watch = (globalThis as { [name: symbol]: unknown })[Symbol.for("countersign.replays")] as ReplayWatch;
const random = (length: number) => new Uint8Array(randomBytes(length));
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

const policyOf = (prefix: string) => {
  const clause = { id: "reads", effect: "allow", match: { kind: ["file"], target_prefix: [prefix] } };
  const read = readPolicy({ mandate: { clauses: [clause], default: "block" } }, "org:acme");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

async function decideUnder(policies: PolicySource, content: ContentKeeping, names = random) {
  const clock = () => 1_800_000_000_000;
  const gate = createGate({
    ledger: createMemoryStore({ clock, random, sha256 }),
    policies,
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: null,
    clock,
    random: names,
    sha256,
    engine: "test/1",
    issuer: "gate",
    holds: null,
    content,
  });
  const principal = { tenant: "acme", agent: "a", teams: [], credential: "key_1" };
  const answer = await gate.decide({ principal, action: { kind: "file", verb: "read", target: "/work/a" } });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}

describe("Replay agrees: every decision that a test makes is made again", () => {
  test.each<{ it: string; content: ContentKeeping }>([
    { it: "where all of it is kept", content: { keep: "full", keepFor: null } },
    { it: "where it is redacted", content: { keep: "redacted", keepFor: null } },
    { it: "where nothing is kept", content: "none" },
  ])("$it", async ({ content }) => {
    const before = watch.decisions;
    await decideUnder({ effective: async () => ({ ok: true, value: policyOf("/work/") }) }, content);
    expect(watch.decisions).toBe(before + 1);
    expect(watch.disagreements).toEqual([]);
  });

  test("and one that is another the second time is noticed", async () => {
    const [first, later] = [policyOf("/work/"), policyOf("/home/")];
    let judged = false;
    const planted = Object.defineProperty({ ...first }, "mandates", {
      enumerable: true,
      get: () => (judged ? later : first).mandates,
    });
    // A decision is named after it was judged; whoever looks at the mandate from then on sees another one.
    const named = (length: number) => {
      judged = true;
      return random(length);
    };
    const answer = await decideUnder({ effective: async () => ({ ok: true, value: planted }) }, "none", named);
    expect(answer.verdict).toBe("allow");
    expect(watch.disagreements.splice(0)).toEqual([expect.stringMatching(/^dec_.* was .*"allow".*, and is .*"block"/)]);
  });
});
