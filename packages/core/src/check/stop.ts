import type { Ask } from "../action/action.ts";
import type { FactKey } from "../fact/fact.ts";
import type { Check } from "./check.ts";

/** Every scope in which a stop reaches this asker. */
export const stopScopes = ({ asker }: Ask): readonly string[] => [
  "tenant",
  `org:${asker.tenant}`,
  ...asker.teams.map((team) => `team:${team}`),
  `agent:${asker.agent}`,
];

export const stopKey = (ask: Ask): FactKey => ({ fact: "stops", of: stopScopes(ask).join("\n") });

/** An operator's stop blocks whatever else was found. Advice is not stopped: it permits nothing. */
export const stop: Check = {
  name: "stop",
  needs: (ask, policy) => (policy.origin === "operator" ? [stopKey(ask)] : []),
  judge(ask, policy, facts) {
    if (policy.origin !== "operator") return [];
    const known = facts.get(stopKey(ask));
    if (known.state === "unknown") {
      return [
        {
          check: "stop",
          code: "stop.unknown",
          severity: "block",
          message: "whether a stop is in force is not known",
          retry: "later",
        },
      ];
    }
    if (!Array.isArray(known.value) || known.value.length === 0) return [];
    return [
      {
        check: "stop",
        code: "stopped",
        severity: "block",
        message: "an operator has stopped this",
        actual: known.value.map(String).join(", "),
        retry: "later",
      },
    ];
  },
};
