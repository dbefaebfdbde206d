/**
 * Characters that a domain label may hold and that look like ASCII letters, by the script they belong to: each string is
 * the characters, the key what they look like. The facts are Unicode's (UTS #39, confusables), reduced to what IDNA lets
 * through; left out are ligatures and letters with visible marks (æ, œ, ơ), which real words are full of and nobody takes
 * for ASCII. Small capitals count for their letter.
 */
type Lookalikes = Readonly<Record<string, string>>;

const LATIN: Lookalikes = {
  a: "ɑ",
  b: "ƅ",
  c: "ᴄ",
  e: "ꬲ",
  f: "ꞙꬵẝ",
  g: "ɡᶃƍ",
  h: "ʜ",
  i: "ıɪɩ",
  k: "ĸᴋ",
  l: "ʟǀ",
  m: "ᴍ",
  n: "ɴ",
  o: "ᴏᴑꬽ",
  p: "ᴘ",
  r: "ʀꭇꭈ",
  s: "ꜱƽ",
  t: "ᴛ",
  u: "ꞟᴜꭎꭒʋ",
  v: "ᴠ",
  w: "ɯᴡ",
  y: "ɣᶌʏỿꭚ",
  z: "ᴢ",
};

const CYRILLIC: Lookalikes = {
  a: "а",
  c: "с",
  d: "ԁ",
  e: "еҽ",
  h: "һ",
  i: "іꙇ",
  j: "ј",
  l: "ӏ",
  o: "о",
  p: "р",
  q: "ԛ",
  r: "г",
  s: "ѕ",
  v: "ѵ",
  w: "ѡԝ",
  x: "х",
  y: "уү",
  "6": "б",
};

const GREEK: Lookalikes = { a: "α", c: "ϲ", i: "ι", j: "ϳ", o: "οσ", p: "ρ", u: "υ", v: "ν", y: "γ" };

const ARMENIAN: Lookalikes = { f: "ք", g: "ց", h: "հ", n: "ոռ", o: "օ", q: "գզ", u: "ս", w: "ա" };

const GEORGIAN: Lookalikes = { o: "ჿ", y: "ყ" };

const HEBREW: Lookalikes = { l: "ון", o: "ס", v: "ט" };

const ARABIC: Lookalikes = { l: "١۱ا", o: "٥۵ه", v: "٧۷" };

/** Digits and round letters of other scripts. */
const ROUND: Lookalikes = {
  "8": "৪੪",
  "9": "৭੧୨൭",
  o: "०০੦૦୦ଠ௦౦೦൦ഠ๐໐၀ဝዐ〇",
  u: "ሀ",
};

/** Symbols, and strokes of Japanese and Chinese that alone among Latin letters are no word. */
const SYMBOLS: Lookalikes = {
  a: "⍺",
  e: "℮",
  i: "⍳",
  l: "∣⏽",
  p: "⍴",
  t: "⊤⟙",
  u: "∪⋃",
  v: "∨⋁",
  x: "×⤫⤬⨯",
  "-": "ー一",
  "/": "ノ丿",
  "\\": "丶",
};

const TABLES = [LATIN, CYRILLIC, GREEK, ARMENIAN, GEORGIAN, HEBREW, ARABIC, ROUND, SYMBOLS];

/** What a character looks like, if that is ASCII. */
export const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  TABLES.flatMap((table) =>
    Object.entries(table).flatMap(([ascii, chars]) => Array.from(chars, (char) => [char, ascii])),
  ),
);

/**
 * Characters that look like what takes a URL apart ("/", ".", ":", "?", "#", "@", "%", "-", "="), and so make a long host
 * look like a short one with a path.
 */
export const STRUCTURAL: ReadonlySet<string> = new Set("∕⁄╱⟋⧸⫽⫻᜵⁁〳∖⟍⧵⧹ꓸꓹ꘎܁܂𐩐۔‧∙⋅ꞏ᛬᠃⁚˸꞉∶ːꓽ׃։܃܄᠉ꛫ‐‒–—―⁃˗−➖゠᐀꓿⹀⁒٪");
