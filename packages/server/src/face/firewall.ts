import { firewall } from "@countersign/api";
import { instantFromMillis, type JsonValue } from "@countersign/core";
import type { Dialect } from "./dialect.ts";

export const firewallDialect = (clock: () => number): Dialect => ({
  name: "firewall",
  tools: firewall.tools,
  numbers: "plain",
  answer: async (tool, input) => firewall.call(tool, input as JsonValue, { now: instantFromMillis(clock()) }),
  refusal(tool, input) {
    const answer = firewall.call(tool, input as JsonValue, { now: instantFromMillis(clock()) });
    return answer.ok ? null : answer.error;
  },
});
