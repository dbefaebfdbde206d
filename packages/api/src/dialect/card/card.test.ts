import { readFileSync } from "node:fs";
import { composedView, composeParts, type JsonObject, type JsonValue, readPart } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conflictsOf } from "./conflicts.ts";
import { readCard, readDraft } from "./readCard.ts";
import { PREVIEW_TOOL } from "./schema.ts";
import { writeComposedCard } from "./writeCard.ts";

const CARD = {
  card_version: "protection/2026-04-26",
  agent_id: "mailer",
  mode: "enforce",
  thresholds: { warn: 0.6, quarantine: 0.8, block: 0.95 },
  screen_surfaces: { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
  trusted_sources: { domains: [], agent_ids: [], ip_ranges: [] },
} as const;

const card = (scope: string, document: JsonObject) => {
  const read = readCard(document, scope, 1);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const problems = (document: JsonValue, scope = "agent:mailer") => {
  const read = readCard(document, scope, null);
  return read.ok ? [] : read.error.map(({ code, path }) => `${code} ${path}`);
};

/** As the contracts are compared: without what is ours to write. */
function structure(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value !== "object" || value === null) return value;
  const ours = ["description", "title", "examples", "$comment"];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (ours.includes(key) ? [] : [[key, structure(member)]])),
  );
}

sharedSuite("contracts", (folder) => {
  const contract = JSON.parse(readFileSync(`${folder}/card.${PREVIEW_TOOL.name}.json`, "utf8"));
  const canonical = JSON.parse(readFileSync(`${folder}/card.protection_card.json`, "utf8"));

  test("the tool is published as its contract has it", () => {
    const { name, inputSchema, outputSchema } = PREVIEW_TOOL;
    expect(JSON.stringify(structure({ name, inputSchema, outputSchema }))).toBe(JSON.stringify(contract));
  });

  test("a composed card is a card of the contract", () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(canonical.schema);
    const org = readPart({ protected: { assets: [{ kind: "a", selector: "b" }] }, review: {} }, "org:acme", 2);
    if (!org.ok) throw new Error("test data");
    const parts = [org.value, card("agent:mailer", { ...CARD, expires_at: "2030-01-01T00:00:00Z" })];
    const composed = writeComposedCard({ agent: "mailer", now: 0, parts, policy: composeParts(parts) });
    expect([validate(composed), validate.errors]).toEqual([true, null]);
  });
});

