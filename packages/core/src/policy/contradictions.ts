import { partyKey } from "../action/partyKey.ts";
import { normaliseTarget } from "../action/target.ts";
import { quoted } from "../text/quoted.ts";
import { instantFromMillis } from "../time/instant.ts";
import { composeParts } from "./compose.ts";
import { assetKey } from "./composeProtection.ts";
import { BUCKETS, throughCeilings, trustAt } from "./composeTrust.ts";
import type { EffectivePolicy } from "./effective.ts";
import { folded } from "./fold.ts";
import type { Mandate, Names } from "./mandate.ts";
import type { PolicyProblem } from "./problem.ts";
import type { PolicyPart } from "./readPart.ts";
import { type Ever, everDecides } from "./regions/everDecides.ts";
import { targetIn } from "./regions/targetIn.ts";
import { isPlatform } from "./scope.ts";
import { namedAssets } from "./section/protected.ts";

/** What is sound by itself and makes no sense below the documents above it. */
export interface Contradictions {
  /** Nothing at all would pass, or something is named that is not there. The document is refused. */
  readonly errors: readonly PolicyProblem[];
  /** Something of the document does not bite. It can be saved. */
  readonly warnings: readonly PolicyProblem[];
}

/** Compares one document with those above it, in the order of composition. The order of what is found is that of the sections. */
export function contradictionsOf(part: PolicyPart, above: readonly PolicyPart[]): Contradictions {
  const errors: PolicyProblem[] = [];
  const warnings: PolicyProblem[] = [];
  const clash = (path: string, message: string) => errors.push({ code: "policy.contradiction", path, message });
  const warn = (code: string, path: string, message: string) => warnings.push({ code, path, message });
  const before = composeParts(above);
  const after = composeParts([...above, part]);
  const { sections } = part;

  const counterparties = sections.spend?.counterparties;
  if (
    counterparties !== undefined &&
    meetsNobody(
      counterparties,
      before.spend.map((rules) => rules.counterparties),
      partyKey,
    )
  )
    clash("/spend/counterparties/allow", "no counterparty here is allowed by the scopes above");
  if (
    sections.evidence !== undefined &&
    before.evidence !== null &&
    meetsNobody(sections.evidence.trusted, [before.evidence.trusted], (source) => source)
  )
    clash("/evidence/trusted", "no source here is trusted by the scopes above");
  for (const list of ["schemes", "ports", "allow"] as const) {
    if (sections.network === undefined || !holdsNothing(after.network?.[list]) || holdsNothing(sections.network[list]))
      continue;
    if (holdsNothing(before.network?.[list] ?? null)) continue;
    clash(`/network/${list}`, "nothing in this list is allowed by the scopes above");
  }
  judgePrefixes(sections.mandate, warn);
  if (meetNowhere(composeParts([part]), before, after))
    warn("policy.overruled", "/mandate/clauses", "nothing that this mandate lets through passes the scopes above");
  judgeScreening(part, above, warn);
  const known = new Set([...above, part].flatMap((one) => one.sections.protected?.assets ?? []).map(assetKey));
  // A card may speak of assets that are listed nowhere.
  const isNamed = sections.protected !== undefined && part.dialect === "native";
  for (const named of isNamed ? namedAssets(sections.protected) : []) {
    if (named.includes("*") || known.has(folded(named))) continue;
    errors.push({
      code: "policy.reference",
      path: "/protected",
      message: "an operation applies to an asset that neither this document nor one above it names",
      expected: "kind:selector of an asset in `assets`",
    });
    break;
  }
  const permitted = part.sections.review?.onTimeout !== "release" || after.review?.onTimeout === "release";
  if (!permitted) warn("policy.overruled", "/review/on_timeout", "a scope above lets the clock release nothing");
  const remind = sections.review?.notify.remindBefore ?? null;
  const sla = after.review?.sla ?? null;
  if (remind !== null && sla !== null && remind >= sla)
    warn(
      "policy.overruled",
      "/review/notify/remind_before_seconds",
      "a scope above gives people less time than this, and the reminder is never sent",
    );
  for (const [index, { tool }] of (sections.tools ?? []).entries()) {
    if (before.tools.some((one) => one.tool === tool))
      warn("policy.overruled", `/tools/${index}`, "a scope above has mapped this tool already");
  }
  return { errors, warnings };
}

