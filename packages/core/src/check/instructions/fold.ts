/**
 * Folding: what a reader would see, in as few letters as possible. Case, width, style, diacritics and invisible characters go; letters that
 * only look Latin become Latin where the word they stand in is Latin otherwise. Every folded unit remembers where it came from.
 */
export interface Folded {
  /** What was folded. Offsets in `at` count UTF-16 code units of it. */
  readonly text: string;
  /** Folded code units; only the first `length` count. */
  readonly units: Uint16Array;
  readonly length: number;
  /** `at[i]` is where folded unit i began in `text`; `at[length]` is the end of `text`. */
  readonly at: Int32Array;
  /** Characters without a visible form that stood inside a word. */
  readonly hiddenInWords: number;
  /** Letters that were replaced because they imitate Latin ones. */
  readonly lookalikes: number;
  /** Characters of styled alphabets: mathematical, full width, circled, squared, small capitals, braille. */
  readonly styled: number;
}

const UNKNOWN = 0;
const DROP = 1;
const EXPAND = 2;
const SPACE = 0x20;
/** Stands for letters that no rule names, so that a word keeps its length. */
export const OTHER_LETTER = 0xfffd;

/** Inclusive ranges of code units without a visible form. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const invisible = (code: number): boolean => INVISIBLE.some(([first, last]) => code >= first && code <= last);
/** Marks that decorate a letter; those of Indic and kana writing, which change it, are not among them. */
const MARKS = /[\p{Script=Inherited}\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u06d6-\u06ed]/gu;
/** Scripts whose letters carry marks that only decorate: elsewhere (kana, Devanagari, Hangul) a mark is part of the letter. */
const DECORATED = /^[\u0000-\u06ff\u1e00-\u1fff]/;

const SPECIAL = pairs(
  "ßss łl øo đd ıi æae œoe þth ðd ħh ŧt ƒf ɑa ɡg ɩi ɪi ʏy ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz ƚl ɨi ɛe ɔc ǝe ɐa ɹr ɯm ʇt ʎy ɥh ʞk " +
    "ƃg ᴉi ʍw ʌv ɾj ɟf ʋv ɭl ɳn ɓb ɗd ɖd ɠg ɦh ƙk ɱm ɲn ɵo ƥp ʠq ɽr ʂs ƭt ʈt ʉu ȥz ʐz ⱥa ƀb ȼc ɇe ɏy ɍr ⱦt ƶz " +
    "ςσ ىي یي ېي کك ەه ةه ٱا ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9 ٠0 " +
    '‘\' ’\' ‚\' ‛\' ‹\' ›\' ´\' `\' ʼ\' “" ”" „" ‟" «" »" 「" 」" 『" 』" 〝" 〞" ‐- ‑- ‒- –- —- ―- −- 。. 、, 【[ 】] 〔[ 〕] ،, ؛; ؟? ।. ॥. ․. ·. •- ▪- ●- ◦-',
);

function pairs(list: string): Map<string, string> {
  return new Map(list.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]));
}

/** Latin letters by what imitates them, in both cases: a capital imitates a capital, so the original letter decides. */
const LOOKALIKE = pairs(
  "аa вb сc ԁd еe һh іi јj кk ӏl ⅼl мm нh оo рp ѕs тt уy ԝw хx ьb гr пn ѵv ԛq ѡw ҽe ԍg зз " +
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT УY ХX ЬB Ԛq Ԝw Ӏl ҮY үy ԌG ЗЗ " +
    "αa βb γy δd εe ηn ιi κk λl μu νv οo πn ρp σo ςs τt υu χx ωw ϲc ϳj " +
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ϺM " +
    "աw եt զq հh յj ոn ռn սu տs օo քp ցg ՏS ՍU ՕO Լl ՈN " +
    "ᎪA ᏴB ᏟC ᎠD ᎬE ᎰF ᏀG ᎻH ᎢI ᎫJ ᏦK ᏞL ᎷM ᎾO ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᎩY ᏃZ " +
    "ꓮA ꓐB ꓚC ꓓD ꓰE ꓝF ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ",
);

const BRAILLE = "⠁a⠃b⠉c⠙d⠑e⠋f⠛g⠓h⠊i⠚j⠅k⠇l⠍m⠝n⠕o⠏p⠟q⠗r⠎s⠞t⠥u⠧v⠺w⠭x⠽y⠵z";
for (let i = 0; i < BRAILLE.length; i += 2) SPECIAL.set(BRAILLE.charAt(i), BRAILLE.charAt(i + 1));

const letterFrom = (code: number, first: number): string => String.fromCharCode(0x61 + ((code - first) % 26));

