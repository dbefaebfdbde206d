import { describe, expect, test } from "vitest";
import type { Fact } from "../../fact/fact.ts";
import { judgeAddresses, type ResolvedHost } from "./resolvedHost.ts";
import { DEFAULT_URL_POLICY } from "./urlPolicy.ts";

const answered = (...value: string[]): ResolvedHost => ({
  state: "known",
  value,
  source: "a table",
  at: "2026-01-01T00:00:00Z",
});
const codes = (resolved: Fact, policy = DEFAULT_URL_POLICY) =>
  judgeAddresses(resolved, policy).findings.map(({ code }) => code);

test("pins every answer when all are public, each once", () => {
  const judged = judgeAddresses(answered("8.8.8.8", "2606:4700:0:0::1111", "8.8.8.8"), DEFAULT_URL_POLICY);
  expect(judged).toEqual({ verdict: "allow", findings: [], pinned: ["8.8.8.8", "2606:4700::1111"] });
});

test.each([
  ["one private answer among public ones", answered("8.8.8.8", "10.0.0.1"), "url.resolves_private"],
  ["the loopback address", answered("127.0.0.1"), "url.resolves_private"],
  ["a metadata service", answered("169.254.169.254"), "url.resolves_private"],
  ["a private address inside IPv6", answered("::ffff:10.0.0.1"), "url.resolves_private"],
  ["IPv6 loopback", answered("::1"), "url.resolves_private"],
  ["no answer", answered(), "url.unresolved"],
  ["a failed look-up", { state: "unknown", reason: "no answer in time" }, "url.unresolved"],
  ["a fact of another shape", { state: "known", value: { "0": "8.8.8.8" }, source: "", at: "" }, "url.unresolved"],
  ["answers that are no texts", { state: "known", value: [134744072], source: "", at: "" }, "url.unresolved"],
  ["an answer that is no address", answered("8.8.8.8", "example.org"), "url.unresolved"],
  ["an answer with a zone", answered("fe80::1%eth0"), "url.unresolved"],
  ["more answers than a name has", answered(...Array.from({ length: 257 }, () => "8.8.8.8")), "url.unresolved"],
] as const satisfies readonly (readonly [string, Fact, string])[])(
  "blocks %s, and pins nothing",
  (_, resolved, code) => {
    expect(codes(resolved)).toEqual([code]);
    expect(judgeAddresses(resolved, DEFAULT_URL_POLICY)).toMatchObject({ verdict: "block", pinned: [] });
  },
);

describe("internal addresses that the operator lists", () => {
  const policy = { ...DEFAULT_URL_POLICY, internal: { addresses: ["10.1.0.0/16", "::1"], names: [] } };
  test("are pinned", () =>
    expect(judgeAddresses(answered("10.1.2.3", "::1", "8.8.8.8"), policy).pinned).toEqual([
      "10.1.2.3",
      "::1",
      "8.8.8.8",
    ]));
  test("do not let their neighbours through", () =>
    expect(codes(answered("10.1.2.3", "10.2.0.1"), policy)).toEqual(["url.resolves_private"]));
});
