/** Calls back for each occurrence of each word: its number in the list, and where it starts. */
export type OnLiteral = (word: number, start: number) => void;

/** Finds all occurrences of all words in one pass, ASCII letter case aside. */
export interface Literals {
  scan(text: string, onLiteral: OnLiteral): void;
}

/** What a state of the automaton is. */
const PLAIN = 0;
const ENDS_WORDS = 1;
const NOT_CLOSED = 2;

/**
 * An Aho-Corasick automaton with every transition written out, so that each character costs one array read whatever the
 * text is. Words are ASCII; a character that no word uses leads back to the start. A state's transitions are written out
 * when it is first met: short texts meet few of them, and whoever judges one action would wait for all.
 */
export function buildLiterals(words: readonly string[]): Literals {
  const symbols = new Uint8Array(128);
  let width = 1;
  for (const word of words) {
    for (let at = 0; at < word.length; at += 1) {
      const code = fold(word.charCodeAt(at));
      if (symbols[code] !== 0) continue;
      symbols[code] = width;
      symbols[upper(code)] = width;
      width += 1;
    }
  }

  const size = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Int32Array(size * width);
  const fallback = new Int32Array(size);
  const state = new Uint8Array(size).fill(NOT_CLOSED);
  const ends: (number[] | undefined)[] = [];
  let states = 1;
  for (let number = 0; number < words.length; number += 1) {
    const word = words[number] ?? "";
    let at = 0;
    for (let index = 0; index < word.length; index += 1) {
      const cell = at * width + (symbols[fold(word.charCodeAt(index))] ?? 0);
      if (next[cell] === 0) {
        next[cell] = states;
        states += 1;
      }
      at = next[cell] ?? 0;
    }
    ends[at] = [...(ends[at] ?? []), number];
  }

  /**
   * Completes a state whose fallback (its longest suffix that starts a word) is known: the fallback's row is copied, and
   * the state's own steps are put back over it. Each step leads to a state whose fallback is then known too, so that every
   * state that can be met is ready to be closed.
   */
  function close(one: number): void {
    const suffix = fallback[one] ?? 0;
    if (one !== 0 && state[suffix] === NOT_CLOSED) close(suffix);
    const row = one * width;
    for (let symbol = 1; symbol < width; symbol += 1) {
      const child = next[row + symbol] ?? 0;
      const elsewhere = one === 0 ? 0 : (next[suffix * width + symbol] ?? 0);
      if (child === 0) next[row + symbol] = elsewhere;
      else fallback[child] = elsewhere;
    }
    const inherited = one === 0 ? undefined : ends[suffix];
    if (inherited !== undefined) ends[one] = [...(ends[one] ?? []), ...inherited];
    state[one] = ends[one] === undefined ? PLAIN : ENDS_WORDS;
  }
  close(0);

  const lengths = words.map((word) => word.length);
  return {
    scan(text, onLiteral) {
      let at = 0;
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        at = code < 128 ? (next[at * width + (symbols[code] ?? 0)] ?? 0) : 0;
        if (state[at] === PLAIN) continue;
        if (state[at] === NOT_CLOSED) close(at);
        if (state[at] === PLAIN) continue;
        for (const number of ends[at] ?? []) onLiteral(number, index + 1 - (lengths[number] ?? 0));
      }
    },
  };
}

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const upper = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code);
