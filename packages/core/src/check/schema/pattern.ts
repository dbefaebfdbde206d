import type { RE2JS } from "re2js";
import { err, ok, type Result } from "../../result.ts";

export interface PatternError {
  readonly code: "pattern.malformed" | "pattern.unsupported" | "pattern.too_large";
  readonly message: string;
}

/** Instructions a pattern may compile to, and characters it may be written in. */
const MAX_SIZE = 10_000;
const MAX_LENGTH = 4096;

/**
 * Writes an ECMAScript pattern (as with the flag `u`) in the syntax of RE2, which matches in linear time.
 * Fails with `pattern.malformed` for what ECMAScript does not take either; with `pattern.unsupported` for what no such
 * engine can do (look-around, back references) or this one does not know; with `pattern.too_large` beyond 4,096
 * characters or 10,000 instructions.
 */
export function translatePattern(source: string): Result<string, PatternError> {
  if (source.length > MAX_LENGTH) return tooLarge;
  try {
    new RegExp(source, "u");
  } catch {
    return err({ code: "pattern.malformed", message: "the pattern is no regular expression" });
  }
  const translation = new Translation(source);
  return translation.run();
}

const tooLarge = err({ code: "pattern.too_large", message: "the pattern is too large" } as const);

class Unsupported extends Error {}

/** White space and line ends of ECMAScript, and everything else, as ranges that fit into any class. */
const SPACE = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const ALL = "\\x{0}-\\x{10ffff}";
/** What one character says by itself. Without the flag `m` the anchors are the text's. */
const ANCHORS: Readonly<Record<string, string>> = {
  "^": "\\A",
  $: "\\z",
  ".": "[^\\n\\r\\x{2028}\\x{2029}]",
};

/** Long names of general categories; RE2 knows the short ones. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: "L",
  Cased_Letter: "LC",
  Uppercase_Letter: "Lu",
  Lowercase_Letter: "Ll",
  Titlecase_Letter: "Lt",
  Modifier_Letter: "Lm",
  Other_Letter: "Lo",
  Mark: "M",
  Combining_Mark: "M",
  Nonspacing_Mark: "Mn",
  Spacing_Mark: "Mc",
  Enclosing_Mark: "Me",
  Number: "N",
  Decimal_Number: "Nd",
  digit: "Nd",
  Letter_Number: "Nl",
  Other_Number: "No",
  Punctuation: "P",
  punct: "P",
  Connector_Punctuation: "Pc",
  Dash_Punctuation: "Pd",
  Open_Punctuation: "Ps",
  Close_Punctuation: "Pe",
  Initial_Punctuation: "Pi",
  Final_Punctuation: "Pf",
  Other_Punctuation: "Po",
  Symbol: "S",
  Math_Symbol: "Sm",
  Currency_Symbol: "Sc",
  Modifier_Symbol: "Sk",
  Other_Symbol: "So",
  Separator: "Z",
  Space_Separator: "Zs",
  Line_Separator: "Zl",
  Paragraph_Separator: "Zp",
  Other: "C",
  Control: "Cc",
  cntrl: "Cc",
  Format: "Cf",
  Surrogate: "Cs",
  Private_Use: "Co",
};

const SHORT_CATEGORY = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfso])$/;

const hex = (code: number): string => `\\x{${code.toString(16)}}`;

/**
 * One pass over a pattern that ECMAScript has accepted, so that only its meaning is left to translate. On the way it
 * adds up the instructions that counted repetitions unfold to.
 */
class Translation {
  readonly #source: string;
  #at = 0;
  #out = "";
  /** For each open group the instructions so far, and those of the last atom, which a repetition multiplies. */
  readonly #sums: number[] = [0];
  #last = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Result<string, PatternError> {
    try {
      while (this.#at < this.#source.length) {
        this.#term();
        if (this.#sums.reduce((sum, size) => sum + size, this.#last) > MAX_SIZE) return tooLarge;
      }
      return ok(this.#out);
    } catch (cause) {
      if (!(cause instanceof Unsupported)) throw cause;
      return err({ code: "pattern.unsupported", message: `the pattern uses ${cause.message}` });
    }
  }

  #term(): void {
    const char = this.#take();
    const fixed = ANCHORS[char];
    if (fixed !== undefined) this.#atom(fixed);
    else if (char === "(") this.#open();
    else if (char === ")") this.#close();
    else if (char === "[") this.#atom(this.#class());
    else if (char === "\\") this.#atom(this.#escape());
    else if (char === "{") this.#repeat();
    // A second one makes it lazy, which changes what is matched and not whether.
    else if (char === "*" || char === "+" || char === "?") this.#out += char;
    else if (char === "|") this.#alternative();
    else this.#atom(hex(char.codePointAt(0) ?? 0));
  }