/** Folded text has no surrogates: rare ideographs become a letter without a name, all else a gap. */
const beyond = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x20000 && code < 0x40000 ? String.fromCharCode(OTHER_LETTER) : " ";
};

/** Ideographs, kana and Hangul syllables are their own folded form. */
const isPlainLetter = (code: number): boolean =>
  (code >= 0x4e00 && code < 0xa000) ||
  (code >= 0xac00 && code < 0xd7a4) ||
  (code >= 0x3041 && code < 0x3097) ||
  (code >= 0x30a1 && code < 0x30fb);

/** One character, folded without its neighbours: "" when it has no visible form. */
function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (isPlainLetter(code)) return character;
  if (code === 0x0a || code === 0x2028 || code === 0x2029 || code === 0x85) return "\n";
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2800) return " ";
  if (invisible(code)) return "";
  if (code >= 0x249c && code <= 0x24b5) return letterFrom(code, 0x249c);
  if (code >= 0x1f110 && code <= 0x1f129) return letterFrom(code, 0x1f110);
  if (code >= 0x1f130 && code <= 0x1f149) return letterFrom(code, 0x1f130);
  if (code >= 0x1f150 && code <= 0x1f169) return letterFrom(code, 0x1f150);
  if (code >= 0x1f170 && code <= 0x1f189) return letterFrom(code, 0x1f170);
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return letterFrom(code, 0x1f1e6);
  const folded = character.normalize("NFKC").toLowerCase();
  let out = "";
  for (const one of folded) {
    const bare = DECORATED.test(one) ? one.normalize("NFD").replace(MARKS, "") : one.replace(MARKS, "");
    for (const rest of bare) out += SPECIAL.get(rest) ?? (rest.length > 1 ? beyond(rest) : rest);
  }
  return out.trim() === "" && out !== "" ? " " : out;
}

// Folds of the 65,536 code units, found as they are met. Nothing but the character decides an entry, so the order of scans does not matter.
const table = new Uint16Array(65536);
const expansions = new Map<number, string>();
const styledUnit = new Uint8Array(65536);

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = foldCharacter(character);
  const first = folded.charCodeAt(0);
  // A unit that folds to the codes used as marks here would be misread; none does, controls became spaces.
  const entry = folded === "" ? DROP : folded.length > 1 ? EXPAND : first;
  if (entry === EXPAND) expansions.set(unit, folded);
  table[unit] = entry;
  const ascii = folded !== "" && first < 0x80 && first > SPACE;
  styledUnit[unit] =
    ascii && (unit >= 0xff01 || (unit >= 0x1d00 && unit < 0x1d80) || (unit >= 0x2100 && unit < 0x2900)) ? 1 : 0;
  return entry;
}

const PLAIN = new Uint8Array(128);
for (let unit = 0; unit < 128; unit += 1) {
  const upper = unit >= 0x41 && unit <= 0x5a;
  PLAIN[unit] = upper ? unit + 32 : unit === 0x0a ? unit : unit < SPACE || unit === 0x7f ? SPACE : unit;
}

const inWord = (unit: number): boolean =>
  unit >= 0x80 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
const isLatin = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const imitators = new Uint16Array(65536);
for (const [imitator, letter] of LOOKALIKE) imitators[imitator.charCodeAt(0)] = letter.toLowerCase().charCodeAt(0);
const foreign = (unit: number): boolean =>
  (unit >= 0x370 && unit < 0x590) ||
  (unit >= 0x13a0 && unit < 0x1400) ||
  (unit >= 0xa4d0 && unit < 0xa500) ||
  (unit >= 0xab70 && unit < 0xabc0);

/** Folds `text` in time linear in its length. Any UTF-16 is accepted; a lone surrogate reads as a space. */
export function fold(text: string): Folded {
  const folding = new Folding(text);
  for (let i = 0; i < text.length; ) i = text.charCodeAt(i) < 0x80 ? folding.plainRun(i) : folding.character(i);
  return folding.finish();
}

class Folding {
  private readonly text: string;
  private units: Uint16Array;
  private at: Int32Array;
  private length = 0;
  private hiddenInWords = 0;
  private styled = 0;
  /** Folded places of letters from scripts that have Latin look-alikes. */
  private readonly foreignAt: number[] = [];

  constructor(text: string) {
    this.text = text;
    this.units = new Uint16Array(text.length + 16);
    this.at = new Int32Array(text.length + 17);
  }

