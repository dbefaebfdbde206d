import fc from "fast-check";
import { SURFACES } from "../action/action.ts";
import type { JsonObject } from "../json/value.ts";
import type { SectionName } from "../policy/readPart.ts";

export const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
export const record = (shape: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(shape, { requiredKeys });

const kinds = some("file", "network", "transaction");
const match = record(
  {
    kind: kinds,
    verb: some("read", "send", "pay"),
    target_prefix: some("/work/", "https://api.example.com/", "/work/secret/", "/"),
    counterparty: some("shop", "other"),
    max_amount: fc.constantFrom({ value: "5", currency: "USD" }, { value: "50", currency: "USD" }),
  },
  ["kind"],
);
const byIndex = (items: JsonObject[]) => items.map((item, index) => ({ ...item, id: `c${index}` }));
const unit = fc.constantFrom(0, 0.3, 0.6, 0.8, 0.95, 1);

/** Every section, with small worlds of values so that documents meet. */
export const POLICY_SECTIONS: Record<SectionName, fc.Arbitrary<unknown>> = {
  mandate: record(
    {
      clauses: fc
        .array(record({ effect: fc.constantFrom("allow", "review", "block"), match }, ["effect", "match"]), {
          minLength: 1,
          maxLength: 3,
        })
        .map((items) => byIndex(items as JsonObject[])),
      requires_human: some("transaction", "network"),
      default: fc.constantFrom("block", "review"),
      expires: fc.constantFrom("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
    },
    ["clauses", "default"],
  ),
  spend: record({
    ceilings: fc.constantFrom([{ value: "5", currency: "USD" }], [{ value: "50", currency: "EUR" }]),
    budgets: fc.constantFrom([{ id: "b", per: "agent", window: { rolling: "P1D" }, currency: "USD", max: "12" }]),
    counterparties: record({ allow: some("shop", "other"), deny: some("shop", "third") }),
    amount_required: some("transaction", "file"),
    other_currencies: fc.constantFrom("block", "allow"),
  }),
  evidence: record({
    required: fc.boolean(),
    trusted: some("feed", "desk"),
    max_age: fc.constantFrom({ feed: "PT60S" }, { feed: "P1D", desk: "PT1H" }),
  }),
  contracts: fc.constantFrom(
    [{ id: "c", fields: { a: { type: "number", min: 1 } } }],
    [{ id: "c", fields: { a: { type: "string" } }, required_for: ["file"] }],
    [{ id: "s", schema: { required: ["z"] }, required_for: ["network"] }],
  ),
  screening: record(
    {
      mode: fc.constantFrom("off", "observe", "nudge", "enforce"),
      thresholds: fc
        .tuple(unit, unit, unit)
        .map((three) => three.sort((a, b) => a - b))
        .map(([warn, quarantine, block]) => ({ warn, quarantine, block })),
      surfaces: record(Object.fromEntries(SURFACES.map((surface) => [surface, fc.boolean()]))),
    },
    ["mode"],
  ),
  protected: record({
    assets: fc.constantFrom([{ kind: "file", selector: "a" }]),
    forbidden_operations: fc.array(
      record(
        {
          pattern: fc.constantFrom("read", "SEND *", "*", "pay:urgent", "read /work/*"),
          applies_to: some("file:a", "file:b"),
          severity: fc.constantFrom("low", "critical"),
        },
        ["pattern"],
      ),
      { maxLength: 2 },
    ),
    escalation_required: fc.array(
      record({ pattern: fc.constantFrom("read", "send*", "*"), applies_to: some("file:a", "file:c") }, ["pattern"]),
      { maxLength: 2 },
    ),
  }),
  review: record({
    enabled: fc.boolean(),
    gate_on: record(
      Object.fromEntries(SURFACES.map((surface) => [surface, fc.constantFrom("off", "warn", "quarantine", "block")])),
    ),
    on_timeout: fc.constantFrom("reject", "release"),
    sla_seconds: fc.constantFrom(60, 3600),
    approvers: fc.constantFrom(1, 2),
    notify: record({
      sse: fc.constantFrom<unknown>(true, false, ["ann"], ["ann", "bob"]),
      webhooks: fc.boolean(),
    }),
  }),
  network: record({
    schemes: some("https", "http"),
    ports: some(80, 443, 5432),
    allow: some("api.example.com", "*.example.com", "*.example.org"),
    deny: some("api.example.com", "*.example.org"),
    internal: fc.constantFrom({ addresses: ["10.0.0.0/8"] }, { addresses: ["10.1.0.0/16"], names: ["intranet.corp"] }),
    raw_public_address: fc.constantFrom("allow", "review", "block"),
    unlisted_suffixes: fc.constantFrom("allow", "review", "block"),
    homographs: fc.constantFrom("allow", "review", "block"),
  }),
  tools: fc.constantFrom(
    [{ tool: "git/push", kind: "network", verb: "push", target: "api://repo/{/name}" }],
    [{ tool: "git/push", kind: "file", verb: "write", target: "/repo/{/name}" }],
  ),
  sequence: record(
    {
      marks: fc.constantFrom([{ mark: "seen_mail", texts: { surfaces: ["incoming"], sources: ["mail"] } }]),
      rules: fc
        .array(
          record(
            {
              after: some("read_private", "saw_untrusted"),
              match,
              effect: fc.constantFrom("review", "block"),
              within: fc.constantFrom("PT1H", "PT1M"),
            },
            ["after", "match", "effect"],
          ),
          { minLength: 1, maxLength: 2 },
        )
        .map((items) => byIndex(items as JsonObject[])),
    },
    ["rules"],
  ),
  trade: record({
    ceilings_usd: fc.constantFrom(["1", "2", "3"]),
    max_slippage_bps: fc.constantFrom(0, 500),
    unregistered: fc.constantFrom("denied", "allowed_when_safe"),
  }),
  content: record({ keep: fc.constantFrom("full", "redacted", "none"), for: fc.constantFrom("PT1H", "P1D", "P30D") }, [
    "keep",
  ]),
  limits: record({
    asks: fc.constantFrom([{ max: 5, within: "PT1M" }], [{ max: 50, within: "PT1M" }]),
    texts: fc.constantFrom(0, 1, 9),
    text_length: fc.constantFrom(10, 1000),
    parameters_length: fc.constantFrom(4, 1000),
  }),
};
