import type { TextSource } from "../../action/action.ts";

/** Meanings that follow each other, each at most `gap` words after the one before: together they say more than each alone. */
export interface Rule {
  readonly id: string;
  readonly gap: number;
  /** Log-odds that meeting the rule adds. */
  readonly weight: number;
  /** `a|b > c`: a or b, then c. Concepts, marks, and shapes with `#`; `$instructions` is whatever tells an agent what to do. */
  readonly steps: string;
  /** Sources in which the rule says nothing: a user may well ask for what a document may not. */
  readonly notFrom?: readonly TextSource[];
  /** The only sources in which the rule counts. */
  readonly onlyFrom?: readonly TextSource[];
}

const rule = (id: string, gap: number, weight: number, steps: string): Rule => ({ id, gap, weight, steps });

/** A rule about what a user may ask for: it counts in everything that a user did not write. */
const notByUsers = (id: string, gap: number, weight: number, steps: string): Rule => ({
  ...rule(id, gap, weight, steps),
  notFrom: ["user"],
});

/** A rule about texts that carry data and ask for nothing: there a plain request is out of place. */
const inData = (id: string, gap: number, weight: number, steps: string): Rule => ({
  ...rule(id, gap, weight, steps),
  onlyFrom: ["tool", "web", "document"],
});

export const INSTRUCTIONS = "rules|system|fresh|pointed|safety";

