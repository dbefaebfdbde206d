import { KINDS, type Kind } from "../../action/action.ts";
import { extendedBy } from "../../check/mandate/relatedPrefixes.ts";
import type { Verdict } from "../../decision/finding.ts";
import type { Money } from "../../money/money.ts";
import type { Instant } from "../../time/instant.ts";
import type { EffectivePolicy } from "../effective.ts";
import { type AmountGroup, amountGroups } from "./amounts.ts";
import type { WorkBudget } from "./budget.ts";
import { ANY_NAME, ANY_TARGET, type NameSet, type Region, type TargetClass } from "./region.ts";
import {
  Contents,
  type Rule,
  type Side,
  settled,
  sideOf,
  sideOfVoices,
  sideText,
  type Voice,
  verdictOf,
} from "./voices.ts";

/** Which actions are looked at; what is left out is free. */
export interface Within {
  readonly kinds?: readonly Kind[];
  readonly verbs?: readonly string[];
  /** In normal form. */
  readonly target?: string;
  /** Only targets that begin so. */
  readonly underAny?: readonly string[];
  /** In the spelling that is compared; null for none, or one that no clause names. */
  readonly parties?: readonly (string | null)[];
  /** Null for none. */
  readonly amount?: Money | null;
}

export interface Walk {
  readonly policies: readonly EffectivePolicy[];
  readonly now: Instant;
  readonly within: Within;
  readonly budget: WorkBudget;
  /** Ends a branch whose actions are of no interest, whatever is still open. */
  readonly isDull: (sides: readonly Side[]) => boolean;
  /** Told each region with the verdict of each policy. A target class in it may still be empty. True ends the walk. */
  readonly visit: (region: Region, verdicts: readonly Verdict[]) => boolean;
}

/**
 * Splits all actions by kind, verb, target, counterparty and amount, in this order, into the regions that the clauses
 * still in question tell apart. What several values have in common is walked once: the values of a list that no other
 * clause takes apart stay together.
 * @returns whether the walk was ended by `visit`. Throws `Exhausted`.
 */
export function walk(task: Walk): boolean {
  const contents = new Contents();
  const groups = new Map<string, { readonly kinds: Kind[]; readonly sides: readonly Side[] }>();
  for (const kind of KINDS) {
    if (task.within.kinds !== undefined && !task.within.kinds.includes(kind)) continue;
    const sides = task.policies.map((policy) => {
      task.budget.work(policy.mandates.reduce((sum, { mandate }) => sum + mandate.clauses.length, 1));
      return sideOf(policy, kind, task.now, contents);
    });
    const key = sides.map(sideText).join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kinds: [kind], sides });
    else group.kinds.push(kind);
  }
  const anything = { ...ANYTHING, targets: allowedTargets(task) };
  return [...groups.values()].some(({ kinds, sides }) => {
    const region = { ...anything, kinds };
    return goOn(task, region, sides, () => byVerb(task, region, sides));
  });
}

const ANYTHING: Region = {
  kinds: [],
  verbs: ANY_NAME,
  targets: [ANY_TARGET],
  counterparties: ANY_NAME,
  amounts: null,
};

/** Ends a branch that is dull or decided, else splits it further. */
function goOn(task: Walk, region: Region, sides: readonly Side[], split: () => boolean): boolean {
  if (task.isDull(sides)) {
    task.budget.region();
    return false;
  }
  const verdicts = sides.map(verdictOf);
  if (!verdicts.every((verdict) => verdict !== undefined)) return split();
  task.budget.region();
  return task.visit(region, verdicts);
}

function byVerb(task: Walk, before: Region, sides: readonly Side[]): boolean {
  const branches = splitByName(task, sides, ({ verbs }) => verbs, bareButVerb, task.within.verbs);
  return branches.some(({ names: verbs, sides: left }) => {
    const region = { ...before, verbs };
    return goOn(task, region, left, () => byTarget(task, region, left));
  });
}

