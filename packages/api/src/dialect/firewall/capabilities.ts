import { type JsonObject, jsonLimits } from "@countersign/core";
import { VERSION } from "../../version.ts";
import { MOST_ROWS } from "./read.ts";
import { FIREWALL_TOOLS } from "./schema.ts";

/**
 * What this interface says of itself. `mode`, `authentication`, `payments_enabled` and `policy_mode` are constants of the
 * published contract; what is true of this gate stands in `limitations`.
 */
export const CAPABILITIES: JsonObject = {
  ok: true,
  service: "countersign",
  version: VERSION,
  mode: "free-pilot",
  authentication: "none",
  payments_enabled: false,
  policy_mode: "stateless-inline",
  limits: { request_body_bytes: jsonLimits.bytes, clean_rows: MOST_ROWS },
  workflow: [
    "clean rows with trust_clean_data",
    "judge data with trust_validate_data",
    "judge a payment with trust_check_spend",
    "ask trust_check_action right before the action, and go on with ALLOW only",
  ],
  tools: FIREWALL_TOOLS.map(({ name, http, aliases }) => ({ name, path: http.path, legacy_aliases: aliases })),
  limitations: [
    "mode, authentication, payments_enabled and policy_mode are constants of this interface; whether this gate asks for keys or is limited in rate is up to its operator",
    "every answer is advice by the policy that came in the same call: it is not signed, not recorded, and no executor takes it for a permission",
    "nothing is added up between calls; budgets that hold over many calls are for the operator's policy and POST /v1/decisions",
    "evidence labels are claims that nobody proves here; their contents are not read",
    "injected instructions are found by rules and a small model: some are missed, and some harmless texts are not",
    "amounts have no currency and are compared as the decimals they are written as, at most 78 digits",
    "an EVM address in allowed_merchants is compared as bytes, so its letter case does not count; other names are compared letter by letter",
    "JSON is read strictly: members that are there twice, numbers that a double does not hold and more than 128 levels are errors",
    "required_fields and numeric_ranges take 256 entries each, and 5,000 issues are listed",
  ],
  telemetry: "the operator's log keeps method, path, status and time of a request, and nothing of its body",
};
