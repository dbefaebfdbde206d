/** A set of characters: a table for ASCII; the characters above are in it or not all together. */
export interface CharSet {
  readonly ascii: Uint8Array;
  readonly beyond: boolean;
}

const ASCII = String.fromCharCode(...Array(128).keys());

/**
 * The set of a regular expression's character class; `beyond` is for the characters above ASCII. In one pass over all of
 * ASCII, since every program that judges an action makes these sets when it starts.
 */
export function charSet(pattern: RegExp, beyond: "with others" | "ascii" = "ascii"): CharSet {
  const ascii = new Uint8Array(128);
  const each = new RegExp(pattern, "g");
  while (each.test(ASCII)) ascii[each.lastIndex - 1] = 1;
  return { ascii, beyond: beyond === "with others" };
}

export const SETS = {
  digit: charSet(/[0-9]/),
  hex: charSet(/[0-9a-f]/),
  anyHex: charSet(/[0-9a-fA-F]/),
  lowerAlnum: charSet(/[0-9a-z]/),
  upperAlnum: charSet(/[0-9A-Z]/),
  alnum: charSet(/[0-9A-Za-z]/),
  word: charSet(/[0-9A-Za-z_]/),
  dashed: charSet(/[0-9A-Za-z_-]/),
  dotted: charSet(/[0-9A-Za-z_.-]/),
  tilded: charSet(/[0-9A-Za-z_.~-]/),
  base58: charSet(/[1-9A-HJ-NP-Za-km-z]/),
  base64: charSet(/[0-9A-Za-z+/]/),
  base64any: charSet(/[0-9A-Za-z+/_-]/),
  base64pad: charSet(/[0-9A-Za-z+/=]/),
  base64percent: charSet(/[0-9A-Za-z+/=%]/),
  token68: charSet(/[0-9A-Za-z._~+/=-]/),
  space: charSet(/[ \t]/),
  nonSpace: charSet(/[^\s"'<>\\]/, "with others"),
  userinfo: charSet(/[^\s/@"'<>\\]/, "with others"),
} as const;

/** Names a place where runs are looked for; each has its own memory of the last one. */
export type RunSite = number;

let sites = 0;

export function newRunSite(): RunSite {
  sites += 1;
  return sites - 1;
}

/**
 * A text with a memory of the last run found at each site. However often a matcher starts anew inside a run, the run's
 * end is looked for once, and so the work over a whole text stays linear.
 */
export class Reader {
  readonly text: string;
  readonly #from: number[] = [];
  readonly #end: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Where the run of `set` that `from` is in ends; `from` itself when its character is not in the set. */
  runEnd(site: RunSite, set: CharSet, from: number): number {
    const knownEnd = this.#end[site] ?? 0;
    if (from >= (this.#from[site] ?? 0) && from < knownEnd) return knownEnd;
    let end = from;
    while (this.has(set, end)) end += 1;
    this.#from[site] = from;
    this.#end[site] = end;
    return end;
  }

  /** False past the end. */
  has(set: CharSet, at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code < 128 ? set.ascii[code] === 1 : set.beyond && at < this.text.length;
  }

  startsWith(literal: string, at: number): boolean {
    return this.text.startsWith(literal, at);
  }

  /** No letter, digit or underscore before `at`; the letter of an escaped line break is none. */
  isEdge(at: number): boolean {
    if (at === 0 || !this.has(SETS.word, at - 1)) return true;
    return this.text.charCodeAt(at - 2) === 92 && /[nrt]/.test(this.text[at - 1] ?? "");
  }
}
