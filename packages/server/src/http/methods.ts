/** Which methods the addresses of a server take, learnt while its routes are made. */
export interface Methods {
  learn(pattern: string, methods: readonly string[]): void;
  /** In alphabetical order; empty where there is nothing at the address. */
  at(path: string): readonly string[];
}

/** Patterns are paths in which `:name` stands for one segment. Asked only where no route answered, so looking at each is fast enough. */
export function createMethods(): Methods {
  const known = new Map<string, { readonly segments: readonly string[]; readonly methods: Set<string> }>();
  return {
    learn(pattern, methods) {
      const entry = known.get(pattern) ?? { segments: pattern.split("/"), methods: new Set() };
      for (const method of methods) entry.methods.add(method);
      known.set(pattern, entry);
    },
    at(path) {
      const segments = path.split("/");
      const found = [...known.values()].filter((entry) => fits(entry.segments, segments));
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, index) => (segment.startsWith(":") ? path[index] !== "" : segment === path[index]));
