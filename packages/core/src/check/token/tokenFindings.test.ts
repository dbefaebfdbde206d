import { expect, test } from "vitest";
import { tokenFindings } from "./tokenFindings.ts";

const NOTHING = { severity: "safe", factors: [], advisories: [], unknown: [] } as const;
const said = (judgement: Parameters<typeof tokenFindings>[0]) =>
  tokenFindings(judgement, "/action/target").map(({ severity, code }) => `${severity} ${code}`);

test.each([
  { it: "a safe token gives none", judgement: NOTHING, want: [] },
  {
    it: "a token nobody could check blocks",
    judgement: { unknown: "the node did not answer in time" },
    want: ["block token.unknown"],
  },
  {
    it: "danger blocks",
    judgement: { ...NOTHING, severity: "danger" as const, factors: ["sell_blocked" as const] },
    want: ["block token.sell_blocked"],
  },
  {
    it: "a warning is reviewed",
    judgement: { ...NOTHING, severity: "warn" as const, factors: ["buy_tax" as const, "clone" as const] },
    want: ["review token.buy_tax", "advisory token.clone"],
  },
  {
    it: "what was not seen is reviewed",
    judgement: { ...NOTHING, severity: "warn" as const, unknown: ["sell_blocked" as const] },
    want: ["review token.not_seen"],
  },
  {
    it: "an issuer's powers are told",
    judgement: { ...NOTHING, advisories: ["owner_can_mint" as const] },
    want: ["advisory token.owner_can_mint"],
  },
])("$it", ({ judgement, want }) => {
  expect(said(judgement)).toEqual(want);
});
