import type { Concept } from "./lexicon/concept.ts";
import { conceptNumber } from "./lexicon/lexicon.ts";
import { CLASSES, MARK, SHAPE } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

type Step = Concept | keyof typeof MARK | `#${keyof typeof SHAPE}`;

/** Meanings that follow each other within `gap` words a step: what they say together is more than their sum. */
interface RuleSource {
  readonly id: string;
  readonly gap: number;
  /** Log-odds this combination adds before training; training starts from it. */
  readonly weight: number;
  readonly steps: readonly (readonly Step[])[];
}

const INSTRUCTIONS: readonly Step[] = ["rules", "system", "fresh", "pointed", "safety"];

export const RULES: readonly RuleSource[] = [
  { id: "override.prior-instructions", gap: 6, weight: 4.5, steps: [["override", "stop"], ["prior"], INSTRUCTIONS] },
  { id: "override.instructions-prior", gap: 6, weight: 4, steps: [["override"], INSTRUCTIONS, ["prior", "said"]] },
  { id: "override.prior-first", gap: 5, weight: 4, steps: [["prior"], INSTRUCTIONS, ["override"]] },
  { id: "override.all-instructions", gap: 4, weight: 3.5, steps: [["override"], ["all", "your", "me"], INSTRUCTIONS] },
  { id: "override.instructions", gap: 4, weight: 2, steps: [["override"], INSTRUCTIONS] },
  {
    id: "override.everything-before",
    gap: 4,
    weight: 3,
    steps: [["override"], ["all", "content", "said"], ["prior", "before", "said"]],
  },
  {
    id: "override.what-was-said",
    gap: 5,
    weight: 2.5,
    steps: [["override"], ["content", "prior", "completed"], ["said", "content", "completed"]],
  },
  {
    id: "override.task",
    gap: 4,
    weight: 2.8,
    steps: [
      ["override", "stop"],
      ["prior", "your", "me"],
      ["task", "completed"],
    ],
  },
  { id: "bypass.safety", gap: 5, weight: 2, steps: [["bypass", "override"], ["safety"]] },
  { id: "bypass.rules", gap: 4, weight: 2, steps: [["bypass"], ["rules", "system"]] },
  { id: "reveal.system", gap: 6, weight: 3, steps: [["reveal", "say", "transform", "ask"], ["system"]] },
  { id: "reveal.your-rules", gap: 4, weight: 2.8, steps: [["reveal", "say"], ["your"], INSTRUCTIONS] },
  { id: "reveal.secret", gap: 4, weight: 1.0, steps: [["reveal"], ["secret"]] },
  { id: "reveal.before", gap: 4, weight: 1.5, steps: [["reveal"], ["all", "content"], ["prior"]] },
  { id: "persona.unbound", gap: 12, weight: 2.8, steps: [["persona"], ["unbound"]] },
  { id: "persona.now", gap: 5, weight: 1.5, steps: [["now"], ["you", "persona"]] },
  { id: "unbound.you", gap: 5, weight: 1.5, steps: [["you", "ai"], ["unbound"]] },
  { id: "fresh.colon", gap: 3, weight: 2.5, steps: [["fresh"], ["colon"]] },
  { id: "fresh.urgent", gap: 6, weight: 2.2, steps: [["urgent"], ["fresh"]] },
  { id: "fresh.obey", gap: 6, weight: 1.8, steps: [["exec", "must"], ["fresh"]] },
  {
    id: "address.ai",
    gap: 4,
    weight: 2.2,
    steps: [["reading"], ["ai", "colon", "must", "please", "you", "act", "exec"]],
  },
  {
    id: "address.ai-colon",
    gap: 3,
    weight: 2,
    steps: [["to", "urgent", "help"], ["ai"], ["colon", "exclamation", "line", "row"]],
  },
  {
    id: "address.ai-order",
    gap: 5,
    weight: 1.6,
    steps: [["ai"], ["must", "please", "colon"], ["act", "exec", "say", "reveal", "attach"]],
  },
  { id: "covert.user", gap: 6, weight: 2, steps: [["covert"], ["user", "this", "fresh", "pointed"]] },
  { id: "covert.act", gap: 10, weight: 1, steps: [["act", "reveal", "attach", "exec"], ["covert"]] },
  { id: "covert.first", gap: 4, weight: 1.7, steps: [["covert"], ["act", "attach", "reveal", "say"]] },
  { id: "answer.with", gap: 5, weight: 1.4, steps: [["say"], ["only"], ["quote", "colon", "#shout", "following"]] },
  { id: "answer.attach", gap: 8, weight: 1.2, steps: [["attach"], ["response"]] },
  {
    id: "answer.before",
    gap: 6,
    weight: 1.2,
    steps: [
      ["before"],
      ["response", "say", "exec", "completed", "transform", "task"],
      ["act", "say", "attach", "reveal", "exec", "must", "please"],
    ],
  },
  { id: "markup.role", gap: 1, weight: 2.5, steps: [["special"], ["system", "user", "ai", "mode", "end", "urgent"]] },
  {
    id: "markup.bracket",
    gap: 1,
    weight: 1.2,
    steps: [
      ["bracket", "heading", "tag"],
      ["system", "ai", "urgent", "fresh", "authority", "rules", "user"],
    ],
  },
  { id: "markup.turn", gap: 1, weight: 1, steps: [["line", "row", "paragraph"], ["ai", "user", "system"], ["colon"]] },
  { id: "markup.end", gap: 4, weight: 1.5, steps: [["end"], ["fresh", "system", "rules", "now", "urgent", "user"]] },
  {
    id: "exfiltrate.secret",
    gap: 12,
    weight: 1.8,
    steps: [
      ["act", "reveal"],
      ["secret", "sensitive"],
      ["#url", "#address"],
    ],
  },
  { id: "exfiltrate.place", gap: 12, weight: 1, steps: [["act"], ["mail", "content", "record"], ["#address"]] },
  { id: "sensitive.read", gap: 8, weight: 1.0, steps: [["act", "reveal", "exec"], ["sensitive"]] },
  { id: "tool.use", gap: 5, weight: 0.3, steps: [["must", "exec", "please"], ["tool"]] },
  { id: "taunt.say", gap: 6, weight: 3, steps: [["say", "reveal", "attach"], ["taunt"]] },
  {
    id: "completed.next",
    gap: 8,
    weight: 2,
    steps: [["completed"], ["now", "after", "instead", "fresh"], ["act", "exec", "say", "please"]],
  },
  { id: "stop.task", gap: 4, weight: 1.6, steps: [["stop"], ["completed", "task", "exec"]] },
  { id: "authority.order", gap: 6, weight: 1.2, steps: [["authority"], ["override", "fresh", "unbound", "bypass"]] },
  { id: "mode.unbound", gap: 3, weight: 0.8, steps: [["exec", "act", "mode", "bypass", "be"], ["unbound"]] },
  {
    id: "urgent.order",
    gap: 4,
    weight: 0.6,
    steps: [["urgent"], ["exclamation", "colon"], ["must", "you", "please", "act", "exec", "override"]],
  },
  { id: "pointed.obey", gap: 6, weight: 0.6, steps: [["exec", "must"], ["pointed"]] },
  { id: "pointed.urgent", gap: 6, weight: 1, steps: [["urgent"], ["pointed"], ["colon", "must", "exec"]] },
  // An order that claims to come before what was asked, and promises that the rest may follow.
  {
    id: "task.first",
    gap: 8,
    weight: 1.6,
    steps: [
      ["before"],
      ["task", "completed", "you"],
      ["must", "please"],
      ["act", "exec", "say", "following", "pointed"],
    ],
  },
  {
    id: "task.then",
    gap: 8,
    weight: 1.4,
    steps: [["after"], ["you", "completed", "this"], ["exec", "instead"], ["task", "completed", "prior"]],
  },
  {
    id: "task.instead",
    gap: 5,
    weight: 1.6,
    steps: [["instead"], ["task", "completed", "response"], ["say", "act", "exec", "reveal"]],
  },
  {
    id: "message.from",
    gap: 5,
    weight: 1.5,
    steps: [
      ["urgent", "this"],
      ["response", "mail", "content"],
      ["me", "authority"],
      ["you", "ai"],
    ],
  },
  {
    id: "order.must-not-ask",
    gap: 6,
    weight: 1.5,
    steps: [["not", "covert"], ["say", "transform", "response", "ask"], ["user"]],
  },
  { id: "refuse.user", gap: 8, weight: 1.2, steps: [["say", "reveal"], ["user"], ["lure", "secret", "money"]] },
  {
    id: "promote.brand",
    gap: 8,
    weight: 1.2,
    steps: [
      ["attach", "covert"],
      ["lure", "attach", "response"],
      ["#name", "quote", "#url"],
    ],
  },
  { id: "lure.link", gap: 10, weight: 1, steps: [["say", "attach", "reveal"], ["user", "link", "lure"], ["#url"]] },
  {
    id: "reveal.start",
    gap: 6,
    weight: 1.8,
    steps: [
      ["reveal", "say"],
      ["content", "all"],
      ["said", "prior"],
      ["prior", "before", "you", "now"],
    ],
  },
  {
    id: "command.bind",
    gap: 5,
    weight: 1.5,
    steps: [
      ["following", "fresh", "this"],
      ["rules", "fresh", "task"],
      ["must", "urgent"],
    ],
  },
  {
    id: "rules.void",
    gap: 5,
    weight: 2.5,
    steps: [
      ["rules", "system", "safety", "prior"],
      ["override", "completed"],
      ["now", "fresh", "following", "colon"],
    ],
  },
  {
    id: "rules.changed",
    gap: 5,
    weight: 1.5,
    steps: [
      ["your", "all"],
      ["rules", "system", "fresh"],
      ["act", "override"],
    ],
  },
  {
    id: "hidden.order",
    gap: 12,
    weight: 1.5,
    steps: [
      ["hidden", "comment"],
      ["override", "reveal", "exec"],
      ["rules", "system", "fresh", "secret"],
    ],
  },
  {
    id: "tag.order",
    gap: 4,
    weight: 1.2,
    steps: [
      ["tag", "bracket"],
      ["urgent", "authority", "system", "rules", "fresh"],
      ["before", "you", "ai", "must", "override", "help"],
    ],
  },
  { id: "only.obey", gap: 5, weight: 1.6, steps: [["only", "now"], ["exec"], ["me", "fresh", "pointed", "this"]] },
  { id: "grant.say", gap: 4, weight: 1.2, steps: [["say"], ["authority", "taunt"], ["authority", "quote", "stop"]] },
];

/** The class of tokens that a step names. */
export const stepNumber = (step: Step): number => {
  if (step.startsWith("#")) return SHAPE[step.slice(1) as keyof typeof SHAPE];
  return conceptNumber.get(step as Concept) ?? MARK[step as keyof typeof MARK];
};

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
  RULES.forEach((rule, index) => {
    for (let step = rule.steps.length - 1; step >= 0; step -= 1)
      for (const name of rule.steps[step] ?? []) takes[stepNumber(name)]?.push(index * MAX_STEPS + step);
  });
  return {
    takes: takes.map((list) => Int32Array.from(list)),
    gaps: Int32Array.from(RULES, (rule) => rule.gap * 2),
    lengths: Uint8Array.from(RULES, (rule) => rule.steps.length),
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
