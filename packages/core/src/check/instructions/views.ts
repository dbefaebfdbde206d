import { CIPHERS, deciphered } from "./decode/cipher.ts";
import { LONG_WORD, rejoined, takenApart, withoutLeet } from "./decode/disguise.ts";
import { unescaped } from "./decode/escapes.ts";
import { htmlText, morse, tagCharacters, variationSelectors } from "./decode/hidden.ts";
import type { Piece } from "./decode/piece.ts";
import { codePieces, radixPieces } from "./decode/radix.ts";
import { type Folded, fold } from "./fold.ts";
import { type Tokens, tokenise } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A way to read the text. */
export interface View {
  /** `text`, or how the words were hidden, outermost first. */
  readonly name: string;
  /** How many times something was decoded to get here. */
  readonly depth: number;
  /** The last reading of a whole text that led here; 0 after a part was decoded, so that all are open again. */
  readonly whole: number;
  readonly folded: Folded;
  readonly tokens: Tokens;
  /** Place in the scanned text of a place in this view's text. */
  readonly place: (at: number) => number;
}

const MAX_DEPTH = 3;
const MAX_VIEWS = 40;
/** Characters of decoded text that are read for each character scanned: what bounds nested encodings. */
const DECODED_SHARE = 4;
const DECODED_FLOOR = 20_000;

/**
 * The text as it stands, then every reading that its traits call for: breadth first, at most three encodings deep, and never more than a
 * fixed multiple of the text in all.
 */
export function viewsOf(text: string, vocabulary: Vocabulary): View[] {
  const first = read("text", text, 0, 0, vocabulary, (place) => place);
  const views = [first];
  let budget = text.length * DECODED_SHARE + DECODED_FLOOR;
  for (let i = 0; i < views.length; i += 1) {
    const view = views[i] as View;
    if (view.depth >= MAX_DEPTH) continue;
    for (const { piece, whole } of piecesOf(view, vocabulary)) {
      if (piece === undefined) continue;
      budget -= piece.text.length;
      if (budget < 0 || views.length >= MAX_VIEWS) return views;
      const name = view.depth === 0 ? piece.name : `${view.name}>${piece.name}`;
      views.push(
        read(name, piece.text, view.depth + 1, whole, vocabulary, (place) => view.place(piece.at[place] as number)),
      );
    }
  }
  return views;
}

function read(
  name: string,
  text: string,
  depth: number,
  whole: number,
  vocabulary: Vocabulary,
  place: (at: number) => number,
): View {
  const folded = fold(text);
  return { name, depth, whole, folded, tokens: tokenise(folded, vocabulary), place };
}

/** Span in the scanned text of folded units [from, to) of a view; text read backwards has its ends swapped. */
export function spanOf({ folded, place }: View, from: number, to: number): readonly [start: number, end: number] {
  const a = place(folded.at[from] as number);
  const b = place(folded.at[to] as number);
  return a <= b ? [a, b] : [b, a];
}

/** Readings of a whole text, in the one order in which they are tried on top of each other. */
type Whole = 1 | 2 | 3 | 4 | 5;
const UNESCAPED: Whole = 1;
const WITHOUT_TAGS: Whole = 2;
const REJOINED: Whole = 3;
const WITHOUT_LEET: Whole = 4;
const DECIPHERED: Whole = 5;

interface Found {
  readonly piece: Piece | undefined;
  /** For a reading of the whole text, which; 0 for a part that was encoded. */
  readonly whole: Whole | 0;
}

/** What the traits of a view call for. Ordinary text calls for nothing. */
function* piecesOf({ folded, tokens, whole }: View, vocabulary: Vocabulary): Generator<Found> {
  const { text } = folded;
  const { traits, words } = tokens;
  const parts = (pieces: readonly (Piece | undefined)[]): Found[] => pieces.map((piece) => ({ piece, whole: 0 }));
  if (whole < UNESCAPED && traits.escapes > 2) yield { piece: unescaped(text), whole: UNESCAPED };
  if (whole <= WITHOUT_TAGS) {
    if (folded.length + 3 < text.length) yield* parts([tagCharacters(text), variationSelectors(text)]);
    if (traits.longest >= 16) yield* parts(radixPieces(text));
    if (traits.codes >= 8) yield* parts(codePieces(text));
    if (traits.dots > 20 && traits.dots > words) yield* parts(morse(text));
  }
  if (whole < WITHOUT_TAGS && traits.tags > 2) yield { piece: htmlText(text), whole: WITHOUT_TAGS };
  if (whole < REJOINED && traits.spelled > 3) yield { piece: rejoined(text, vocabulary), whole: REJOINED };
  if (whole < REJOINED && traits.longestLetters >= LONG_WORD)
    yield { piece: takenApart(text, vocabulary), whole: REJOINED };
  if (whole < WITHOUT_LEET && traits.disguised > 0) yield { piece: withoutLeet(text, vocabulary), whole: WITHOUT_LEET };
  for (let cipher = 1; cipher < CIPHERS && whole < DECIPHERED; cipher += 1)
    if ((traits.ciphers[cipher] as number) > 1)
      for (const piece of deciphered(text, cipher)) yield { piece, whole: DECIPHERED };
}