const allowedTargets = ({ within }: Walk): readonly TargetClass[] =>
  within.underAny === undefined
    ? [within.target === undefined ? ANY_TARGET : { under: within.target, except: [] }]
    : within.underAny.map((under) => ({ under, except: [] }));

function byTarget(task: Walk, before: Region, sides: readonly Side[]): boolean {
  return splitByTarget(task, sides).some(({ targets, sides: left }) => {
    const region = { ...before, targets };
    return goOn(task, region, left, () => byParty(task, region, left));
  });
}

function byParty(task: Walk, before: Region, sides: readonly Side[]): boolean {
  const { parties } = task.within;
  const branches = splitByName(task, sides, (rule) => rule.parties, bareButParty, parties);
  return branches.some(({ names: counterparties, sides: left }) => {
    const region = { ...before, counterparties };
    return goOn(task, region, left, () => byAmount(task, region, left));
  });
}

function byAmount(task: Walk, before: Region, sides: readonly Side[]): boolean {
  return amountGroups(sides, task.within.amount, task.budget).some(({ amounts, verdicts }: AmountGroup) => {
    task.budget.region();
    return task.visit({ ...before, amounts }, verdicts);
  });
}

/** What holds for sure once the verb, then the target, then the counterparty is known to fit. */
const bareButVerb = ({ prefixes, parties, ceiling }: Rule): boolean =>
  prefixes === undefined && parties === undefined && ceiling === undefined;
const bareButTarget = ({ parties, ceiling }: Rule): boolean => parties === undefined && ceiling === undefined;
const bareButParty = ({ ceiling }: Rule): boolean => ceiling === undefined;

interface NameBranch {
  readonly names: NameSet;
  readonly sides: readonly Side[];
}

/** One branch for the names that the same rules take, and one for all that no rule names. */
function splitByName(
  { budget }: Walk,
  sides: readonly Side[],
  namesOf: (rule: Rule) => readonly string[] | undefined,
  isBare: (rule: Rule) => boolean,
  wanted: readonly (string | null)[] | undefined,
): readonly NameBranch[] {
  const index = new RuleIndex(sides, namesOf, isBare, budget);
  const groups = new Map<string, { readonly names: string[]; readonly sides: readonly Side[] }>();
  const others: string[] = [];
  for (const name of [...(wanted ?? index.names)].sort()) {
    if (name === null || !index.names.has(name)) {
      if (name !== null) others.push(name);
      continue;
    }
    const key = index.key([name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [name], sides: index.take([name]) });
    else group.names.push(name);
  }
  const branches: NameBranch[] = [...groups.values()].map(({ names, sides: left }) => ({
    names: { only: names },
    sides: left,
  }));
  if (wanted === undefined || wanted.includes(null)) {
    branches.push({ names: { not: [...index.names].sort() }, sides: index.take([]) });
  } else if (others.length > 0) {
    branches.push({ names: { only: others }, sides: index.take([]) });
  }
  return branches;
}

interface TargetBranch {
  readonly targets: readonly TargetClass[];
  readonly sides: readonly Side[];
}

/** By the longest prefix that a target begins with; those under which the same rules hold stay together. */
function splitByTarget(task: Walk, sides: readonly Side[]): readonly TargetBranch[] {
  const { within, budget } = task;
  const index = new RuleIndex(sides, ({ prefixes }) => prefixes, bareButTarget, budget);
  const sorted = [...new Set([...index.names, ...(within.underAny ?? [])])].sort((a, b) => (a < b ? -1 : 1));
  budget.work(sorted.length);
  if (within.target !== undefined) {
    const target = within.target;
    const matching = sorted.filter((prefix) => target.startsWith(prefix));
    return [{ targets: [{ under: target, except: [] }], sides: index.take(matching) }];
  }
  const extended = extendedBy(sorted);
  const children = childrenOf(sorted, extended);
  const groups = new Map<string, { readonly targets: TargetClass[]; readonly sides: readonly Side[] }>();
  for (let at = -1; at < sorted.length; at += 1) {
    const under = at < 0 ? "" : (sorted[at] as string);
    if (within.underAny !== undefined && !within.underAny.some((wanted) => under.startsWith(wanted))) continue;
    const matching: string[] = [];
    for (let up = at; up >= 0; up = extended[up] as number) matching.push(sorted[up] as string);
    const key = index.key(matching);
    const targets = { under, except: children.get(at) ?? [] };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { targets: [targets], sides: index.take(matching) });
    else group.targets.push(targets);
  }
  return [...groups.values()];
}

