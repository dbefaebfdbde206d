import type { SecretMatch } from "./findSecrets.ts";

/** A copy is looked up by what it begins with. Of what is shorter there are no copies: any word may look like it. */
const HEAD = 8;
/** Comparing may cost this many characters for each one of the text, so that no text makes it slow. */
const COST = 64;

/**
 * What was found in a text, and each place where the same stands once more, in order and without overlap: a secret may be
 * plain in one place and part of a longer word in another. Undefined when there is too much to compare.
 */
export function withCopies(text: string, found: readonly SecretMatch[]): readonly SecretMatch[] | undefined {
  const known = byHead(text, found);
  const places = [...found];
  let left = text.length * COST;
  // At every character, also within a copy: another secret may begin in it and end behind it.
  for (let at = 0; at + HEAD <= text.length && known.size > 0; at += 1) {
    const copy = known.get(text.slice(at, at + HEAD))?.find(({ secret }) => {
      left -= secret.length;
      return left >= 0 && text.startsWith(secret, at);
    });
    if (left < 0) return undefined;
    if (copy !== undefined) places.push({ kind: copy.kind, start: at, end: at + copy.secret.length });
  }
  return joined(places);
}

interface Known {
  readonly kind: string;
  readonly secret: string;
}

/** The longest first: a secret that begins another must not leave the other's rest. */
function byHead(text: string, found: readonly SecretMatch[]): ReadonlyMap<string, readonly Known[]> {
  const known = new Map<string, Map<string, Known>>();
  for (const { kind, start, end } of found) {
    const secret = text.slice(start, end);
    if (secret.length < HEAD) continue;
    const head = secret.slice(0, HEAD);
    known.set(head, (known.get(head) ?? new Map<string, Known>()).set(secret, { kind, secret }));
  }
  return new Map(
    [...known].map(([head, same]) => [head, [...same.values()].sort((a, b) => b.secret.length - a.secret.length)]),
  );
}

function joined(places: readonly SecretMatch[]): readonly SecretMatch[] {
  const result: SecretMatch[] = [];
  for (const next of [...places].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || next.start >= last.end) result.push(next);
    else result[result.length - 1] = { ...last, end: Math.max(last.end, next.end) };
  }
  return result;
}
