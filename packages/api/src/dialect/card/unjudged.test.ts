import { composeParts, type JsonObject } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { conflictsOf } from "./conflicts.ts";
import { readCard } from "./readCard.ts";
import { composeUnjudged, warningsOf } from "./unjudged.ts";
import { writeComposedCard } from "./writeCard.ts";

const card = (scope: string, review: JsonObject) => {
  const agent = scope.startsWith("agent:")
    ? { card_version: "protection/2026-04-26", agent_id: "bot", mode: "off" }
    : {};
  const read = readCard({ ...agent, review: { enabled: true, ...review } }, scope, 1);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};
const ORG = "org:acme";
const AGENT = "agent:bot";
const integrity = (value: string): JsonObject => ({ gate_on: { integrity: value } });
const reviewer = (kind: string): JsonObject => ({
  reviewer: { kind, ...(kind === "endpoint" ? { endpoint_url: "https://review.example/" } : {}) },
});

describe("what a card says that nothing here judges by", () => {
  test.each([
    { it: "nothing", parts: [card(ORG, {})], integrity: undefined, kind: undefined },
    {
      it: "the strictest integrity, whoever says it",
      parts: [card(ORG, integrity("boundary_violation")), card(AGENT, integrity("review_needed"))],
      integrity: ["review_needed", AGENT],
      kind: undefined,
    },
    {
      it: "off is the least strict",
      parts: [card(ORG, integrity("boundary_violation")), card(AGENT, integrity("off"))],
      integrity: ["boundary_violation", ORG],
      kind: undefined,
    },
    {
      it: "the reviewer nearest to the platform",
      parts: [card(ORG, reviewer("builtin_opus")), card(AGENT, reviewer("endpoint"))],
      integrity: undefined,
      kind: ["builtin_opus", ORG],
    },
    {
      it: "nothing of a section that an exemption took away",
      parts: [{ ...card(ORG, { ...integrity("review_needed"), ...reviewer("endpoint") }), sections: {} }],
      integrity: undefined,
      kind: undefined,
    },
  ])("composes: $it", ({ parts, integrity: said, kind }) => {
    const composed = composeUnjudged(parts);
    expect(composed.integrity === null ? undefined : [composed.integrity.value, composed.integrity.scope]).toEqual(
      said,
    );
    expect(composed.reviewer === null ? undefined : [composed.reviewer.value["kind"], composed.reviewer.scope]).toEqual(
      kind,
    );
  });

  test("is given back in the composed card, and changes nothing of the policy", () => {
    const plain = [card(ORG, {}), card(AGENT, {})];
    const said = [card(ORG, { ...integrity("review_needed"), ...reviewer("endpoint") }), card(AGENT, {})];
    const { digest: _a, sources: _b, ...before } = composeParts(plain);
    const policy = composeParts(said);
    const { digest: _c, sources: _d, ...after } = policy;
    expect(after).toEqual(before);
    expect(writeComposedCard({ agent: "bot", now: 0, parts: said, policy })["review"]).toMatchObject({
      gate_on: { integrity: "review_needed", incoming: "quarantine" },
      reviewer: { kind: "endpoint", endpoint_url: "https://review.example/" },
    });
  });

  test("is told to its author", () => {
    const both = card(AGENT, { ...integrity("review_needed"), ...reviewer("builtin_opus") });
    expect(warningsOf(both).map(({ path }) => path)).toEqual(["/review/gate_on/integrity", "/review/reviewer"]);
    expect(warningsOf(card(AGENT, integrity("off")))).toEqual([]);
    expect(warningsOf(card(AGENT, {}))).toEqual([]);
  });

  test("and who is told of holds are conflicts where a scope above says otherwise", () => {
    const above = card(ORG, { ...integrity("review_needed"), ...reviewer("builtin_opus"), notify: { sse: true } });
    const draft = card(AGENT, { ...integrity("boundary_violation"), ...reviewer("endpoint") });
    expect(conflictsOf(draft, [above])).toEqual([
      {
        field: "review.gate_on.integrity",
        from: "boundary_violation",
        to: "review_needed",
        reason: "lower_band",
        won_by: ORG,
      },
      { field: "review.notify.sse", from: false, to: true, reason: "told_above", won_by: ORG },
      { field: "review.reviewer", from: "endpoint", to: "builtin_opus", reason: "reviewer_named_above", won_by: ORG },
    ]);
    expect(conflictsOf(above, [])).toEqual([]);
  });
});
