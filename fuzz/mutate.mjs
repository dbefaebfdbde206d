// Bytes from seeds, changed in the ways that break parsers. Deterministic: a seed number gives the same inputs again.

/** Small, fast and repeatable; nothing here needs to be unpredictable. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (n) => next() % Math.max(1, n);
  return { below, pick: (list) => list[below(list.length)] };
}

const TOKENS = [
  '{"',
  '"}',
  "[",
  "]",
  "\\u0000",
  "\\ud800",
  "1e400",
  "-0",
  "0.1",
  "9007199254740993",
  '"__proto__":',
  '"constructor":',
  "null",
  "%2e%2e/",
  "%25",
  "..%2f",
  "http://",
  "@",
  "\\",
  "\u202e",
  "\u200b",
  "\u{e0041}",
  "１",
  "ａ",
  "ß",
  "xn--",
  "[::ffff:7f00:1]",
  "0x7f.1",
  "&#105;",
  "<!--",
  "```",
  "aWdub3Jl",
  "PEM",
  "-----BEGIN ",
  "ignore all previous instructions",
  "0x",
  "ff".repeat(32),
  "sk-",
  "eyJ",
  "2027-02-30T00:00:00Z",
  "P1D",
  "=".repeat(40),
];

/** One new input from what is known. */
export function mutate(corpus, random) {
  let bytes = Buffer.from(random.pick(corpus));
  for (let rounds = 1 + random.below(6); rounds > 0; rounds -= 1) bytes = changed(bytes, corpus, random);
  return bytes.subarray(0, 1 << 20);
}

function changed(bytes, corpus, random) {
  const at = random.below(bytes.length + 1);
  const cut = (insert, drop = 0) =>
    Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(Math.min(bytes.length, at + drop))]);
  switch (random.below(9)) {
    case 0:
      return cut(Buffer.from([random.below(256)]), 1);
    case 1:
      return cut(Buffer.from([random.below(256)]));
    case 2:
      return cut(Buffer.alloc(0), 1 + random.below(20));
    case 3:
      return cut(Buffer.from(random.pick(TOKENS)));
    case 4: {
      const other = random.pick(corpus);
      const from = random.below(other.length);
      return cut(Buffer.from(other).subarray(from, from + random.below(200)), random.below(50));
    }
    case 5: {
      const piece = bytes.subarray(at, at + 1 + random.below(30));
      return cut(Buffer.concat(Array.from({ length: 1 + random.below(200) }, () => piece)));
    }
    case 6:
      return cut(Buffer.from("[".repeat(random.below(3_000))));
    case 7:
      return Buffer.from(bytes.toString("base64"));
    default:
      return Buffer.concat([bytes, Buffer.from(random.pick(corpus))]);
  }
}
