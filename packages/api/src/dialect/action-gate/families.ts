/** One phrase of a family that was found, with its place in the text that was searched. */
export interface FamilySignal {
  readonly id: string;
  readonly weight: number;
  readonly start: number;
  readonly end: number;
  readonly evidence: string;
}

/**
 * The published families: id, weight, and the phrase word by word. `a|b` is either word, `?` a word that may be missing,
 * and a colon ends a heading. Found once each, in any letter case, with any white space between the words.
 */
const FAMILIES: readonly (readonly [id: string, weight: number, phrase: string])[] = [
  [
    "instruction_override",
    30,
    "ignore|disregard|forget all|any? previous|prior|above|earlier instruction|instructions|prompt|prompts|rule|rules",
  ],
  ["instruction_override", 25, "new|updated instruction|instructions :"],
  ["role_override", 20, "you are now"],
  ["role_override", 15, "act as if+you're|if+you+are? a|an"],
  ["role_override", 20, "system prompt"],
  ["secret_exfiltration", 35, "reveal|print|show|output|repeat me|your? the? system? prompt"],
  ["secret_exfiltration", 30, "leak|dump|exfiltrate the? secret|secrets|key|keys|credential|credentials|token|tokens"],
];

const COMPILED = FAMILIES.map(([id, weight, phrase]) => ({ id, weight, pattern: compile(phrase) }));

function compile(phrase: string): RegExp {
  const words = phrase.split(" ");
  const parts = words.map((word, index) => {
    if (word === ":") return "\\s*:";
    const optional = word.endsWith("?");
    const either = `(?:${word.replace("?", "").replaceAll("+", "\\s+")})`;
    const next = words[index + 1];
    const gap = next === undefined || next === ":" ? "" : "\\s+";
    return optional ? `(?:${either}${gap})?` : either + gap;
  });
  return new RegExp(`\\b${parts.join("")}${phrase.endsWith(":") ? "" : "\\b"}`, "i");
}

/** Each family's first phrase, in the published order. */
export function familySignals(text: string): readonly FamilySignal[] {
  return COMPILED.flatMap(({ id, weight, pattern }) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    const [evidence] = found;
    return [{ id, weight, start: found.index, end: found.index + evidence.length, evidence }];
  });
}
