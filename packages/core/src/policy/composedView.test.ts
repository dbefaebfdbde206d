import { expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { composeParts } from "./compose.ts";
import { composedView } from "./composedView.ts";
import { readPart } from "./readPart.ts";

const part = (scope: string, document: JsonObject, version: number) => {
  const read = readPart(document, scope, version);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

const MANDATE = { clauses: [{ id: "r", effect: "allow", match: { kind: ["file"] } }], default: "block" };
const PARTS = [
  part(
    "platform:default",
    {
      screening: { mode: "observe", trusted_sources: { addresses: ["10.0.0.0/8"] } },
      evidence: { trusted: ["feed", "desk"], max_age: { feed: "PT1H" } },
      network: { deny: ["evil.example.com"], schemes: ["https"] },
      expires: "2030-01-01T00:00:00Z",
      content: { keep: "full", for: "P30D" },
    },
    7,
  ),
  part(
    "org:acme",
    {
      mandate: MANDATE,
      spend: { ceilings: [{ value: "5", currency: "USD" }] },
      contracts: [{ id: "c", fields: { a: {} } }],
      screening: { mode: "enforce", trusted_sources: { addresses: ["10.1.0.0/16"] } },
      protected: { assets: [{ kind: "t", selector: "x" }], forbidden_operations: [{ pattern: "drop*" }] },
      tools: [{ tool: "git/push", kind: "network", verb: "push", target: "api://x" }],
      review: { sla_seconds: 600, notify: { sse: ["ann"], remind_before_seconds: 60 } },
      content: { keep: "redacted" },
    },
    2,
  ),
  part(
    "agent:a",
    {
      mandate: MANDATE,
      evidence: { trusted: ["feed"], max_age: { feed: "PT60S" } },
      protected: { forbidden_operations: [{ pattern: "DROP*", severity: "critical" }] },
      review: { sla_seconds: 60, approvers: 2, notify: { sse: ["bob"], remind_before_seconds: 30 } },
      limits: { texts: 3 },
      network: { deny: ["worse.example.com"], homographs: "block" },
      sequence: { rules: [{ id: "s", after: ["saw_untrusted"], match: { kind: ["network"] }, effect: "review" }] },
    },
    1,
  ),
];
const { policy, provenance } = composedView(PARTS, composeParts(PARTS));
const from = (path: string) =>
  provenance.filter((one) => one.path === path).map(({ scope, version }) => `${scope}@${version}`);

test("sections that are asked scope by scope stand beside each other as they were written", () => {
  expect(policy["mandate"]).toEqual([
    { scope: "org:acme", ...MANDATE },
    { scope: "agent:a", ...MANDATE },
  ]);
  expect([from("/mandate/0"), from("/mandate/1")]).toEqual([["org:acme@2"], ["agent:a@1"]]);
  expect(policy["spend"]).toMatchObject([{ scope: "org:acme" }]);
  expect(policy["limits"]).toEqual([{ scope: "agent:a", texts: 3 }]);
});

test.each([
  { path: "/screening/mode", want: ["org:acme@2"] },
  { path: "/screening/thresholds/warn", want: ["platform:default@7"] },
  { path: "/screening/trusted_sources/addresses/0", want: ["org:acme@2"] },
  { path: "/evidence/max_age/feed", want: ["agent:a@1"] },
  { path: "/evidence/trusted", want: ["platform:default@7", "agent:a@1"] },
  { path: "/protected/assets/0", want: ["org:acme@2"] },
  { path: "/protected/forbidden_operations/0", want: ["agent:a@1"] },
  { path: "/review/sla_seconds", want: ["agent:a@1"] },
  { path: "/review/approvers", want: ["agent:a@1"] },
  { path: "/review/notify/sse", want: ["org:acme@2", "agent:a@1"] },
  { path: "/review/notify/remind_before_seconds", want: ["org:acme@2"] },
  { path: "/protected/forbidden_operations/0/severity", want: ["agent:a@1"] },
  { path: "/network", want: ["platform:default@7", "agent:a@1"] },
  { path: "/network/schemes", want: ["platform:default@7"] },
  { path: "/network/deny/0", want: ["platform:default@7"] },
  { path: "/network/deny/1", want: ["agent:a@1"] },
  { path: "/network/homographs", want: ["agent:a@1"] },
  { path: "/network/resolution", want: ["platform:default@7"] },
  { path: "/tools/0", want: ["org:acme@2"] },
  { path: "/contracts/0", want: ["org:acme@2"] },
  { path: "/content/keep", want: ["org:acme@2"] },
  { path: "/content/for", want: ["platform:default@7"] },
])("$path comes from $want", ({ path, want }) => {
  expect(from(path)).toEqual(want);
});

test("a range that the platform's ceiling cut is trusted by whoever listed the wider one", () => {
  const parts = [
    part("platform:default", { screening: { mode: "observe", trusted_sources: { addresses: ["10.1.0.0/16"] } } }, 1),
    part("org:acme", { screening: { mode: "enforce", trusted_sources: { addresses: ["10.0.0.0/8"] } } }, 2),
  ];
  const view = composedView(parts, composeParts(parts));
  expect(view.provenance).toContainEqual({
    path: "/screening/trusted_sources/addresses/0",
    scope: "org:acme",
    document: "policy",
    version: 2,
  });
});

test("every pointer leads to something in the view", () => {
  for (const { path } of provenance) {
    let at: unknown = policy;
    for (const step of path.slice(1).split("/")) at = (at as Record<string, unknown> | undefined)?.[step];
    expect([path, at === undefined]).toEqual([path, false]);
  }
  expect(policy["expires"]).toEqual([{ scope: "platform:default", until: "2030-01-01T00:00:00Z" }]);
});
