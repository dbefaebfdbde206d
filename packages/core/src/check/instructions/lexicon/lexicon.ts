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

/** The phrases of the lexicons, folded as texts are, with everything that is no letter as one space. */
export function phrasesOf(lexicons: readonly Lexicon[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const lexicon of lexicons) {
    for (const concept of CONCEPTS) {
      const words = lexicon[concept];
      if (words === undefined) continue;
      const value = conceptNumber.get(concept) ?? 0;
      for (const word of normalise(words).split(",")) {
        const text = word.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
        // Arabic writes pronouns onto the end of the word: every longer word there is open.
        const open = word.endsWith("*") || /^[\u0600-\u06ff]{4,}$/.test(text);
        if (text !== "") phrases.push({ text, open, value });
      }
    }
  }
  return phrases;
}

let built: Vocabulary | undefined;

/** The vocabulary of all lexicons, built when first asked for. */
export function conceptVocabulary(): Vocabulary {
  built ??= buildVocabulary(phrasesOf(LEXICONS));
  return built;
}
