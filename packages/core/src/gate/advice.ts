import { canonicalize } from "../json/canonical.ts";
import type { JsonObject } from "../json/value.ts";
import { encodeBase64url } from "../record/base64url.ts";
import { commitToFields, SALT_LENGTH } from "../record/commitment.ts";
import type { Millis, Note } from "./ledger/change.ts";
import type { Means } from "./ledger/work.ts";

export interface AdviceGiven {
  /** Which interface gave it: `mandate`, `action-gate`, `trade`. */
  readonly dialect: string;
  readonly id: string;
  readonly agent: string;
  readonly outcome: string;
  /** Digests of what it was about, by name. The record holds commitments to them. */
  readonly digests: JsonObject;
}

/** How long the digests stay beside the record. After that nobody can confirm what the advice was about. */
const KEPT: Millis = 90 * 86_400_000;

/** The record of one piece of advice, to be durable before anything is signed. */
export function draftAdvice(
  { dialect, id, agent, outcome, digests }: AdviceGiven,
  { random, sha256 }: Pick<Means, "random" | "sha256">,
): Note {
  const salts = new Map(Object.keys(digests).map((name) => [name, random(SALT_LENGTH)]));
  return {
    kind: "note",
    type: "advice",
    ref: id,
    agent,
    record: canonicalize({ dialect, outcome, commitments: commitToFields(digests, salts, sha256) }),
    content: {
      fields: JSON.stringify(digests),
      salts: JSON.stringify(Object.fromEntries([...salts].map(([name, salt]) => [name, encodeBase64url(salt)]))),
      subjects: [`agent:${agent}`],
      keepFor: KEPT,
    },
  };
}
