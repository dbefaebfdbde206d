import type { Action } from "../../action/action.ts";
import { compileMandate } from "../../check/mandate/compileMandate.ts";
import { evaluateMandate } from "../../check/mandate/evaluateMandate.ts";
import { coversKind } from "../../check/mandate/firstFailed.ts";
import { prefixSpellings } from "../../check/mandate/prefixSpellings.ts";
import { extendedBy } from "../../check/mandate/relatedPrefixes.ts";
import { subjectOf } from "../../check/mandate/subject.ts";
import type { Clause, Mandate } from "../mandate.ts";
import type { TargetClass } from "./region.ts";
import { searchedClauses } from "./searchedClauses.ts";
import { targetIn } from "./targetIn.ts";

/**
 * Whether a clause ever decides. `unreached`: earlier ones decide all it covers. `impossible`: nothing meets its
 * conditions, as nobody may permit an unspecified kind and no target in normal form begins with some prefixes.
 */
export type ClauseReach =
  | { readonly outcome: "reached"; readonly witness: Action }
  | { readonly outcome: "unreached"; readonly deciders: readonly Clause[] }
  | { readonly outcome: "impossible" }
  | { readonly outcome: "undecided" };

/** Actions tried for one clause, and for all; one costs more where the index has to search. */
const MOST_A_CLAUSE = 10_000;
const MOST_IN_ALL = 500_000;
const SEARCHED_FOR_THE_COST_OF_A_TRY = 25;

/**
 * For every clause of a native mandate whether some action, its target in normal form, gets that far.
 *
 * Why a few actions suffice: conditions are independent, and each has values that the fewest other clauses hold with.
 * Where the clause says nothing: a verb nobody names, no counterparty, no amount. Its own ceiling, of its amounts. Of
 * the targets under a prefix, one that nothing longer matches. So a clause that decides none of these decides nothing.
 */
export function clauseReach(mandate: Mandate): readonly ClauseReach[] {
  const compiled = compileMandate(mandate);
  const places = new Map(mandate.clauses.map((clause, place) => [clause, place]));
  const targets = new TargetsUnder(mandate);
  const verb = freshVerb(mandate);
  const cost = 1 + searchedClauses(mandate) / SEARCHED_FOR_THE_COST_OF_A_TRY;
  let left = MOST_IN_ALL;
  return mandate.clauses.map((clause, place): ClauseReach => {
    const count = tries(clause);
    if (mandate.matching !== "native" || count > MOST_A_CLAUSE || count * cost > left) return { outcome: "undecided" };
    left -= count * cost;
    const deciders = new Set<Clause>();
    const found = targets.of(clause);
    for (const action of leastCovered(clause, found.targets, verb)) {
      const subject = subjectOf(action, mandate);
      if (!subject.ok) throw new Error("a target in normal form reads");
      const decided = evaluateMandate(compiled, subject.value).clause;
      if (decided === clause) return { outcome: "reached", witness: action };
      if (decided === undefined || (places.get(decided) ?? place) > place)
        throw new Error("a clause that matches comes to its turn");
      deciders.add(decided);
    }
    if (found.open) return { outcome: "undecided" };
    return deciders.size === 0 ? { outcome: "impossible" } : { outcome: "unreached", deciders: [...deciders] };
  });
}

function tries({ match }: Clause): number {
  const { kind, verb = [""], targetPrefix = [""], counterparty = [""] } = match;
  return kind.length * verb.length * targetPrefix.length * counterparty.length;
}

function* leastCovered(clause: Clause, targets: readonly string[], freshVerb: string): Iterable<Action> {
  const { match } = clause;
  for (const kind of match.kind) {
    if (!coversKind(clause, kind)) continue;
    for (const verb of match.verb ?? [freshVerb]) {
      for (const target of targets) {
        for (const counterparty of match.counterparty ?? [undefined]) {
          yield {
            kind,
            verb,
            target,
            ...(counterparty === undefined ? {} : { counterparty }),
            ...(match.maxAmount === undefined ? {} : { amount: match.maxAmount }),
          };
        }
      }
    }
  }
}

function freshVerb({ clauses }: Mandate): string {
  const taken = new Set(clauses.flatMap(({ match }) => match.verb ?? []));
  for (let number = 0; ; number += 1) if (!taken.has(`x${number}`)) return `x${number}`;
}

/** A target that begins with one prefix and as few others as can be, for all prefixes of a mandate. */
class TargetsUnder {
  readonly #mandate: Mandate;
  readonly #places: ReadonlyMap<string, number>;
  readonly #classes: readonly TargetClass[];
  readonly #children: readonly (readonly number[])[];
  readonly #root: TargetClass;

  constructor(mandate: Mandate) {
    const spellings = mandate.clauses.flatMap(({ match, effect }) =>
      (match.targetPrefix ?? []).flatMap((prefix) => prefixSpellings(prefix, effect, mandate)),
    );
    const sorted = [...new Set(spellings)].sort((a, b) => (a < b ? -1 : 1));
    const children: number[][] = sorted.map(() => []);
    const top: number[] = [];
    for (const [at, under] of extendedBy(sorted).entries()) (under < 0 ? top : (children[under] as number[])).push(at);
    const named = (places: readonly number[]) => places.map((at) => sorted[at] as string);
    this.#mandate = mandate;
    this.#places = new Map(sorted.map((prefix, at) => [prefix, at]));
    this.#children = children;
    this.#classes = sorted.map((under, at) => ({ under, except: named(children[at] as number[]) }));
    this.#root = { under: "", except: named(top) };
  }

  of({ match, effect }: Clause): { readonly targets: readonly string[]; readonly open: boolean } {
    if (match.targetPrefix === undefined) return this.#found([this.#root]);
    const spellings = match.targetPrefix.flatMap((prefix) => prefixSpellings(prefix, effect, this.#mandate));
    return this.#found(spellings.map((prefix) => this.#classes[this.#places.get(prefix) as number] as TargetClass));
  }

  #found(classes: readonly TargetClass[]): { readonly targets: readonly string[]; readonly open: boolean } {
    const targets: string[] = [];
    let open = false;
    const waiting = [...classes];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const found = targetIn(one);
      if (typeof found !== "string") targets.push(found.target);
      // Where none has this prefix, none has one that extends it.
      if (found !== "unknown") continue;
      open = true;
      waiting.push(...this.#below(one));
    }
    return { targets, open };
  }

  #below({ under }: TargetClass): readonly TargetClass[] {
    const at = this.#places.get(under);
    return at === undefined
      ? []
      : (this.#children[at] as readonly number[]).map((one) => this.#classes[one] as TargetClass);
  }
}