  /** Folds ASCII from `from` on and gives the place of the first character that is not. */
  plainRun(from: number): number {
    const { text } = this;
    if (this.units.length < this.length + (text.length - from)) this.grow(this.length + (text.length - from));
    const { units, at } = this;
    let { length } = this;
    let i = from;
    for (; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) break;
      units[length] = PLAIN[unit] as number;
      at[length] = i;
      length += 1;
    }
    this.length = length;
    return i;
  }

  /** Folds the one character at `i`, which is not ASCII, and gives the place after it. */
  character(i: number): number {
    const unit = this.text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) return this.surrogate(i, this.text.codePointAt(i) ?? unit);
    let entry = table[unit] as number;
    if (entry === UNKNOWN) entry = learn(unit);
    if (entry === DROP) return this.hidden(i + 1);
    this.styled += styledUnit[unit] as number;
    if (foreign(unit) || foreign(entry)) this.foreignAt.push(this.length);
    if (entry === EXPAND) this.put(expansions.get(unit) ?? "", i);
    else {
      if (this.length + 1 > this.units.length) this.grow(this.length + 1);
      this.units[this.length] = entry;
      this.at[this.length] = i;
      this.length += 1;
    }
    return i + 1;
  }

  private surrogate(i: number, code: number): number {
    if (code <= 0xffff) {
      this.put(" ", i);
      return i + 1;
    }
    const folded = foldCharacter(String.fromCodePoint(code));
    if (folded === "") return this.hidden(i + 2);
    if (folded !== " " && folded.charCodeAt(0) < 0x80) this.styled += 1;
    this.put(folded, i);
    return i + 2;
  }

  private hidden(next: number): number {
    if (this.length > 0 && (this.units[this.length - 1] as number) > SPACE) this.hiddenInWords += 1;
    return next;
  }

  private put(folded: string, i: number): void {
    if (this.length + folded.length > this.units.length) this.grow(this.length + folded.length);
    for (let k = 0; k < folded.length; k += 1) {
      this.units[this.length] = folded.charCodeAt(k);
      this.at[this.length] = i;
      this.length += 1;
    }
  }

  private grow(need: number): void {
    const units = new Uint16Array(need + (need >> 1) + 16);
    units.set(this.units.subarray(0, this.length));
    const at = new Int32Array(units.length + 1);
    at.set(this.at.subarray(0, this.length));
    this.units = units;
    this.at = at;
  }

  finish(): Folded {
    const { text, units, length, at, hiddenInWords, styled } = this;
    at[length] = text.length;
    const lookalikes = this.foreignAt.length === 0 ? 0 : this.latinise();
    return { text, units, length, at, hiddenInWords, lookalikes, styled };
  }

  /**
   * Rewrites words with imitating letters and gives how many letters that were. A word that also has Latin letters is an imitation; one of
   * imitating letters only is one where Latin rules the text, and ordinary Russian or Greek elsewhere.
   */
  private latinise(): number {
    const { units, length, foreignAt } = this;
    let latin = 0;
    for (let i = 0; i < length; i += 1) if (isLatin(units[i] as number)) latin += 1;
    const latinRules = latin > 3 * foreignAt.length;
    let changed = 0;
    let done = 0;
    for (const place of foreignAt) {
      if (place < done) continue;
      let start = place;
      while (start > done && inWord(units[start - 1] as number)) start -= 1;
      let end = place + 1;
      while (end < length && inWord(units[end] as number)) end += 1;
      done = end;
      changed += this.latiniseWord(start, end, latinRules);
    }
    return changed;
  }

  private latiniseWord(start: number, end: number, latinRules: boolean): number {
    const { units } = this;
    let latin = latinRules;
    for (let i = start; i < end; i += 1) {
      if (isLatin(units[i] as number)) latin = true;
      else if (foreign(units[i] as number) && this.imitated(i) === 0) return 0;
    }
    if (!latin) return 0;
    let changed = 0;
    for (let i = start; i < end; i += 1) {
      const letter = this.imitated(i);
      if (letter === 0) continue;
      units[i] = letter;
      changed += 1;
    }
    return changed;
  }

  /** The Latin letter that the character behind a folded unit imitates: a capital does as itself, other forms as what they fold to. */
  private imitated(i: number): number {
    const original = imitators[this.text.charCodeAt(this.at[i] as number)] as number;
    return original === 0 ? (imitators[this.units[i] as number] as number) : original;
  }
}

/** The folded form as a string: what rules are written in. */
export function normalise(text: string): string {
  const { units, length } = fold(text);
  let out = "";
  for (let i = 0; i < length; i += 4096) out += String.fromCharCode(...units.subarray(i, Math.min(length, i + 4096)));
  return out;
}
