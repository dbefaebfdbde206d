/** The nearest known name to a mistyped one, if any is near enough to be what was meant. */
export function suggest(wrong: string, known: readonly string[]): string | undefined {
  const bound = wrong.length < 4 ? 1 : 2;
  let best: string | undefined;
  let least = bound + 1;
  for (const name of known) {
    const far = distance(wrong.toLowerCase().replaceAll("-", "_"), name, least);
    if (far < least) {
      least = far;
      best = name;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) from `a` to `b`; anything from `bound` on is `bound`. */
function distance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? bound, bound);
}
