import { LOOKS_LIKE, STRUCTURAL } from "./confusables.ts";

/** Why a label may be taken for another one. Completes "the host has a label …". */
export type HomographReason =
  | "that mixes scripts"
  | "in a script that is out of use"
  | "that looks like other letters"
  | "with a character that looks like a separator"
  | "with marks that hide in other letters"
  | "that mixes kinds of digits";

/** The scripts that people write domain names in (UAX #31, recommended scripts). */
const RECOMMENDED = [
  "Latin",
  "Han",
  "Hiragana",
  "Katakana",
  "Bopomofo",
  "Hangul",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Georgian",
  "Hebrew",
  "Arabic",
  "Thaana",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Tibetan",
  "Myanmar",
  "Ethiopic",
  "Khmer",
] as const;

type Script = (typeof RECOMMENDED)[number];

interface Scripts {
  readonly each: readonly (readonly [Script, RegExp])[];
  readonly outside: RegExp;
}

let scripts: Scripts | undefined;

/** Made at the first label that is not ASCII: looking the scripts up takes longer than a plain name is judged. */
function scriptPatterns(): Scripts {
  scripts ??= {
    each: RECOMMENDED.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")]),
    outside: new RegExp(
      `[^\\p{Script=Common}\\p{Script=Inherited}${RECOMMENDED.map((name) => `\\p{Script=${name}}`).join("")}]`,
      "u",
    ),
  };
  return scripts;
}

/** Written together in one word, with Latin letters among them (UTS #39, "highly restrictive"). */
const TOGETHER: readonly ReadonlySet<Script>[] = [
  new Set<Script>(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set<Script>(["Latin", "Han", "Bopomofo"]),
  new Set<Script>(["Latin", "Han", "Hangul"]),
];

/** So like Latin that a label of both is no word (UTS #39 leaves these out of "moderately restrictive"). */
const NEVER_WITH_LATIN: ReadonlySet<Script> = new Set<Script>(["Cyrillic", "Greek", "Armenian", "Georgian"]);

/**
 * Top-level domains whose readers expect the script, so that a word which happens to look Latin is a word: "оса.bg".
 * Everywhere else, and in "com" above all, it is a disguise until somebody says otherwise.
 */
const AT_HOME: Readonly<Partial<Record<Script, ReadonlySet<string>>>> = {
  Latin: new Set(["tr", "az"]),
  Cyrillic: new Set(["ru", "su", "ua", "by", "bg", "kz", "kg", "uz", "tj", "mn", "rs", "me", "mk"]),
  Greek: new Set(["gr", "cy"]),
  Armenian: new Set(["am"]),
  Georgian: new Set(["ge"]),
  Hebrew: new Set(["il"]),
};

/** A dot on a letter that has one, strokes through a letter, more marks than any language stacks. */
const HIDDEN_MARK = /[ijlı]\u0307|[\u0335-\u0338]|\p{Mn}{5,}|^\p{M}/u;
const FOREIGN_DIGIT = /[^\P{Nd}0-9]/u;

/**
 * Whether a reader may take `label` (in Unicode) for another. `top` is the last label of the name, in Unicode too.
 * Null for what people really register: one script, or a usual mixture, with something that ASCII has not.
 */
export function homographReason(label: string, top: string): HomographReason | null {
  if (/^[\0-\x7f]*$/.test(label)) return null;
  const chars = Array.from(label);
  if (chars.some((char) => STRUCTURAL.has(char))) return "with a character that looks like a separator";
  if (HIDDEN_MARK.test(label)) return "with marks that hide in other letters";
  if (scriptPatterns().outside.test(label)) return "in a script that is out of use";
  if (mixesDigits(chars)) return "that mixes kinds of digits";
  const written = new Set(
    scriptPatterns()
      .each.filter(([, pattern]) => pattern.test(label))
      .map(([name]) => name),
  );
  if (!belongTogether(written)) return "that mixes scripts";
  const foreign = chars.filter((char) => char > "\x7f");
  if (!foreign.every((char) => LOOKS_LIKE.has(char))) return null;
  const [only] = written;
  const expected = written.size === 1 && only !== undefined && isAtHome(only, top);
  return expected ? null : "that looks like other letters";
}

function belongTogether(scripts: ReadonlySet<Script>): boolean {
  if (scripts.size <= 1 || TOGETHER.some((set) => [...scripts].every((script) => set.has(script)))) return true;
  const others = [...scripts].filter((script) => script !== "Latin");
  return scripts.has("Latin") && others.length === 1 && !others.some((script) => NEVER_WITH_LATIN.has(script));
}

/** A top-level domain in the script itself ("рф") is home as well. */
function isAtHome(script: Script, top: string): boolean {
  if (AT_HOME[script]?.has(top) === true) return true;
  return script !== "Latin" && scriptPatterns().each.some(([name, pattern]) => name === script && pattern.test(top));
}

function mixesDigits(chars: readonly string[]): boolean {
  const foreign = chars.filter((char) => FOREIGN_DIGIT.test(char));
  if (foreign.length === 0) return false;
  // Unicode gives each script's ten digits one after the other, from a number that ends in 0 or 6.
  const systems = new Set(foreign.map((char) => zeroOf(char)));
  return systems.size > 1 || chars.some((char) => char >= "0" && char <= "9");
}

function zeroOf(digit: string): number {
  let point = digit.codePointAt(0) ?? 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - 1))) point -= 1;
  return point;
}