/** What is looked at to tell whether mandates meet: about a hundredth of a second. Past it nothing is said. */
const LIMITS = { regions: 2_000, work: 1_000_000 };

/** Whether both let something through by themselves, a person or nobody asked, and together nothing. Ends do not count. */
function meetNowhere(own: EffectivePolicy, above: EffectivePolicy, together: EffectivePolicy): boolean {
  if (own.mandates.length === 0 || above.mandates.length === 0) return false;
  return letsThrough(together) === "no" && letsThrough(own) === "yes" && letsThrough(above) === "yes";
}

function letsThrough(policy: EffectivePolicy): Ever["outcome"] {
  const lasting = {
    ...policy,
    expiries: [],
    mandates: policy.mandates.map(({ scope, mandate: { expires: _, ...mandate } }) => ({ scope, mandate })),
  };
  const said = (["allow", "review"] as const).map((verdict) => {
    const answer = everDecides(lasting, verdict, {}, instantFromMillis(0), LIMITS);
    return answer.ok ? answer.value.outcome : "undecided";
  });
  return said.includes("yes") ? "yes" : said.includes("undecided") ? "undecided" : "no";
}

/** What can make one place of two spellings: an escape, a dot segment, a double slash, letters beyond ASCII. */
const SPELLED = /[%\\]|[/]{2}|[/][.]|[^\x20-\x7e]/;

/** Prefixes of one mandate that are written differently and mean the same place. */
function judgePrefixes(mandate: Mandate | undefined, warn: Warn): void {
  const places = new Map<string, string>();
  for (const [index, { id, match }] of (mandate?.clauses ?? []).entries()) {
    for (const [at, prefix] of (match.targetPrefix ?? []).entries()) {
      const read = SPELLED.test(prefix) ? normaliseTarget(prefix) : undefined;
      const place = read === undefined ? prefix : read.ok ? read.value.normal : beginning(prefix);
      const path = `/mandate/clauses/${index}/match/target_prefix/${at}`;
      if (place === undefined) warn("policy.never_matches", path, "no target that is judged begins like this");
      else if ((places.get(place) ?? prefix) !== prefix)
        warn("policy.overlap", path, `clause ${quoted(id)} names a place that another spelling has named before`);
      else places.set(place, prefix);
    }
  }
}

/** A prefix that is no target by itself, such as a scheme, where some target begins so. */
const beginning = (prefix: string): string | undefined =>
  targetIn({ under: prefix, except: [] }) === "none" ? undefined : prefix;

type Warn = (code: string, path: string, message: string) => void;

function judgeScreening({ scope, sections }: PolicyPart, above: readonly PolicyPart[], warn: Warn): void {
  if (sections.screening === undefined) return;
  const before = composeParts(above).screening;
  const { rules, trust } = sections.screening;
  for (const name of ["warn", "quarantine", "block"] as const) {
    if (before !== null && before.thresholds[name] < rules.thresholds[name])
      warn("policy.overruled", `/screening/thresholds/${name}`, "a scope above has a lower threshold");
  }
  if (isPlatform(scope)) return;
  const ceilings = trustAt(above, isPlatform);
  for (const bucket of BUCKETS) {
    for (const [index, entry] of trust.sources[bucket].entries()) {
      const left = throughCeilings(bucket, entry, trust, ceilings);
      if (left.length !== 1 || left[0] !== entry)
        warn(
          "policy.overruled",
          `/screening/trusted_sources/${bucket}/${index}`,
          "this is outside the platform's ceiling",
        );
    }
  }
}

/** `keyOf` gives the spelling under which the check compares. */
function meetsNobody(names: Names, above: readonly Names[], keyOf: (name: string) => string): boolean {
  if (!("only" in names) || names.only.length === 0) return false;
  const lists = above.flatMap((one) => ("only" in one ? [one.only.map(keyOf)] : []));
  return (
    lists.every((list) => list.length > 0) &&
    !names.only.some((name) => lists.every((list) => list.includes(keyOf(name))))
  );
}

function holdsNothing(
  list: readonly unknown[] | { readonly everyone: true } | { readonly only: readonly unknown[] } | null | undefined,
): boolean {
  if (list === null || list === undefined || "everyone" in list) return false;
  return ("only" in list ? list.only : list).length === 0;
}