/** By place, -1 for the empty prefix: the prefixes that extend it and none in between. */
function childrenOf(sorted: readonly string[], extended: readonly number[]): ReadonlyMap<number, readonly string[]> {
  const children = new Map<number, string[]>();
  for (const [at, prefix] of sorted.entries()) {
    const under = extended[at] as number;
    const list = children.get(under);
    if (list === undefined) children.set(under, [prefix]);
    else list.push(prefix);
  }
  return children;
}

interface IndexedVoice {
  readonly otherwise: Verdict;
  readonly bare: readonly Rule[];
  readonly byName: ReadonlyMap<string, readonly Rule[]>;
}

/** The rules of every side by the names of one condition. */
class RuleIndex {
  readonly names: ReadonlySet<string>;
  readonly #sides: readonly { readonly floor: Verdict; readonly voices: readonly IndexedVoice[] }[];
  readonly #isBare: (rule: Rule) => boolean;
  readonly #budget: WorkBudget;

  constructor(
    sides: readonly Side[],
    namesOf: (rule: Rule) => readonly string[] | undefined,
    isBare: (rule: Rule) => boolean,
    budget: WorkBudget,
  ) {
    const names = new Set<string>();
    this.#isBare = isBare;
    this.#budget = budget;
    this.#sides = sides.map(({ floor, voices }) => ({
      floor,
      voices: voices.map(({ rules, otherwise }) => {
        const bare: Rule[] = [];
        const byName = new Map<string, Rule[]>();
        for (const rule of rules) {
          const list = namesOf(rule);
          budget.work(1 + (list?.length ?? 0));
          if (list === undefined) bare.push(rule);
          for (const name of list ?? []) {
            names.add(name);
            const known = byName.get(name);
            if (known === undefined) byName.set(name, [rule]);
            else known.push(rule);
          }
        }
        return { otherwise, bare, byName };
      }),
    }));
    this.names = names;
  }

  /** Equal for names that select the same rules. */
  key(names: readonly string[]): string {
    let key = "";
    for (const { voices } of this.#sides) {
      for (const { byName } of voices) {
        for (const name of names) {
          for (const { place } of byName.get(name) ?? NO_RULES) {
            this.#budget.work(1);
            key += `${place} `;
          }
        }
        key += "|";
      }
    }
    return key;
  }

  /** What is left where the condition holds for just these names. */
  take(names: readonly string[]): readonly Side[] {
    return this.#sides.map(({ floor, voices }) =>
      sideOfVoices(
        voices.map((voice) => this.#voice(voice, names)),
        floor,
      ),
    );
  }

  #voice({ otherwise, bare, byName }: IndexedVoice, names: readonly string[]): Voice {
    const lists = names.flatMap((name) => {
      const list = byName.get(name);
      return list === undefined ? [] : [list];
    });
    const rules = inOrder([bare, ...lists]);
    this.#budget.work(lists.length + 2 * rules.length + 1);
    return settled(rules, otherwise, this.#isBare);
  }
}

const NO_RULES: readonly Rule[] = [];

/** Each rule once, in the order of its mandate. */
const inOrder = (lists: readonly (readonly Rule[])[]): readonly Rule[] => lists.reduce(merged, NO_RULES);

function merged(a: readonly Rule[], b: readonly Rule[]): readonly Rule[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const rules: Rule[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    if (right === undefined || (left !== undefined && left.place <= right.place)) {
      if (left !== undefined) rules.push(left);
      i += 1;
      if (left?.place === right?.place) j += 1;
    } else {
      rules.push(right);
      j += 1;
    }
  }
  return rules;
}
