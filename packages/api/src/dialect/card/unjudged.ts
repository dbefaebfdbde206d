import { isObject, type JsonObject, type PolicyPart } from "@countersign/core";

/**
 * What a card may say and no gate judges by: which machine reviews, and at which verdict on an agent's integrity a hold
 * opens. Only people decide holds here, and nothing here gives such a verdict. Both are kept, composed and given back.
 */
export interface Unjudged {
  readonly integrity: Said<"off" | "review_needed" | "boundary_violation"> | null;
  readonly reviewer: Said<JsonObject> | null;
}

/** A value that stands, and the document that it comes from. */
export interface Said<T> {
  readonly value: T;
  readonly scope: string;
  readonly version: number | null;
}

const STRICTEST = ["review_needed", "boundary_violation", "off"] as const;

/** The strictest integrity, and the reviewer nearest to the platform. */
export function composeUnjudged(parts: readonly PolicyPart[]): Unjudged {
  const integrities: Said<(typeof STRICTEST)[number]>[] = [];
  let reviewer: Said<JsonObject> | null = null;
  for (const part of parts) {
    const { scope, version } = part;
    const own = unjudgedIn(part);
    const integrity = STRICTEST.find((one) => one === own.integrity);
    if (integrity !== undefined) integrities.push({ value: integrity, scope, version });
    if (own.reviewer !== undefined) reviewer ??= { value: own.reviewer, scope, version };
  }
  const strictest = STRICTEST.find((one) => integrities.some(({ value }) => value === one));
  return { integrity: integrities.find(({ value }) => value === strictest) ?? null, reviewer };
}

/** A section that an exemption took away says nothing, whatever stands in the document. */
function unjudgedIn({ dialect, sections, document }: PolicyPart) {
  const review = document["review"] ?? null;
  if (dialect !== "card" || sections.review === undefined || !isObject(review)) return {};
  const gateOn = review["gate_on"] ?? null;
  const reviewer = review["reviewer"] ?? null;
  return {
    ...(isObject(gateOn) ? { integrity: gateOn["integrity"] } : {}),
    ...(isObject(reviewer) ? { reviewer } : {}),
  };
}

export interface CardWarning {
  readonly code: "card.not_judged";
  readonly path: string;
  readonly message: string;
}

/** What an author has to know of a card that was accepted: which of its members change nothing. */
export function warningsOf(card: PolicyPart): readonly CardWarning[] {
  const { integrity, reviewer } = unjudgedIn(card);
  const warnings: CardWarning[] = [];
  if (integrity !== undefined && integrity !== "off")
    warnings.push({
      code: "card.not_judged",
      path: "/review/gate_on/integrity",
      message: "kept and given back, and opens no hold: no verdict on integrity is made here",
    });
  if (reviewer !== undefined)
    warnings.push({
      code: "card.not_judged",
      path: "/review/reviewer",
      message: "kept and given back, and decides nothing: only a person with a key to review with decides a hold",
    });
  return warnings;
}
