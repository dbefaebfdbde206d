import { findSecretsIn } from "../check/credentials/findSecretsIn.ts";
import type { TradeLimits } from "../check/trade/narrowTrade.ts";
import type { UrlPolicy } from "../check/url/urlPolicy.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { digest } from "../record/digest.ts";
import { err, ok, type Result } from "../result.ts";
import type {
  ContentRules,
  EvidenceRules,
  Limits,
  ProtectedSurface,
  Scope,
  SequenceRules,
  SpendRules,
  ToolMapping,
} from "./effective.ts";
import type { Mandate, Until } from "./mandate.ts";
import { type PolicyProblem, problemList, type Report } from "./problem.ts";
import { readObject } from "./reader.ts";
import { isPlatform } from "./scope.ts";
import { readContentRules } from "./section/content.ts";
import { readLimits } from "./section/limits.ts";
import { readMandate, readUntil } from "./section/mandate.ts";
import {
  type Contracts,
  readContracts,
  readEvidence,
  readNetwork,
  readScreening,
  type ScreeningPart,
} from "./section/material.ts";
import { readProtected } from "./section/protected.ts";
import { type ReviewPart, readReview } from "./section/review.ts";
import { readSequence } from "./section/sequence.ts";
import { readSpend } from "./section/spend.ts";
import { readTools } from "./section/tools.ts";
import { readTradeLimits } from "./section/trade.ts";

/** What one document says, section by section. A section that is not there says nothing. */
export interface Sections {
  readonly mandate?: Mandate;
  readonly spend?: SpendRules;
  readonly evidence?: EvidenceRules;
  readonly contracts?: Contracts;
  readonly screening?: ScreeningPart;
  readonly protected?: ProtectedSurface;
  readonly review?: ReviewPart;
  readonly network?: UrlPolicy;
  readonly tools?: readonly ToolMapping[];
  readonly sequence?: SequenceRules;
  readonly limits?: Limits;
  readonly trade?: TradeLimits;
  readonly content?: ContentRules;
}

export type SectionName = keyof Sections;

/** One document of one scope, read and ready to be composed with others. */
export interface PolicyPart {
  readonly scope: Scope;
  /** Its version in the scope; null for a document that is no version of any. */
  readonly version: number | null;
  /** `sha256:<hex>` of scope and document. */
  readonly digest: string;
  readonly sections: Sections;
  /** In whose words it was written. */
  readonly dialect: "native" | "card";
  /** As it was written. */
  readonly document: JsonObject;
  /** What exemptions have taken away from it: sections, or parts of one. */
  readonly exempted: readonly string[];
  /** From when on everything of it, and all that rests on it, is blocked. */
  readonly expires: Until | null;
  /** Until when nothing is stopped by a verdict; only the platform can say so. */
  readonly observe: Until | null;
}

/**
 * Reads the document of one scope, whole or not at all. Every mistake is reported: a key that is not known would be a
 * rule that does not bite.
 */
export function readPart(
  document: JsonValue,
  scope: Scope,
  version: number | null = null,
): Result<PolicyPart, readonly PolicyProblem[]> {
  const { problems, report } = problemList();
  const object = readObject(document, "", report);
  if (object === undefined) return err(problems);
  for (const { path, kind } of findSecretsIn(document)) {
    const message = `a policy holds no secrets, and this looks like one (${kind})`;
    report("policy.secret", path, message, "a name instead of the secret");
  }
  const section = <T>(name: SectionName, read: (value: JsonValue, path: string, report: Report, scope: Scope) => T) => {
    const value = object.optional(name, (one, at) => read(one, at, report, scope));
    return value === undefined ? {} : { [name]: value };
  };
  const sections: Sections = {
    ...section("mandate", readMandate),
    ...section("spend", readSpend),
    ...section("evidence", readEvidence),
    ...section("contracts", readContracts),
    ...section("screening", readScreening),
    ...section("protected", readProtected),
    ...section("review", readReview),
    ...section("network", readNetwork),
    ...section("tools", readTools),
    ...section("sequence", readSequence),
    ...section("limits", readLimits),
    ...section("trade", readTradeLimits),
    ...section("content", readContentRules),
  };
  const expires = object.optional("expires", readUntil);
  const observe = object.optional("observe_until", (value, at) => {
    if (isPlatform(scope)) return readUntil(value, at, report);
    report("policy.scope", at, "only the platform lets verdicts stop nothing for a time", "no such key here");
    return undefined;
  });
  object.close();
  if (problems.length > 0) return err(problems);
  return ok({
    scope,
    version,
    digest: digest("countersign-policy-v1", [{ scope, document }]),
    sections,
    dialect: "native",
    document: document as JsonObject,
    exempted: [],
    expires: expires ?? null,
    observe: observe ?? null,
  });
}