export const RULES: readonly Rule[] = [
  // Orders to set aside what was said before.
  rule("override.prior-instructions", 6, 4.5, "override|stop > prior > $instructions"),
  rule("override.instructions-prior", 6, 4, "override > $instructions > prior|said"),
  rule("override.prior-first", 5, 4, "prior > $instructions > override"),
  rule("override.all-instructions", 4, 3.5, "override > all|your|me > $instructions"),
  rule("override.instructions", 4, 2, "override > $instructions"),
  rule("override.everything-before", 4, 3, "override > all|content|said > prior|before|said"),
  rule("override.what-was-said", 5, 2.5, "override > content|prior|completed > said|content|completed"),
  rule("override.task", 4, 2.8, "override|stop > prior|your|me > task|completed"),
  rule("bypass.safety", 5, 2, "bypass|override > safety"),
  rule("bypass.rules", 4, 2, "bypass > rules|system"),
  rule("rules.void", 5, 2.5, "rules|system|safety|prior > override|completed > now|fresh|following|colon"),
  rule("rules.changed", 5, 1.5, "your|all > rules|system|fresh > act|override"),
  // Questions for what the agent was told, or was told to keep.
  rule("reveal.system", 6, 3, "reveal|say|transform|ask > system"),
  rule("reveal.your-rules", 4, 2.8, "reveal|say > your > $instructions"),
  rule("reveal.secret", 4, 1, "reveal > secret"),
  rule("reveal.their-secret", 3, 1.2, "reveal|ask|say > your|the > secret"),
  rule("reveal.before", 4, 1.5, "reveal > all|content > prior"),
  rule("reveal.start", 6, 1.8, "reveal|say > content|all > said|prior > prior|before|you|now"),
  // Another self, without limits.
  rule("persona.unbound", 12, 2.8, "persona > unbound"),
  notByUsers("persona.now", 5, 1.5, "now > you|persona"),
  rule("unbound.you", 5, 1.5, "you|ai > unbound"),
  rule("mode.unbound", 3, 0.8, "exec|act|mode|bypass|be > unbound"),
  // New orders, and words that bind.
  rule("fresh.colon", 3, 2.5, "fresh > colon"),
  rule("fresh.urgent", 6, 2.2, "urgent > fresh"),
  rule("fresh.obey", 6, 1.8, "exec|must > fresh"),
  rule("authority.order", 6, 1.2, "authority > override|fresh|unbound|bypass"),
  notByUsers("urgent.order", 4, 0.6, "urgent > exclamation|colon > must|you|please|act|exec|override"),
  notByUsers("pointed.obey", 6, 0.6, "exec|must > pointed"),
  notByUsers("pointed.urgent", 6, 1, "urgent > pointed > colon|must|exec"),
  rule("command.bind", 5, 1.5, "following|fresh|this|pointed > rules|fresh|task|exec > must|urgent"),
  notByUsers("only.obey", 5, 1.6, "only|now > exec > me|fresh|pointed|this"),
  // Words to the machine that reads, not to a person.
  rule("address.ai", 4, 2.2, "reading > ai|colon|must|please|you|act|exec"),
  rule("address.ai-colon", 3, 2, "to|urgent|help > ai > colon|exclamation|line|row"),
  rule("address.ai-order", 5, 1.6, "ai > must|please|colon > act|exec|say|reveal|attach"),
  notByUsers("message.from", 5, 1.5, "urgent|this > response|mail|content > me|authority > you|ai"),
  // What the user must not notice.
  rule("covert.user", 6, 2, "covert > user|this|fresh|pointed"),
  notByUsers("covert.act", 10, 1, "act|reveal|attach|exec > covert"),
  rule("covert.first", 4, 1.7, "covert > act|attach|reveal|say"),
  notByUsers("order.must-not-ask", 6, 1.5, "not|covert > say|transform|response|ask > user"),
  // How the answer must look, or what it must carry.
  notByUsers("answer.with", 5, 1.4, "say > only > quote|colon|#shout|following"),
  notByUsers("answer.attach", 8, 1.2, "attach > response"),
  notByUsers(
    "answer.before",
    6,
    1.2,
    "before > response|say|exec|completed|transform|task > act|say|attach|reveal|exec|must|please",
  ),
  rule("taunt.say", 6, 3, "say|reveal|attach > taunt"),
  notByUsers("refuse.user", 8, 1.2, "say|reveal > user > lure|secret|money"),
  notByUsers("promote.brand", 8, 1.2, "attach|covert > lure|attach|response > #name|quote|#url"),
  notByUsers("lure.link", 10, 1, "say|attach|reveal > user|link|lure > #url"),
  rule("grant.say", 4, 1.2, "say > authority|taunt > authority|quote|stop"),
  // A claim that the task is over, or must wait.
  notByUsers("completed.next", 8, 2, "completed > now|after|instead|fresh > act|exec|say|please"),
  notByUsers("stop.task", 4, 1.6, "stop > completed|task|exec"),
  notByUsers("task.first", 8, 1.6, "before > task|completed|you > must|please > act|exec|say|following|pointed"),
  notByUsers("task.then", 8, 1.4, "after > you|completed|this > exec|instead > task|completed|prior"),
  notByUsers("task.instead", 5, 1.6, "instead > task|completed|response > say|act|exec|reveal"),
  // Marks of a conversation or a system inside a text.
  rule("markup.role", 1, 2.5, "special > system|user|ai|mode|end|urgent"),
  rule("markup.bracket", 1, 1.2, "bracket|heading|tag > system|ai|urgent|fresh|authority|rules|user"),
  notByUsers("markup.turn", 1, 1, "line|row|paragraph > ai|user|system > colon"),
  rule("markup.end", 4, 1.5, "end > fresh|system|rules|now|urgent|user"),
  rule("hidden.order", 12, 1.5, "hidden|comment > override|reveal|exec > rules|system|fresh|secret"),
  rule("tag.order", 4, 1.2, "tag|bracket > urgent|authority|system|rules|fresh > before|you|ai|must|override|help"),
  // Data on its way out.
  rule("exfiltrate.secret", 12, 1.8, "act|reveal > secret|sensitive > #url|#address"),
  notByUsers("exfiltrate.place", 12, 1, "act > mail|content|record > #address"),
  notByUsers("sensitive.read", 8, 1, "act|reveal|exec > sensitive"),
  notByUsers("tool.use", 5, 0.3, "must|exec|please > tool"),
  // A request where there should be only data.
  inData("data.request", 2, 0.8, "please > say|transform|act|exec|reveal|attach"),
  inData("data.order", 2, 0.5, "stop|row|paragraph|quote > act|exec|transform > the|this|your|me"),
];

/** The written weight of each rule for texts from a source. */
export function writtenWeights(source: TextSource | undefined): Float64Array {
  return Float64Array.from(RULES, ({ weight, notFrom, onlyFrom }) => {
    if (onlyFrom !== undefined) return source !== undefined && onlyFrom.includes(source) ? weight : 0;
    return source !== undefined && notFrom?.includes(source) ? 0 : weight;
  });
}
