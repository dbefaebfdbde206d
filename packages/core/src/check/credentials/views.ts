/** A text as somebody will read it after decoding, and where each of its characters came from. */
export interface View {
  readonly text: string;
  /** For each character where its source begins; one entry more, for the end. Undefined when nothing was changed. */
  readonly sources: Uint32Array | undefined;
}

/** Characters that are not seen: joiners, marks of direction, variation selectors, soft hyphens, fillers. */
const INVISIBLE =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";

/** What `unwrapped` changes. No two alternatives begin alike beyond a few characters: linear on any text. */
const WRAPPED = new RegExp(
  `%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\\\x[0-9a-f]{2}|\\\\/|&#[0-9]{1,6};|&#x[0-9a-f]{1,5};|[\\uff01-\\uff5e]|\\udb40[\\udc00-\\udfff]|[${INVISIBLE}]`,
  "gi",
);

const codeOf = (wrapped: string): number => {
  const lower = wrapped.toLowerCase();
  if (lower.startsWith("%")) return Number.parseInt(lower.slice(1), 16);
  if (lower === "\\/") return 47;
  if (lower.startsWith("\\")) return Number.parseInt(lower.slice(2), 16);
  if (lower.startsWith("&#x")) return Number.parseInt(lower.slice(3), 16);
  if (lower.startsWith("&#")) return Number.parseInt(lower.slice(2), 10);
  const code = wrapped.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0;
  // Tag characters are invisible ASCII.
  if (code === 0xdb40) return wrapped.charCodeAt(1) - 0xdc00;
  return 0;
};

/**
 * One layer of wrapping taken off: percent-encoding, escapes of JSON and of HTML by number, full-width forms, tag and
 * other invisible characters. A character that does not come out as printable ASCII is left out when it was invisible
 * and left as it was when it was written out. Undefined when there is nothing to take off.
 */
export function unwrapped({ text, sources }: View): View | undefined {
  if (text.search(WRAPPED) === -1) return undefined;
  const parts: string[] = [];
  const from = new Uint32Array(text.length + 1);
  let length = 0;
  const source = (at: number): number => (sources === undefined ? at : (sources[at] ?? 0));
  let done = 0;
  const copy = (end: number) => {
    parts.push(text.slice(done, end));
    for (let at = done; at < end; at += 1, length += 1) from[length] = source(at);
  };
  for (const match of text.matchAll(WRAPPED)) {
    const [wrapped] = match;
    const code = codeOf(wrapped);
    const printable = code >= 32 && code < 127;
    if (!printable && /^[%\\&]/.test(wrapped)) continue;
    copy(match.index);
    done = match.index + wrapped.length;
    if (!printable) continue;
    parts.push(String.fromCharCode(code));
    from[length] = source(match.index);
    length += 1;
  }
  if (done === 0) return undefined;
  copy(text.length);
  from[length] = source(text.length);
  return { text: parts.join(""), sources: from };
}
