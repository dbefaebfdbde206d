import { normalise } from "../fold.ts";
import { buildVocabulary, type Phrase, type Vocabulary } from "../vocabulary.ts";
import * as asian from "./asian.ts";
import { CONCEPTS, type Concept, type Lexicon } from "./concept.ts";
import { english } from "./english.ts";
import * as germanic from "./germanic.ts";
import * as middleEast from "./middleEast.ts";
import * as romance from "./romance.ts";
import * as slavic from "./slavic.ts";

/** English first: where two languages spell a word alike, the earlier one gives the meaning. */
export const LEXICONS: readonly Lexicon[] = [
  english,
  ...[germanic, romance, slavic, asian, middleEast].flatMap((family) => Object.values(family) as Lexicon[]),
];

/** Number of a concept in tables; 0 means none. */
export const conceptNumber = new Map<Concept, number>(CONCEPTS.map((concept, index) => [concept, index + 1]));

/** The phrases of the lexicons, folded as texts are. What is no letter parts words. */
export function phrasesOf(lexicons: readonly Lexicon[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const lexicon of lexicons) {
    for (const concept of CONCEPTS) {
      const words = lexicon[concept];
      if (words === undefined) continue;
      const value = conceptNumber.get(concept) ?? 0;
      for (const word of (PLAIN.test(words) ? words : normalise(words)).split(",")) {
        const trimmed = word.trim();
        const marked = trimmed.endsWith("*");
        const text = marked ? trimmed.slice(0, -1) : trimmed;
        phrases.push({ text, open: marked || isLongArabicWord(text), value });
      }
    }
  }
  return phrases;
}

/** Words that folding leaves alone. */
const PLAIN = /^[ -@[-~]*$/;

/** Arabic writes pronouns onto the end of a word: there every longer word may go on. */
function isLongArabicWord(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0x600 && first < 0x700 && text.length > 3 && !text.includes(" ");
}

let built: Vocabulary | undefined;

/** The vocabulary of all lexicons, built when first asked for. */
export function conceptVocabulary(): Vocabulary {
  built ??= buildVocabulary(phrasesOf(LEXICONS));
  return built;
}
