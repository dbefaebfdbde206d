/**
 * The Unicode form of a label that the URL parser wrote as "xn--…" (RFC 3492, the decoder only). The parser has checked it,
 * so what cannot be decoded here is no label it gave: null.
 */
export function decodePunycode(label: string): string | null {
  const delimiter = label.lastIndexOf("-");
  const points = Array.from(label.slice(0, Math.max(delimiter, 0)), (char) => char.codePointAt(0) ?? 0);
  let point = 128;
  let bias = 72;
  let index = 0;
  let at = delimiter + 1;
  while (at < label.length) {
    const start = index;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = digitOf(label.charCodeAt(at));
      at += 1;
      if (digit < 0) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (index > 0x7fffffff || weight > 0x7fffffff) return null;
    }
    const length = points.length + 1;
    bias = adapt(index - start, length, start === 0);
    point += Math.floor(index / length);
    index %= length;
    if (point > 0x10ffff) return null;
    points.splice(index, 0, point);
    index += 1;
  }
  return String.fromCodePoint(...points);
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35; -1 for anything else, also past the end. */
function digitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : -1;
}

function adapt(difference: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? 700 : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
