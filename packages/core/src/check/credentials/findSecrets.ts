import { assignedKind, isKeyName, NAME_WORDS } from "./assignment.ts";
import { decodePrintable, decodePrintableHex } from "./decode.ts";
import { buildLiterals, type Literals } from "./literals.ts";
import { looksRandom } from "./randomness.ts";
import { charSet, Reader, SETS } from "./reader.ts";
import { SHAPES } from "./shapes.ts";
import { unwrapped, type View } from "./views.ts";

/** Where a secret lies in a text, in UTF-16 units, and never what it is. */
export interface SecretMatch {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** No form that is looked for is shorter; most names and values of an ask are. */
const MIN_LENGTH = 8;
const NONE: readonly SecretMatch[] = [];

/** Wrappings within wrappings are followed this far. */
const MAX_DEPTH = 2;

/**
 * The secrets in a text, in order and without overlap. Takes time linear in the text, whatever it holds; sees through
 * percent-encoding, numbered escapes, invisible characters, base64 and hexadecimal, two layers deep.
 * Source of the forms: what vendors publish of their tokens.
 */
export function findSecrets(text: string): readonly SecretMatch[] {
  if (text.length < MIN_LENGTH) return NONE;
  const found: Candidate[] = [];
  scan({ text, sources: undefined }, 0, found);
  return merged(found);
}

interface Candidate extends SecretMatch {
  /** How much the form itself says: 0 when only a name beside it does, else the more the longer its literal is. */
  readonly rank: number;
}

function scan(view: View, depth: number, found: Candidate[]): void {
  const source = (at: number): number => (view.sources === undefined ? at : (view.sources[at] ?? 0));
  const report = (kind: string, start: number, end: number, rank: number) =>
    // The source of the last character may be longer than one: it ends where the next one's begins.
    found.push({ kind, start: source(start), end: source(end), rank });
  scanLiterals(view.text, report);
  scanRuns(view.text, depth, report);
  if (depth === MAX_DEPTH) return;
  const inner = unwrapped(view);
  if (inner !== undefined) scan(inner, depth + 1, found);
}

type Report = (kind: string, start: number, end: number, rank: number) => void;

let literals: Literals | undefined;

function scanLiterals(text: string, report: Report): void {
  literals ??= buildLiterals([...SHAPES.map(({ literal }) => literal), ...NAME_WORDS]);
  let reader: Reader | undefined;
  let named = -1;
  literals.scan(text, (word, at) => {
    const shape = SHAPES[word];
    if (shape === undefined) {
      const name = nameAround(text, at, at + (NAME_WORDS[word - SHAPES.length]?.length ?? 0));
      if (name === undefined || name.end === named) return;
      named = name.end;
      reportAssignment(text, name, report);
      return;
    }
    reader ??= new Reader(text);
    if (shape.edge === "word" && !reader.isEdge(at)) return;
    const start = at - shape.back;
    const end = start < 0 ? -1 : shape.match(reader, start);
    if (end === -1 || !shape.accept(text.slice(start, end))) return;
    const [before, after] = shape.around;
    report(shape.kind, start + before, end - after, shape.literal.length);
  });
}

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const MAX_NAME = 64;

function nameAround(text: string, from: number, to: number): Name | undefined {
  let start = from;
  while (start > 0 && from - start <= MAX_NAME && isNameChar(text.charCodeAt(start - 1))) start -= 1;
  let end = to;
  while (end - to <= MAX_NAME && isNameChar(text.charCodeAt(end))) end += 1;
  return end - start > MAX_NAME ? undefined : { text: text.slice(start, end), start, end };
}

const isNameChar = (code: number): boolean => code < 128 && SETS.dotted.ascii[code] === 1;

// Each ends by itself within a few characters: they are tried at every name.
const OPERATOR = /\\{0,2}["'`]?\]? {0,8}(?::=|=>|={1,3}|:(?!:)|(?: is| was):?(?= ))[ \t]{0,8}/y;
const QUOTED = /[bfru]{0,2}\\{0,2}(["'`])([^"'`\n\\]{0,512})/iy;
const PLAIN = /[^\s"'`,;&<>(){}[\]\\|]{1,512}/y;
/** Without quotes these are a call, an element, or a member of a member: code that gets the secret from elsewhere. */
const CODE = /^[A-Za-z_$]+(?:\??\.[A-Za-z_$]+)+$/;
const BYTES = /\[\s{0,4}(?:\d{1,3}\s{0,4},\s{0,8}){31,127}\d{1,3}\s{0,4}\]/y;

function reportAssignment(text: string, name: Name, report: Report): void {
  // In "arn:aws:secretsmanager:…:secret:…" the word is a part of an identifier.
  if (text[name.start - 1] === ":") return;
  const from = valueStart(text, name);
  if (from === -1) return;
  if (isKeyName(name.text) && matchAt(BYTES, text, from) !== null) {
    report("key-bytes", from, BYTES.lastIndex, 1);
    return;
  }
  const quoted = matchAt(QUOTED, text, from);
  const value = quoted === null ? plainValue(text, from) : (quoted[2] ?? "");
  const kind = assignedKind(name.text, value);
  if (kind === undefined) return;
  const start = quoted === null ? from : QUOTED.lastIndex - value.length;
  report(kind, start, start + value.length, 0);
}

function plainValue(text: string, from: number): string {
  const [value = ""] = matchAt(PLAIN, text, from) ?? [];
  const next = text[from + value.length];
  return next === "(" || next === "[" || CODE.test(value) ? "" : value;
}

/** After `name = `, `"name": `, `<name>` or `--name `. */
function valueStart(text: string, { text: name, start, end }: Name): number {
  if (matchAt(OPERATOR, text, end) !== null) return OPERATOR.lastIndex;
  if (text[end] === ">" && text[start - 1] === "<") return end + 1;
  return name.startsWith("--") && text[end] === " " ? end + 1 : -1;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

/** Shorter encodings hold no secret that its own form shows. */
const MIN_ENCODED = 24;
const ENCODED = charSet(/[0-9A-Za-z+/_-]/).ascii;

/** Runs of characters without a literal to look for: encoded texts, and keys that are only a number in base58. */
function scanRuns(text: string, depth: number, report: Report): void {
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 && ENCODED[code] === 1) continue;
    if (at - start >= MIN_ENCODED) judgeRun(text.slice(start, at), start, at + paddingAt(text, at), depth, report);
    start = at + 1;
  }
}

const paddingAt = (text: string, at: number): number => (text.startsWith("==", at) ? 2 : text[at] === "=" ? 1 : 0);

function judgeRun(run: string, start: number, end: number, depth: number, report: Report): void {
  if (/^(?:[KL][1-9A-HJ-NP-Za-km-z]{51}|5[1-9A-HJ-NP-Za-km-z]{50})$/.test(run) && looksRandom(run))
    report("bitcoin-wif", start, start + run.length, 1);
  if (depth === MAX_DEPTH) return;
  const decoded = decodePrintable(run) ?? (/^[0-9a-fA-F]+$/.test(run) ? decodePrintableHex(run) : undefined);
  if (decoded === undefined) return;
  const inside: Candidate[] = [];
  scan({ text: decoded, sources: undefined }, depth + 1, inside);
  const [first] = merged(inside.filter(({ rank }) => rank > 0));
  if (first !== undefined) report(first.kind, start, end, 1);
}

/** Overlapping finds are one, of the kind that its form says most clearly. */
function merged(found: Candidate[]): SecretMatch[] {
  const ordered = found.sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Candidate[] = [];
  for (const next of ordered) {
    const last = result.at(-1);
    if (last === undefined || next.start >= last.end) {
      result.push(next);
      continue;
    }
    const named = next.rank > last.rank ? next : last;
    result[result.length - 1] = { ...named, start: last.start, end: Math.max(last.end, next.end) };
  }
  return result.map(({ kind, start, end }) => ({ kind, start, end }));
}
