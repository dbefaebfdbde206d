import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Action, Material } from "../action/action.ts";
import { readPolicy } from "../policy/readPolicy.ts";
import { samePolicy } from "../policy/source.ts";
import { nodeSha256 as sha256 } from "../testing.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Actor } from "./ledger/change.ts";
import { createMemoryStore } from "./memory/memoryStore.ts";
import type { Store } from "./ports.ts";
import { createSessions, SESSION_LASTS, type Sessions } from "./sessions.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const policy = readPolicy(
  {
    mandate: { clauses: [{ id: "all", effect: "allow", match: { kind: ["file", "network"] } }], default: "block" },
    sequence: { rules: [{ id: "out", after: ["saw_untrusted"], match: { kind: ["network"] }, effect: "block" }] },
  },
  "org:acme",
);
if (!policy.ok) throw new Error("test data");

const READ: Action = { kind: "file", verb: "read", target: "/work/x" };
const SEND: Action = { kind: "network", verb: "post", target: "https://out.example.com/" };
const MAIL: Material = { texts: [{ surface: "incoming", text: "good day", source: "mail" }] };
const proxy = { kind: "enforcer", id: "proxy", credential: "key_1" } as const;

let at: number;
let store: Store;
let sessions: Sessions;
let gate: Gate;

beforeEach(() => {
  at = 1_800_000_000_000;
  const clock = () => at;
  store = createMemoryStore({ clock, random, sha256 });
  sessions = createSessions({ store, clock, random });
  gate = createGate({
    ledger: store,
    policies: samePolicy(policy.value),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: null,
    clock,
    random,
    sha256,
    engine: "test/1",
    issuer: "gate",
    holds: null,
    content: "none",
    sessions,
  });
});

const open = async (agent = "a", by: Actor = proxy): Promise<string> => {
  const opened = await sessions.open({ tenant: "acme", agent, by });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value.id;
};
interface From {
  readonly session?: string;
  readonly credential?: string;
  readonly agent?: string;
}
async function ask(action: Action, { session, credential = "key_1", agent = "a" }: From, material?: Material) {
  const answer = await gate.decide({
    principal: { tenant: "acme", agent, teams: [], credential },
    action,
    ...(session === undefined ? {} : { session }),
    ...(material === undefined ? {} : { material }),
  });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}

describe("a session that the gate gave out", () => {
  test("is judged by what was done in it, and the credential by all that it did", async () => {
    const [one, two] = [await open(), await open()];
    await ask(READ, { session: one }, MAIL);
    expect((await ask(SEND, { session: one })).verdict).toBe("block");
    expect((await ask(SEND, { session: two })).verdict).toBe("allow");
    expect((await ask(SEND, {})).verdict).toBe("block");
    expect((await ask(SEND, { session: "made-up" })).verdict).toBe("block");
  });

  test("does not look at what its credential did outside of it", async () => {
    await ask(READ, {}, MAIL);
    expect((await ask(SEND, { session: await open() })).verdict).toBe("allow");
  });

  test.each([
    {
      it: "a name of the right form that nobody gave out",
      from: () => ({ session: `ses_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}` }),
    },
    {
      it: "one of another credential",
      from: async () => ({ session: await open("a", { ...proxy, credential: "key_2" }) }),
    },
    { it: "one of another agent", from: async () => ({ session: await open("b") }) },
    {
      it: "one that is over",
      from: async () => {
        const session = await open();
        at += SESSION_LASTS;
        await ask(READ, {}, MAIL);
        return { session };
      },
    },
  ])("narrows nothing: $it", async ({ from }) => {
    const named = await from();
    await ask(READ, {}, MAIL);
    expect((await ask(SEND, named)).verdict).toBe("block");
  });

  test.each([
    { it: "an agent", by: { kind: "agent", id: "a", credential: "key_1" } as const },
    { it: "a person", by: { kind: "person", id: "p", credential: "key_1" } as const },
    { it: "an enforcer without a credential", by: { kind: "enforcer", id: "proxy" } as const },
  ])("is given to no one but an enforcer: not to $it", async ({ by }) => {
    expect(await sessions.open({ tenant: "acme", agent: "a", by })).toMatchObject({
      ok: false,
      error: { code: "actor.not_allowed" },
    });
  });

  test("is another tenant's to nobody", async () => {
    const session = await open();
    expect(await sessions.isOwn({ tenant: "umbrella", agent: "a", teams: [], credential: "key_1" }, session)).toEqual({
      ok: true,
      value: false,
    });
  });

  test("stands in the log, and in the record of each decision that it narrowed", async () => {
    const session = await open();
    const [narrowed, plain] = [await ask(SEND, { session }), await ask(SEND, { session: "made-up" })];
    const record = async (ref: string) => {
      const about = await store.entriesAbout("acme", ref);
      return about.ok ? JSON.parse(about.value[0]?.record ?? "{}") : {};
    };
    expect(await record(session)).toMatchObject({ kind: "session.open", body: { agent: "a", credential: "key_1" } });
    expect((await record(narrowed.id)).body.decision.session).toBe(session);
    expect((await record(plain.id)).body.decision).not.toHaveProperty("session");
  });

  test("and asks at the same time are judged as if one came after the other", async () => {
    const session = await open();
    const [, sent] = await Promise.all([ask(READ, { session }, MAIL), ask(SEND, { session })]);
    const seq = async (id: string) => {
      const found = await store.decision("acme", id);
      return found.ok ? (found.value?.seq ?? -1) : -1;
    };
    const others = await store.decisions("acme", { agents: null, limit: 9 });
    const read = others.ok ? others.value.items.find(({ id }) => id !== sent.id) : undefined;
    expect(sent.verdict).toBe((await seq(sent.id)) < (read?.seq ?? 0) ? "allow" : "block");
  });
});

test("a gate that cannot look a session up decides nothing", async () => {
  const session = await open();
  const broken = { isOwn: async () => ({ ok: false, error: { code: "store.unavailable", message: "gone" } }) as const };
  const other = createGate({
    ledger: store,
    policies: samePolicy(policy.value),
    sources: [],
    deadline: () => new Promise(() => {}),
    signer: null,
    clock: () => at,
    random,
    sha256,
    engine: "test/1",
    issuer: "gate",
    holds: null,
    content: "none",
    sessions: broken,
  });
  const principal = { tenant: "acme", agent: "a", teams: [], credential: "key_1" };
  expect(await other.decide({ principal, action: READ, session })).toMatchObject({
    ok: false,
    error: { code: "store.unavailable" },
  });
});