  #alternative(): void {
    this.#settle();
    this.#out += "|";
  }

  #take(): string {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #skip(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Up to and over the next `end`. */
  #until(end: string): string {
    const stop = this.#source.indexOf(end, this.#at);
    const text = this.#source.slice(this.#at, stop);
    this.#at = stop + end.length;
    return text;
  }

  #atom(text: string): void {
    this.#settle();
    this.#out += text;
    this.#last = 1;
  }

  #settle(): void {
    this.#sums.push((this.#sums.pop() ?? 0) + this.#last);
    this.#last = 0;
  }

  #open(): void {
    this.#settle();
    if (this.#skip("?<=") || this.#skip("?<!") || this.#skip("?=") || this.#skip("?!"))
      throw new Unsupported("look-around, which cannot be matched in linear time");
    if (this.#skip("?<")) this.#until(">");
    else if (!this.#skip("?:") && this.#source[this.#at] === "?") throw new Unsupported("flags for a part of it");
    this.#out += "(?:";
    this.#sums.push(0);
  }

  #close(): void {
    this.#settle();
    this.#last = (this.#sums.pop() ?? 0) + 1;
    this.#out += ")";
  }

  #repeat(): void {
    const count = this.#until("}");
    const [least = 0, most = least] = count.split(",").map(Number);
    if (Math.max(least, most) > 1000) throw new Unsupported("a repetition of more than 1000");
    this.#last *= Math.max(1, least, most);
    this.#out += `{${count}}`;
  }

  #class(): string {
    const not = this.#skip("^");
    let items = "";
    while (!this.#skip("]")) items += this.#classItem();
    if (items === "") return not ? `[${ALL}]` : `[^${ALL}]`;
    return `[${not ? "^" : ""}${items}]`;
  }

  #classItem(): string {
    const char = this.#take();
    if (char === "-") {
      // Between two characters it makes a range, and then the last one written is one of them.
      return this.#source[this.#at] === "]" || !this.#inRange ? this.#single(hex(45)) : this.#dash();
    }
    if (char !== "\\") return this.#single(hex(char.codePointAt(0) ?? 0));
    if (this.#skip("b")) return this.#single(hex(8));
    if (this.#skip("-")) return this.#single(hex(45));
    const item = this.#escape("class");
    return item.startsWith("\\x") && !item.includes("-") ? this.#single(item) : this.#set(item);
  }

  /** Whether a dash that comes now would be the middle of a range. */
  #inRange = false;

  #single(text: string): string {
    // The end of a range begins none.
    this.#inRange = !this.#dashed;
    this.#dashed = false;
    return text;
  }

  #dashed = false;

  #dash(): string {
    this.#dashed = true;
    this.#inRange = false;
    return "-";
  }

  #set(text: string): string {
    this.#inRange = false;
    this.#dashed = false;
    return text;
  }

  #escape(place: "class" | "term" = "term"): string {
    const char = this.#take();
    switch (char) {
      case "d":
      case "D":
      case "w":
      case "W":
        return `\\${char}`;
      case "b":
      case "B":
        return `\\${char}`;
      case "s":
        return place === "class" ? SPACE : `[${SPACE}]`;
      case "S":
        return place === "class" ? NOT_SPACE : `[${NOT_SPACE}]`;
      case "t":
        return hex(9);
      case "n":
        return hex(10);
      case "v":
        return hex(11);
      case "f":
        return hex(12);
      case "r":
        return hex(13);
      case "0":
        return hex(0);
      case "c":
        return hex((this.#take().codePointAt(0) ?? 0) % 32);
      case "x":
        return hex(this.#hexDigits(2));
      case "u":
        return hex(this.#unicode());
      case "p":
      case "P":
        return this.#property(char, place);
      case "k":
        throw new Unsupported("a back reference, which cannot be matched in linear time");
      default:
        if (/[1-9]/.test(char)) throw new Unsupported("a back reference, which cannot be matched in linear time");
        return hex(char.codePointAt(0) ?? 0);
    }
  }

  #hexDigits(count: number): number {
    const digits = this.#source.slice(this.#at, this.#at + count);
    this.#at += count;
    return Number.parseInt(digits, 16);
  }

  #unicode(): number {
    if (this.#skip("{")) return Number.parseInt(this.#until("}"), 16);
    const lead = this.#hexDigits(4);
    const trail = /^\\u(d[c-f][0-9a-f]{2})/i.exec(this.#source.slice(this.#at, this.#at + 6))?.[1];
    if (lead < 0xd800 || lead > 0xdbff || trail === undefined) return lead;
    this.#at += 6;
    return ((lead - 0xd800) << 10) + (Number.parseInt(trail, 16) - 0xdc00) + 0x10000;
  }

  #property(sign: "p" | "P", place: "class" | "term"): string {
    this.#skip("{");
    const property = this.#until("}");
    const [name = "", value] = property.split("=");
    if (value === undefined) {
      const category = CATEGORIES[name] ?? (SHORT_CATEGORY.test(name) ? name : undefined);
      if (category !== undefined && category !== "LC") return `\\${sign}{${category}}`;
      if (name === "Any" && place === "class") return sign === "p" ? ALL : "";
      if (name === "Any") return sign === "p" ? `[${ALL}]` : `[^${ALL}]`;
    } else if (name === "gc" || name === "General_Category") {
      const category = CATEGORIES[value] ?? value;
      if (SHORT_CATEGORY.test(category)) return `\\${sign}{${category}}`;
    } else if ((name === "sc" || name === "Script") && /^[A-Z][A-Za-z_]+$/.test(value)) {
      return `\\${sign}{${value}}`;
    }
    throw new Unsupported("a Unicode property that is not known here");
  }
}

/** A pattern ready to match; `cost` is what one character of text costs at most. */
export interface Pattern {
  readonly cost: number;
  test(text: string): boolean;
}

export function preparePattern(source: string, engine: typeof RE2JS): Result<Pattern, PatternError> {
  const translated = translatePattern(source);
  if (!translated.ok) return translated;
  try {
    const compiled = engine.compile(translated.value);
    return ok({ cost: compiled.programSize(), test: (text) => compiled.test(text) });
  } catch {
    return err({ code: "pattern.unsupported", message: "the pattern uses something that is not known here" });
  }
}
