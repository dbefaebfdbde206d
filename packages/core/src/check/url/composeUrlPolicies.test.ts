import fc from "fast-check";
import { expect, test } from "vitest";
import { composeUrlPolicies } from "./composeUrlPolicies.ts";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY, type HostRule, type UrlPolicy, urlPolicyFaults } from "./urlPolicy.ts";

const name = fc.constantFrom(
  "example.com",
  "a.example.com",
  "b.a.example.com",
  "example.org",
  "co.uk",
  "x.co.uk",
  "github.io",
  "y.github.io",
  "8.8.8.8",
);
const rule: fc.Arbitrary<HostRule> = fc.oneof(
  name.map((host) => ({ host })),
  name.map((domain) => ({ domain })),
);
const weight = fc.constantFrom("allow", "review", "block");
const policy: fc.Arbitrary<UrlPolicy> = fc.record({
  schemes: fc.subarray(["http", "https", "wss"]),
  ports: fc.oneof(fc.constant({ everyone: true as const }), fc.record({ only: fc.subarray([80, 443, 8080]) })),
  allow: fc.oneof(fc.constant({ everyone: true as const }), fc.record({ only: fc.array(rule, { maxLength: 4 }) })),
  deny: fc.array(rule, { maxLength: 2 }),
  internal: fc.record({
    addresses: fc.subarray(["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "::1/128"]),
    names: fc.subarray(["localhost", "db.internal"]),
  }),
  rawPublicAddress: weight,
  singleLabelNames: weight,
  unlistedSuffixes: weight,
  homographs: weight,
  encodedControls: weight,
  resolution: fc.constantFrom("required", "skipped"),
  maxLength: fc.constantFrom(25, 1000),
});
const host = fc.oneof(
  name,
  fc.constantFrom("localhost", "db.internal", "10.1.2.3", "10.1.9.9", "10.9.9.9", "[::1]", "wiki", "\u0430pple.com"),
);
const url = fc
  .tuple(fc.constantFrom("http", "https", "wss"), host, fc.constantFrom("", ":8080"), fc.constantFrom("", "%0a"))
  .map(([scheme, at, port, path]) => `${scheme}://${at}${port}/${path}`);

test("a composition allows exactly what both allow", () => {
  fc.assert(
    fc.property(policy, policy, url, (above, below, text) => {
      const composed = composeUrlPolicies(above, below);
      expect(urlPolicyFaults(composed)).toEqual([]);
      const both = [above, below].every((one) => judgeUrl(text, one).verdict === "allow");
      expect(judgeUrl(text, composed).verdict === "allow").toBe(both);
    }),
    { numRuns: 5_000 },
  );
});

test("an absent list is neutral, an empty one is nobody", () => {
  const nobody: UrlPolicy = { ...DEFAULT_URL_POLICY, allow: { only: [] } };
  expect(composeUrlPolicies(DEFAULT_URL_POLICY, DEFAULT_URL_POLICY).allow).toEqual({ everyone: true });
  expect(composeUrlPolicies(DEFAULT_URL_POLICY, nobody).allow).toEqual({ only: [] });
});
