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
  const steps: number[][] = [[]];
  for (const [number, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at += 1) {
      const symbol = symbols[fold(word.charCodeAt(at))] ?? 0;
      const cell = state * width + symbol;
      if (next[cell] === 0) {
        next[cell] = ends.push([]) - 1;
        steps[state]?.push(symbol);
        steps.push([]);
      }
      state = next[cell] ?? 0;
    }
    ends[state]?.push(number);
  }
  closeTransitions(next, ends, steps, width);

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

/**
 * Breadth first, so that a state's fallback (its longest suffix that starts a word) is complete when it is needed: its row
 * is copied, and the state's own steps are put back over it. A copy a state is much faster than a look at every cell.
 */
function closeTransitions(next: Int32Array, ends: number[][], steps: readonly number[][], width: number): void {
  const fallback = new Int32Array(ends.length);
  const queue = (steps[0] ?? []).map((symbol) => next[symbol] ?? 0);
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] ?? 0;
    const row = state * width;
    const suffix = fallback[state] ?? 0;
    ends[state]?.push(...(ends[suffix] ?? []));
    const own = (steps[state] ?? []).map((symbol) => [row + symbol, next[row + symbol] ?? 0] as const);
    next.copyWithin(row, suffix * width, (suffix + 1) * width);
    for (const [cell, child] of own) {
      fallback[child] = next[cell] ?? 0;
      next[cell] = child;
      queue.push(child);
    }
  }
}

const fold = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const upper = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code);