describe("a card is read", () => {
  test("with the contract's members and no others", () => {
    const full = {
      ...CARD,
      card_id: "pc-1",
      version: 3,
      content_hash: "sha256:x",
      issued_at: "2026-01-01T00:00:00Z",
      expires_at: null,
      extensions: { note: { any: ["thing"] } },
      review: {
        enabled: true,
        gate_on: { incoming: "warn", integrity: "review_needed" },
        notify: { sse: true },
        on_timeout: "reject",
        quarantine_notice: "wait",
        reviewer: { kind: "endpoint", endpoint_url: "https://r.example/" },
        sla_seconds: 60.5,
      },
      protected_surface: {
        assets: [{ kind: "table", selector: "orders", source_scope: "org:acme" }],
        forbidden_operations: [{ pattern: "drop*", applies_to: ["table:orders"], severity: "critical" }],
      },
      _composition: {},
    };
    expect(problems(full)).toEqual([]);
  });

  test.each<{ it: string; document: JsonValue; want: string }>([
    { it: "nothing that is no object", document: [], want: "card.invalid " },
    { it: "no unknown member", document: { ...CARD, treshold: {} }, want: "card.invalid /treshold" },
    { it: "no mode of before", document: { ...CARD, mode: "block" }, want: "card.invalid /mode" },
    {
      it: "no thresholds out of order",
      document: { ...CARD, thresholds: { warn: 0.9, quarantine: 0.8, block: 0.95 } },
      want: "card.thresholds /thresholds",
    },
    {
      it: "no two of three thresholds",
      document: { ...CARD, thresholds: { warn: 0.1, block: 0.2 } },
      want: "card.invalid /thresholds/quarantine",
    },
    {
      it: "no fifth surface",
      document: { ...CARD, screen_surfaces: { memory: true } },
      want: "card.invalid /screen_surfaces/memory",
    },
    {
      it: "no fourth bucket",
      document: { ...CARD, trusted_sources: { urls: [] } },
      want: "card.invalid /trusted_sources/urls",
    },
    {
      it: "no wildcard",
      document: { ...CARD, trusted_sources: { domains: ["*.example.com"] } },
      want: "card.trusted_source /trusted_sources/domains/0",
    },
    {
      it: "no endpoint of a model",
      document: { ...CARD, trusted_sources: { domains: ["API.openai.com"] } },
      want: "card.trusted_source /trusted_sources/domains/0",
    },
    {
      it: "not everybody",
      document: { ...CARD, trusted_sources: { ip_ranges: ["0.0.0.0/0"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "not half of everybody",
      document: { ...CARD, trusted_sources: { ip_ranges: ["128.0.0.0/1"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "no IPv6 everybody",
      document: { ...CARD, trusted_sources: { ip_ranges: ["::/0"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "no link-local range",
      document: { ...CARD, trusted_sources: { ip_ranges: ["fe80::/64"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "no octet of 256",
      document: { ...CARD, trusted_sources: { ip_ranges: ["10.0.256.0/24"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "no address without a prefix",
      document: { ...CARD, trusted_sources: { ip_ranges: ["10.1.2.3"] } },
      want: "card.trusted_source /trusted_sources/ip_ranges/0",
    },
    {
      it: "no agent of another form",
      document: { ...CARD, trusted_sources: { agent_ids: ["mailer-1"] } },
      want: "card.invalid /trusted_sources/agent_ids/0",
    },
    {
      it: "no pattern that nothing can match",
      document: { ...CARD, protected_surface: { forbidden_operations: [{ pattern: "(a|b) *" }] } },
      want: "protected.unenforceable /protected_surface/forbidden_operations/0/pattern",
    },
    { it: "no card of another agent", document: { ...CARD, agent_id: "other" }, want: "card.agent /agent_id" },
    {
      it: "no extension under a taken name",
      document: { ...CARD, extensions: { "mnemom.x": 1 } },
      want: "card.extension /extensions",
    },
    {
      it: "no day that does not exist",
      document: { ...CARD, expires_at: "2026-02-30T00:00:00Z" },
      want: "policy.time /expires_at",
    },
    {
      it: "no reviewer without an address",
      document: { ...CARD, review: { enabled: true, reviewer: { kind: "endpoint" } } },
      want: "card.reviewer /review/reviewer/endpoint_url",
    },
    {
      it: "nothing without a mode at an agent",
      document: { card_version: "a/1", agent_id: "mailer" },
      want: "card.invalid /mode",
    },
  ])("with $it", ({ document, want }) => {
    expect(problems(document)).toEqual([want]);
  });

  test("as a template without what only an agent's card needs", () => {
    expect(problems({}, "org:acme")).toEqual([]);
    expect(problems({ mode: "nudge" }, "platform:default")).toEqual([]);
  });

  test("or refused, whatever it is, and nothing throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof readCard(value as JsonValue, "agent:mailer", null).ok).toBe("boolean");
        expect(typeof readDraft(value as JsonValue).ok).toBe("boolean");
      }),
    );
  });
});

describe("what the scopes above tighten", () => {
  const list = (draft: JsonObject, ...above: [string, JsonObject][]) =>
    conflictsOf(
      card("agent:mailer", { ...CARD, ...draft }),
      above.map(([scope, document]) => card(scope, document)),
    );

  test("is nothing where the draft weakens nothing", () => {
    expect(list({}, ["org:acme", { mode: "nudge", thresholds: { warn: 0.7, quarantine: 0.9, block: 1 } }])).toEqual([]);
  });

  test("is listed with who won, in the order of the card", () => {
    const draft = {
      mode: "observe",
      thresholds: { warn: 0.6, quarantine: 0.9, block: 0.95 },
      screen_surfaces: { incoming: false, outgoing: true, tool_calls: true, tool_responses: true },
      review: { enabled: false, gate_on: { incoming: "block" }, sla_seconds: 3600, on_timeout: "release" },
      protected_surface: { forbidden_operations: [{ pattern: "DROP*", severity: "low", applies_to: ["t:a"] }] },
    };
    const found = list(
      draft,
      ["platform:default", { mode: "nudge", review: { enabled: true, sla_seconds: 60 } }],
      [
        "org:acme",
        {
          mode: "enforce",
          thresholds: { warn: 0.7, quarantine: 0.8, block: 0.99 },
          screen_surfaces: { incoming: true, outgoing: false, tool_calls: false, tool_responses: false },
          review: { enabled: true, gate_on: { incoming: "warn" }, on_timeout: "reject" },
          protected_surface: { forbidden_operations: [{ pattern: "drop*", severity: "critical" }] },
        },
      ],
    );
    expect(found.map(({ field, from, to, won_by }) => [field, from, to, won_by])).toEqual([
      ["mode", "observe", "enforce", "org:acme"],
      ["thresholds.quarantine", 0.9, 0.8, "platform:default"],
      ["screen_surfaces.incoming", false, true, "platform:default"],
      ["protected_surface.forbidden_operations.DROP*.severity", "low", "critical", "org:acme"],
      ["protected_surface.forbidden_operations.DROP*.applies_to", "t:a", "*", "org:acme"],
      ["review.enabled", false, true, "platform:default"],
      ["review.gate_on.incoming", "block", "warn", "org:acme"],
      ["review.sla_seconds", 3600, 60, "platform:default"],
      ["review.on_timeout", "release", "reject", "org:acme"],
    ]);
  });

  test("names who said it, also where the draft itself says more of something else", () => {
    const draft = {
      protected_surface: {
        forbidden_operations: [
          { pattern: "drop*", severity: "low" },
          { pattern: "purge", applies_to: ["t:a", "T:A"] },
        ],
        escalation_required: [{ pattern: "truncate" }],
      },
    };
    const found = list(
      draft,
      [
        "platform:default",
        {
          mode: "off",
          protected_surface: {
            forbidden_operations: [
              { pattern: "DROP*", severity: "critical", applies_to: ["t:a"] },
              { pattern: "truncate" },
              { pattern: "purge", applies_to: ["t:b"] },
            ],
          },
        },
      ],
      ["org:acme", { mode: "off" }],
    );
    expect(found.map(({ field, from, to, won_by }) => [field, from, to, won_by])).toEqual([
      ["protected_surface.forbidden_operations.drop*.severity", "low", "critical", "platform:default"],
      ["protected_surface.forbidden_operations.purge.applies_to", "t:a T:A", "t:b t:a", "platform:default"],
      ["protected_surface.escalation_required.truncate", "escalated", "forbidden", "platform:default"],
    ]);
  });

  test("an empty list of the platform is no ceiling, and one that lists is", () => {
    const draft = {
      trusted_sources: { domains: ["a.example.com"], agent_ids: ["mnm-helper"], ip_ranges: ["192.168.0.0/16"] },
    };
    expect(list(draft, ["platform:default", { mode: "off" }])).toEqual([]);
    const platform = { mode: "off", trusted_sources: { domains: ["a.example.com"], ip_ranges: ["10.0.0.0/8"] } };
    expect(list(draft, ["platform:default", platform])).toMatchObject([
      { field: "trusted_sources.ip_ranges", from: "192.168.0.0/16", to: null, won_by: "platform:default" },
    ]);
  });
});

test("of the two documents of a scope the one is named that says it", () => {
  const native = readPart({ protected: { forbidden_operations: [{ pattern: "purge" }] } }, "org:acme", 3);
  if (!native.ok) throw new Error("test data");
  const own = readCard(
    { protected_surface: { assets: [{ kind: "t", selector: "x" }], forbidden_operations: [{ pattern: "drop*" }] } },
    "org:acme",
    7,
  );
  if (!own.ok) throw new Error("test data");
  const parts = [native.value, own.value];
  const { provenance } = composedView(parts, composeParts(parts));
  const from = (path: string) => provenance.find((one) => one.path === path);
  expect(from("/protected/assets/0")).toMatchObject({ scope: "org:acme", document: "card", version: 7 });
  expect(from("/protected/forbidden_operations/0")).toMatchObject({ document: "policy", version: 3 });
  expect(from("/protected/forbidden_operations/1")).toMatchObject({ document: "card", version: 7 });
  expect(from("/protected/forbidden_operations/1/severity")).toMatchObject({ document: "card", version: 7 });
});

test("an expired card blocks its agent", () => {
  const policy = composeParts([card("agent:mailer", { ...CARD, expires_at: "2026-01-01T00:00:00Z" })]);
  expect(policy.expiries).toHaveLength(1);
});
