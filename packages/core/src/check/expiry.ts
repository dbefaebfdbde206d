import { hasEnded } from "../policy/until.ts";
import { quoted } from "../text/quoted.ts";
import type { Check } from "./check.ts";

/** A document that has ended blocks all that rests on it, until somebody writes a new one. */
export const expiry: Check = {
  name: "policy",
  needs: () => [],
  judge: (_ask, { expiries }, _facts, now) =>
    expiries
      .filter(({ until }) => hasEnded(until, now))
      .map(({ scope }) => ({
        check: "policy",
        code: "policy.expired",
        severity: "block",
        message: `the policy of ${quoted(scope)} has expired`,
        retry: "later",
      })),
};
