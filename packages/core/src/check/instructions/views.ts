import { CIPHERS, deciphered } from "./decode/cipher.ts";
import { rejoined, withoutLeet } from "./decode/disguise.ts";
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
  const first = read("text", text, 0, vocabulary, (place) => place);
  const views = [first];
  let budget = text.length * DECODED_SHARE + DECODED_FLOOR;
  for (let i = 0; i < views.length; i += 1) {
    const view = views[i] as View;
    if (view.depth >= MAX_DEPTH) continue;
    for (const piece of piecesOf(view, vocabulary)) {
      budget -= piece.text.length;
      if (budget < 0 || views.length >= MAX_VIEWS) return views;
      const name = view.depth === 0 ? piece.name : `${view.name}>${piece.name}`;
      views.push(read(name, piece.text, view.depth + 1, vocabulary, (place) => view.place(piece.at[place] as number)));
    }
  }
  return views;
}

function read(name: string, text: string, depth: number, vocabulary: Vocabulary, place: (at: number) => number): View {
  const folded = fold(text);
  return { name, depth, folded, tokens: tokenise(folded, vocabulary), place };
}

/** Span in the scanned text of folded units [from, to) of a view; text read backwards has its ends swapped. */
export function spanOf({ folded, place }: View, from: number, to: number): readonly [start: number, end: number] {
  const a = place(folded.at[from] as number);
  const b = place(folded.at[to] as number);
  return a <= b ? [a, b] : [b, a];
}

/** What the traits of a view call for. Ordinary text calls for nothing. */
function piecesOf({ folded, tokens }: View, vocabulary: Vocabulary): Piece[] {
  const { text } = folded;
  const { traits, words } = tokens;
  const pieces: (Piece | undefined)[] = [];
  if (folded.hiddenInWords > 3 || folded.length + 7 < text.length)
    pieces.push(tagCharacters(text), variationSelectors(text));
  if (traits.escapes > 2) pieces.push(unescaped(text));
  if (traits.longest >= 16) pieces.push(...radixPieces(text));
  if (traits.codes >= 8) pieces.push(...codePieces(text));
  if (traits.tags > 2) pieces.push(htmlText(text));
  if (traits.mixed > 1) pieces.push(withoutLeet(text, vocabulary));
  if (traits.single > 7 || traits.longest >= 16) pieces.push(rejoined(text, vocabulary));
  if (traits.dashes > 20 && traits.dashes > words) pieces.push(...morse(text));
  for (let cipher = 1; cipher < CIPHERS; cipher += 1)
    if ((traits.ciphers[cipher] as number) > 1) pieces.push(...deciphered(text, cipher));
  return pieces.filter((piece) => piece !== undefined);
}
