import { findSecretsIn } from "../check/credentials/findSecretsIn.ts";
import type { JsonValue } from "../json/value.ts";
import { digest } from "../record/digest.ts";
import { err, ok, type Result } from "../result.ts";
import type { EffectivePolicy, Scope } from "./effective.ts";
import { type PolicyProblem, problemList } from "./problem.ts";
import { readObject } from "./reader.ts";
import { readMandate } from "./section/mandate.ts";
import { readContracts, readEvidence, readNetwork, readScreening } from "./section/material.ts";
import { readSpend } from "./section/spend.ts";

/**
 * Reads the document of one scope, whole or not at all, and makes it ready to decide by. Every mistake is reported: a
 * key that is not known would be a rule that does not bite.
 */
export function readPolicy(document: JsonValue, scope: Scope): Result<EffectivePolicy, readonly PolicyProblem[]> {
  const { problems, report } = problemList();
  const object = readObject(document, "", report);
  if (object === undefined) return err(problems);
  for (const { path, kind } of findSecretsIn(document)) {
    report(
      "policy.secret",
      path,
      `a policy holds no secrets, and this looks like one (${kind})`,
      "a name instead of the secret",
    );
  }
  const mandate = object.optional("mandate", (value, path) => readMandate(value, path, report, scope));
  const spend = object.optional("spend", (value, path) => readSpend(value, path, report, scope));
  const evidence = object.optional("evidence", (value, path) => readEvidence(value, path, report));
  const contracts = object.optional("contracts", (value, path) => readContracts(value, path, report, scope));
  const screening = object.optional("screening", (value, path) => readScreening(value, path, report));
  const network = object.optional("network", (value, path) => readNetwork(value, path, report));
  object.close();
  if (problems.length > 0) return err(problems);
  return ok({
    digest: digest("countersign-policy-v1", [{ scope, document }]),
    origin: "operator",
    enforcement: "enforce",
    mandates: mandate === undefined ? [] : [{ scope, mandate }],
    rule: null,
    spend: spend === undefined ? [] : [spend],
    evidence: evidence ?? null,
    contracts: contracts ?? [],
    screening: screening ?? null,
    network: network ?? null,
    given: [],
  });
}
