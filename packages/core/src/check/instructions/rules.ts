import type { Concept } from "./lexicon/concept.ts";
import { conceptNumber } from "./lexicon/lexicon.ts";
import { INSTRUCTIONS, RULES } from "./ruleTable.ts";
import { CLASSES, MARK, SHAPE } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

/** The classes of tokens that each step of a rule takes. A name that nothing has is a mistake in the table. */
export function stepsOf(steps: string): number[][] {
  return steps.split(" > ").map((step) => step.replace("$instructions", INSTRUCTIONS).split("|").map(classOf));
}

function classOf(name: string): number {
  const kind = name.startsWith("#")
    ? SHAPE[name.slice(1) as keyof typeof SHAPE]
    : (conceptNumber.get(name as Concept) ?? MARK[name as keyof typeof MARK]);
  if (kind === undefined) throw new Error(`no token is called ${name}`);
  return kind;
}

/** One place where a rule was met: token numbers of its first and last step. */
export interface RuleHit {
  readonly rule: number;
  readonly first: number;
  readonly last: number;
}

interface Prepared {
  /** For each class, the rule steps it can take: rule * MAX_STEPS + step, later steps first. */
  readonly takes: readonly Int32Array[];
  readonly gaps: Int32Array;
  readonly lengths: Uint8Array;
}

const MAX_STEPS = 4;
let prepared: Prepared | undefined;

function prepare(): Prepared {
  const takes: number[][] = Array.from({ length: CLASSES }, () => []);
  const steps = RULES.map((rule) => stepsOf(rule.steps));
  steps.forEach((list, rule) => {
    for (let step = list.length - 1; step >= 0; step -= 1)
      for (const kind of list[step] ?? []) takes[kind]?.push(rule * MAX_STEPS + step);
  });
  return {
    takes: takes.map((list) => Int32Array.from(list)),
    gaps: Int32Array.from(RULES, (rule) => rule.gap * 2),
    lengths: Uint8Array.from(steps, (list) => list.length),
  };
}

/**
 * Finds the rules in one pass: for each step of each rule the latest place that completed it is kept, so the work is tokens times the
 * steps a class can take, however often the steps repeat. Meetings of one rule do not overlap.
 */
export function findRules(tokens: Tokens): RuleHit[] {
  prepared ??= prepare();
  const { takes, gaps, lengths } = prepared;
  const { count, classes, places } = tokens;
  const reached = new Int32Array(RULES.length * MAX_STEPS).fill(-1);
  const began = new Int32Array(RULES.length * MAX_STEPS);
  const taken = new Int32Array(RULES.length).fill(-1);
  const hits: RuleHit[] = [];
  for (let token = 0; token < count; token += 1) {
    const list = takes[classes[token] as number] as Int32Array;
    for (let k = 0; k < list.length; k += 1) {
      const slot = list[k] as number;
      const rule = (slot / MAX_STEPS) | 0;
      if (slot % MAX_STEPS === 0) {
        reached[slot] = token;
        began[slot] = token;
      } else {
        const before = reached[slot - 1] as number;
        if (before < 0 || before === token) continue;
        if ((places[token] as number) - (places[before] as number) > (gaps[rule] as number) + 2) continue;
        reached[slot] = token;
        began[slot] = began[slot - 1] as number;
      }
      if ((slot % MAX_STEPS) + 1 !== lengths[rule] || (began[slot] as number) <= (taken[rule] as number)) continue;
      taken[rule] = token;
      hits.push({ rule, first: began[slot] as number, last: token });
    }
  }
  return hits;
}
