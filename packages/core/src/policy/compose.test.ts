import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { composeParts } from "./compose.ts";
import { KEEPINGS } from "./effective.ts";
import { readPart } from "./readPart.ts";

const part = (scope: string, document: JsonObject, version: number | null = null) => {
  const read = readPart(document, scope, version);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const composed = (...documents: [string, JsonObject][]) =>
  composeParts(documents.map(([scope, document]) => part(scope, document)));

const PLATFORM = "platform:default";
const ORG = "org:acme";
const AGENT = "agent:shopper";

describe("whom to trust", () => {
  const trust = (sources: JsonObject) => ({ screening: { mode: "enforce", trusted_sources: sources } });
  test.each<{ it: string; platform: JsonObject | null; org: JsonObject; want: readonly string[] }>([
    {
      it: "nobody, where no document of the platform lets anybody through",
      platform: null,
      org: { addresses: ["10.0.0.0/8"] },
      want: [],
    },
    {
      it: "nobody, where the platform lists nobody",
      platform: {},
      org: { addresses: ["10.0.0.0/8"] },
      want: [],
    },
    {
      it: "whom the organisation names, where the platform writes that there is no ceiling",
      platform: { ceiling: "none" },
      org: { addresses: ["10.0.0.0/8"], domains: ["mail.example.com"], agents: ["helper"] },
      want: ["helper", "mail.example.com", "10.0.0.0/8"],
    },
    {
      it: "a range within the ceiling",
      platform: { addresses: ["10.0.0.0/8"] },
      org: { addresses: ["10.1.0.0/16"] },
      want: ["10.1.0.0/16"],
    },
    {
      it: "the ceiling itself, where the range is wider",
      platform: { addresses: ["10.1.0.0/16", "10.2.0.0/16"] },
      org: { addresses: ["10.0.0.0/8"] },
      want: ["10.1.0.0/16", "10.2.0.0/16"],
    },
    {
      it: "no range beside the ceiling",
      platform: { addresses: ["10.0.0.0/8"] },
      org: { addresses: ["192.168.0.0/16", "fd00::/8"] },
      want: [],
    },
    {
      it: "an IPv6 range within an IPv6 ceiling",
      platform: { addresses: ["fd00::/8"] },
      org: { addresses: ["fd12::/16"] },
      want: ["fd12::/16"],
    },
  ])("$it", ({ platform, org, want }) => {
    const { trusted } = composed(
      ...(platform === null ? [] : ([[PLATFORM, trust(platform)]] as [string, JsonObject][])),
      [ORG, trust(org)],
    );
    expect([...trusted.agents, ...trusted.domains, ...trusted.addresses]).toEqual(want);
  });

  test("the platform's own list is a ceiling and trusts nobody by itself", () => {
    expect(composed([PLATFORM, trust({ agents: ["helper"] })]).trusted.agents).toEqual([]);
  });
});

test("screening: the strictest mode, the lowest of each threshold, every surface that anybody names", () => {
  const { screening } = composed(
    [
      PLATFORM,
      {
        screening: {
          mode: "observe",
          thresholds: { warn: 0.5, quarantine: 0.9, block: 0.95 },
          surfaces: { incoming: true, outgoing: false, tool_calls: false, tool_responses: false },
        },
      },
    ],
    [
      AGENT,
      {
        screening: {
          mode: "nudge",
          thresholds: { warn: 0.6, quarantine: 0.7, block: 1 },
          surfaces: { incoming: false, outgoing: false, tool_calls: true, tool_responses: false },
        },
      },
    ],
  );
  expect(screening).toEqual({
    mode: "nudge",
    thresholds: { warn: 0.5, quarantine: 0.7, block: 0.95 },
    surfaces: { incoming: true, outgoing: false, tool_calls: true, tool_responses: false },
  });
});

test("protected: by pattern, the higher severity, and everything where either applies to everything", () => {
  const { protection } = composed(
    [
      ORG,
      {
        protected: {
          assets: [{ kind: "table", selector: "Orders" }],
          forbidden_operations: [{ pattern: "drop*", severity: "medium", applies_to: ["table:orders"] }],
          escalation_required: [{ pattern: "truncate" }, { pattern: "alter", applies_to: ["table:orders"] }],
        },
      },
    ],
    [
      AGENT,
      {
        protected: {
          assets: [{ kind: "TABLE", selector: "orders" }],
          forbidden_operations: [{ pattern: "DROP*", severity: "critical" }, { pattern: "truncate" }],
          escalation_required: [{ pattern: "alter", applies_to: ["table:users"] }],
        },
      },
    ],
  );
  expect(protection.assets).toHaveLength(1);
  expect(protection.forbidden).toMatchObject([
    { pattern: "drop*", severity: "critical", appliesTo: null, scope: AGENT },
    { pattern: "truncate", scope: AGENT },
  ]);
  expect(protection.escalations).toMatchObject([{ pattern: "alter", appliesTo: ["table:orders", "table:users"] }]);
});

describe("review", () => {
  const HOOK_A = "hook_01900000-0000-7000-8000-00000000000a";
  const HOOK_B = "hook_01900000-0000-7000-8000-00000000000b";

  test("the lowest band, the shortest time, and two people where anybody asks for two", () => {
    const { review } = composed(
      [
        ORG,
        {
          review: {
            gate_on: { incoming: "block" },
            sla_seconds: 3600,
            notify: { sse: true, webhooks: [HOOK_A], remind_before_seconds: 60 },
          },
        },
      ],
      [
        AGENT,
        {
          review: {
            gate_on: { incoming: "warn", outgoing: "off" },
            sla_seconds: 90,
            approvers: 2,
            notify: { sse: ["ann"], webhooks: [HOOK_A, HOOK_B], remind_before_seconds: 30 },
          },
        },
      ],
    );
    expect(review).toMatchObject({
      enabled: true,
      gateOn: { incoming: "warn", outgoing: "off", tool_calls: "quarantine" },
      sla: 90,
      approvers: 2,
      notify: { sse: { everyone: true }, webhooks: { only: [HOOK_A, HOOK_B] }, remindBefore: 60 },
    });
  });

  test("stays on where a scope names a band and does not switch it off", () => {
    const enabled = (...reviews: JsonObject[]) =>
      composed(...reviews.map((review, at): [string, JsonObject] => [[PLATFORM, ORG, AGENT][at] ?? "", { review }]))
        .review?.enabled;
    expect(enabled({ gate_on: { incoming: "warn" } })).toBe(true);
    expect(enabled({ gate_on: { incoming: "warn" } }, { enabled: false })).toBe(true);
    expect(enabled({ gate_on: { incoming: "warn" }, enabled: false }, { sla_seconds: 60 })).toBe(false);
    expect(enabled({ on_timeout: "release" }, { enabled: false })).toBe(false);
    expect(enabled({ on_timeout: "release" })).toBe(true);
  });

  test.each([
    { it: "not at all where the platform says nothing", platform: undefined, agent: "release", want: "reject" },
    { it: "where the platform lets it and nobody objects", platform: "release", agent: undefined, want: "release" },
    { it: "not where a later scope objects", platform: "release", agent: "reject", want: "reject" },
    { it: "not where the platform rejects", platform: "reject", agent: "release", want: "reject" },
  ])("the clock lets a text go $it", ({ platform, agent, want }) => {
    const review = (onTimeout: string | undefined) => ({
      review: onTimeout === undefined ? {} : { on_timeout: onTimeout },
    });
    expect(composed([PLATFORM, review(platform)], [AGENT, review(agent)]).review?.onTimeout).toBe(want);
  });
});

test("a tool is mapped by the scope nearest the platform", () => {
  const tool = (name: string, verb: string) => ({ tool: name, kind: "network", verb, target: "api://x" });
  const { tools } = composed(
    [ORG, { tools: [tool("git/push", "push")] }],
    [AGENT, { tools: [tool("git/push", "read"), tool("git/log", "read")] }],
  );
  expect(tools.map(({ tool: name, verb }) => `${name} ${verb}`)).toEqual(["git/push push", "git/log read"]);
});

test("a first document without network leaves the shipped rules, which a later one cannot widen", () => {
  const wide = { network: { internal: { addresses: ["10.0.0.0/8"] } } };
  expect(composed([ORG, wide]).network?.internal.addresses).toEqual(["10.0.0.0/8"]);
  expect(composed([PLATFORM, {}], [ORG, wide]).network?.internal.addresses).toEqual([]);
});

describe("the digest", () => {
  test("of one document is its own", () => {
    const one = part(ORG, {});
    expect(composeParts([one]).digest).toBe(one.digest);
  });

  test("changes with each document, with their order, and with an exemption", () => {
    const [a, b] = [part(ORG, {}), part(AGENT, {})];
    const digests = [composeParts([a]), composeParts([a, b]), composeParts([b, a]), composeParts([a, b], ["exm_1"])];
    expect(new Set(digests.map(({ digest }) => digest)).size).toBe(4);
  });

  test("names the documents it was made of, with their versions", () => {
    const both = composeParts([part(ORG, {}, 3), part(AGENT, {}, 1)]);
    expect(both.sources).toMatchObject([
      { scope: ORG, version: 3 },
      { scope: AGENT, version: 1 },
    ]);
  });
});

test("only the platform lets verdicts stop nothing, and only until a time", () => {
  const until = "2027-01-31T00:00:00Z";
  expect(composed([PLATFORM, { observe_until: until }], [ORG, {}]).enforcement).not.toBe("enforce");
  const read = readPart({ observe_until: until }, ORG);
  expect(read.ok ? [] : read.error.map(({ code }) => code)).toEqual(["policy.scope"]);
});

describe("what is kept of what was asked", () => {
  const kept = (keep: string, lasts?: string): JsonObject => ({
    content: { keep, ...(lasts === undefined ? {} : { for: lasts }) },
  });
  test.each<{ it: string; documents: [string, JsonObject][]; want: unknown }>([
    { it: "is the gate's to say, where no scope says", documents: [[PLATFORM, {}]], want: null },
    {
      it: "is the least that any scope says, for the shortest time",
      documents: [
        [PLATFORM, kept("full", "P30D")],
        [ORG, kept("redacted", "P60D")],
        [AGENT, kept("full", "P1D")],
      ],
      want: { keep: "redacted", for: 86_400 },
    },
    {
      it: "is not loosened by a later scope",
      documents: [
        [PLATFORM, kept("none")],
        [AGENT, kept("full", "P90D")],
      ],
      want: { keep: "none", for: 7_776_000 },
    },
  ])("$it", ({ documents, want }) => {
    expect(composed(...documents).content).toEqual(want);
  });

  const rules = fc.record({ keep: fc.constantFrom(...KEEPINGS), for: fc.constantFrom("PT1H", "P1D", "P30D") });
  test("A later scope never loosens what is kept.", () => {
    fc.assert(
      fc.property(rules, rules, (earlier, later) => {
        const shorter = composed([ORG, { content: earlier }]).content;
        const longer = composed([ORG, { content: earlier }], [AGENT, { content: later }]).content;
        if (shorter === null || longer === null) throw new Error("both documents say what is kept");
        expect(KEEPINGS.indexOf(longer.keep)).toBeGreaterThanOrEqual(KEEPINGS.indexOf(shorter.keep));
        expect(longer.for).toBeLessThanOrEqual(shorter.for ?? 0);
      }),
    );
  });

  test.each<{ it: string; section: JsonObject }>([
    { it: "without saying how much", section: { for: "P1D" } },
    { it: "in a word that is not known", section: { keep: "some" } },
    { it: "for no time", section: { keep: "full", for: "PT0S" } },
    { it: "for longer than ten years", section: { keep: "full", for: "P4000D" } },
  ])("is not written $it", ({ section }) => {
    expect(readPart({ content: section }, ORG).ok).toBe(false);
  });
});
