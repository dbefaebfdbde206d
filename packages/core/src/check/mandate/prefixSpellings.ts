import { normaliseTarget } from "../../action/target.ts";
import type { Clause } from "../../policy/mandate.ts";
import { normalText } from "../../text/normalText.ts";
import type { Comparison } from "./subject.ts";

/** Its own normal form by construction, which saves computing it. */
const SETTLED = /^\/?(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*)?$/;

/**
 * The strings that the target has to begin with, for one prefix of a clause.
 * A native clause that forbids means its prefix in normal form too: `https://Example.com/` forbids `https://example.com/x`.
 * One that permits means what is written and nothing else, so that no rewriting widens it.
 */
export function prefixSpellings(prefix: string, effect: Clause["effect"], { matching }: Comparison): readonly string[] {
  if (matching === "decoded") return [normalText(prefix, "NFC")];
  if (effect === "allow" || SETTLED.test(prefix)) return [prefix];
  const normalised = normaliseTarget(prefix);
  return normalised.ok && normalised.value.normal !== prefix ? [prefix, normalised.value.normal] : [prefix];
}
