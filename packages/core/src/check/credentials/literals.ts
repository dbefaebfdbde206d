/** Calls back for each occurrence of each word: its number in the list, and where it starts. */
export type OnLiteral = (word: number, start: number) => void;

/** Finds all occurrences of all words in one pass, ASCII letter case aside. */
export interface Literals {
  scan(text: string, onLiteral: OnLiteral): void;
}

/**
 * An Aho-Corasick automaton with every transition written out, so that each character costs one array read whatever the
 * text is. Words are ASCII; a character that no word uses leads back to the start.
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
  const ends: number[][] = [[]];
  for (const [number, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at += 1) {
      const cell = state * width + (symbols[fold(word.charCodeAt(at))] ?? 0);
      if (next[cell] === 0) next[cell] = ends.push([]) - 1;
      state = next[cell] ?? 0;
    }
    ends[state]?.push(number);
  }
  closeTransitions(next, ends, width);

  const lengths = words.map((word) => word.length);
  const found = Uint8Array.from(ends, (numbers) => (numbers.length > 0 ? 1 : 0));
  return {
    scan(text, onLiteral) {
      let state = 0;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        state = code < 128 ? (next[state * width + (symbols[code] ?? 0)] ?? 0) : 0;
        if (found[state] === 0) continue;
        for (const number of ends[state] ?? []) onLiteral(number, at + 1 - (lengths[number] ?? 0));
      }
    },
  };
}

/** Breadth first, so that a state's fallback (its longest suffix that starts a word) is complete when it is needed. */
function closeTransitions(next: Int32Array, ends: number[][], width: number): void {
  const fallback = new Int32Array(ends.length);
  const queue: number[] = [];
  for (let symbol = 1; symbol < width; symbol += 1) {
    const state = next[symbol] ?? 0;
    if (state !== 0) queue.push(state);
  }
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] ?? 0;
    const suffix = fallback[state] ?? 0;
    ends[state]?.push(...(ends[suffix] ?? []));
    for (let symbol = 1; symbol < width; symbol += 1) {
      const through = next[suffix * width + symbol] ?? 0;
      const cell = state * width + symbol;
      const child = next[cell] ?? 0;
      if (child === 0) {
        next[cell] = through;
      } else {
        fallback[child] = through;
        queue.push(child);
      }
    }
  }
}

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const upper = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code);
