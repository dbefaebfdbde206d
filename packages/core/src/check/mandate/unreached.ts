import { percentDecoded } from "../../action/percentDecoded.ts";
import type { Clause, Mandate } from "../../policy/mandate.ts";
import { normalText } from "../../text/normalText.ts";
import { type CompiledMandate, compileMandate } from "./compileMandate.ts";
import { evaluateMandate } from "./evaluateMandate.ts";
import { type Subject, verbKey } from "./subject.ts";

/** A clause that no action reaches, and the earlier clauses that decide all it covers. */
export interface Unreached {
  readonly clause: Clause;
  readonly deciders: readonly Clause[];
}

/** Actions tried for one clause, and for all: beyond, nothing is said. */
const MOST_A_CLAUSE = 1_000;
const MOST_IN_ALL = 50_000;

/**
 * The clauses of a mandate in the dialect's form that earlier ones make unreachable, alone or together. Exact for every
 * clause it gets to: a clause that is not named has an action it decides, or was beyond the bound.
 *
 * Why a few actions suffice: conditions are independent, and in each there is a value that the fewest other clauses hold
 * with. Where the clause says nothing: a verb nobody names, no counterparty, no amount. Its own ceiling, of its amounts.
 * Of the targets under a prefix, one that nothing longer matches, spelled so that as written nothing matches it where
 * the clause looks at the decoded spelling too. So a clause that does not decide one of these decides nothing.
 */
export function unreachedClauses(mandate: Mandate): readonly Unreached[] {
  const compiled = compileMandate(mandate);
  const places = new Map(mandate.clauses.map((clause, at) => [clause, at]));
  const fresh = freshNames(mandate);
  const unreached: Unreached[] = [];
  let left = MOST_IN_ALL;
  for (const [at, clause] of mandate.clauses.entries()) {
    const count = actionsOf(clause);
    if (count > MOST_A_CLAUSE || count > left) continue;
    left -= count;
    const deciders = decidersOf(clause, at, compiled, places, fresh);
    if (deciders !== undefined) unreached.push({ clause, deciders });
  }
  return unreached;
}

function actionsOf({ match }: Clause): number {
  const { kind, verb = [""], targetPrefix = [""], counterparty = [""] } = match;
  return kind.length * verb.length * targetPrefix.length * 2 * counterparty.length;
}

/** Undefined when the clause decides one of its actions itself. */
function decidersOf(
  clause: Clause,
  at: number,
  compiled: CompiledMandate,
  places: ReadonlyMap<Clause, number>,
  fresh: FreshNames,
): readonly Clause[] | undefined {
  const deciders = new Set<Clause>();
  for (const subject of leastCovered(clause, compiled.mandate, fresh)) {
    const decided = evaluateMandate(compiled, subject).clause;
    if (decided === undefined || (places.get(decided) ?? 0) >= at) return undefined;
    deciders.add(decided);
  }
  // Without an action, as under an empty list, it is not the others that make it unreachable.
  return deciders.size === 0 ? undefined : [...deciders];
}

interface FreshNames {
  readonly verb: string;
  /** What no prefix goes on with. */
  readonly tail: string;
  /** How often a percent sign has to be encoded for no prefix to begin like the result. */
  readonly rounds: number;
}

function freshNames({ clauses }: Mandate): FreshNames {
  const verbs = clauses.flatMap(({ match }) => match.verb ?? []);
  const prefixes = clauses.flatMap(({ match }) => match.targetPrefix ?? []);
  const runs = (texts: readonly string[], run: RegExp) =>
    texts.flatMap((text) => text.match(run) ?? []).reduce((most, found) => Math.max(most, found.length), 0);
  return {
    verb: "~".repeat(runs(verbs, /~+/g) + 1),
    tail: "~".repeat(runs(prefixes, /~+/g) + 1),
    rounds: Math.ceil(runs(prefixes, /^(?:%(?:25)*)/g) / 2) + 1,
  };
}

function* leastCovered({ effect, match }: Clause, mandate: Mandate, fresh: FreshNames): Iterable<Subject> {
  const targets = (match.targetPrefix ?? [""]).flatMap((prefix) => targetsUnder(prefix, effect, fresh));
  for (const kind of match.kind) {
    for (const verb of match.verb ?? [fresh.verb]) {
      for (const counterparty of match.counterparty ?? [undefined]) {
        for (const target of targets) {
          yield {
            kind,
            verb: verbKey(verb, mandate),
            ...target,
            ...(counterparty === undefined ? {} : { counterparty }),
            ...(match.maxAmount === undefined ? {} : { amount: match.maxAmount }),
          };
        }
      }
    }
  }
}

type Spellings = Pick<Subject, "written" | "other">;

function targetsUnder(prefix: string, effect: Clause["effect"], { tail, rounds }: FreshNames): readonly Spellings[] {
  const plain = spelled(normalText(prefix, "NFC") + tail);
  if (effect === "allow" || prefix === "") return [plain];
  const [first = "", ...others] = normalText(prefix, "NFC");
  const escaped = encodeURIComponent(first) === first ? hexEscape(first) : encodeURIComponent(first);
  const hidden = spelled(escaped.replace("%", `%${"25".repeat(rounds)}`) + others.join("") + tail);
  return hidden.other.startsWith(normalText(prefix, "NFC")) ? [hidden, plain] : [plain];
}

const hexEscape = (ascii: string): string => `%${ascii.charCodeAt(0).toString(16).padStart(2, "0")}`;

const spelled = (written: string): Spellings => ({ written, other: normalText(percentDecoded(written).text, "NFC") });
