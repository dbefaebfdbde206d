import { folded } from "./fold.ts";

/** A pattern of literals and `*`, ready to be compared with folded texts. */
export interface Glob {
  readonly pieces: readonly string[];
}

export const globOf = (pattern: string): Glob => ({ pieces: folded(pattern).split("*") });

/** Whether a folded text matches the whole pattern. A piece found leftmost leaves the most room for those behind it. */
export function globMatches({ pieces }: Glob, text: string): boolean {
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
