/** For one of the given prefixes: itself, those it extends, and those that extend it. In no particular order. */
export function relatedPrefixes(prefixes: Iterable<string>): (prefix: string) => Iterable<string> {
  const sorted = [...new Set(prefixes)].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(sorted.map((prefix, at) => [prefix, at]));
  const extended = extendedBy(sorted);
  return function* (prefix) {
    const at = places.get(prefix);
    if (at === undefined) return;
    for (let up = extended[at] as number; up >= 0; up = extended[up] as number) yield sorted[up] as string;
    // In order, everything that extends a prefix follows it without a gap.
    for (let next = at; next < sorted.length && (sorted[next] as string).startsWith(prefix); next += 1) {
      yield sorted[next] as string;
    }
  };
}

/** For each of the prefixes, which are in order and differ, the place of the longest other one that it extends, or -1. */
export function extendedBy(sorted: readonly string[]): readonly number[] {
  const extended: number[] = [];
  const open: number[] = [];
  for (const [at, prefix] of sorted.entries()) {
    while (open.length > 0 && !prefix.startsWith(sorted[open.at(-1) as number] as string)) open.pop();
    extended.push(open.at(-1) ?? -1);
    open.push(at);
  }
  return extended;
}
