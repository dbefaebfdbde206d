import * as strict from "../../json/utf8.ts";

/** As TextEncoder does it: a lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => strict.encodeUtf8(text.replace(/\p{Cs}/gu, "\ufffd"));

/**
 * The text of `bytes` as TextDecoder gives it, and whether they were well-formed. What is not becomes one U+FFFD for each
 * maximal subpart (WHATWG Encoding). A byte order mark stays.
 */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly wellFormed: boolean } {
  const text = strict.decodeUtf8(bytes);
  return text === undefined ? { text: decodeWithReplacement(bytes), wellFormed: false } : { text, wellFormed: true };
}

function decodeWithReplacement(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let units: number[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at++] ?? 0;
    let point = lead;
    if (lead >= 0x80) {
      // Table 3-7 of the Unicode Standard: the second byte's range rules out overlong forms, surrogates and > U+10FFFF.
      const more =
        lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
      let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
      let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
      let left = more;
      point = more === 1 ? lead & 0x1f : more === 2 ? lead & 0x0f : lead & 0x07;
      while (left > 0) {
        const next = bytes[at];
        if (next === undefined || next < low || next > high) break;
        point = (point << 6) | (next & 0x3f);
        [low, high] = [0x80, 0xbf];
        at += 1;
        left -= 1;
      }
      if (more === 0 || left > 0) point = 0xfffd;
    }
    if (point < 0x10000) units.push(point);
    else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    if (units.length >= 4096) {
      pieces.push(String.fromCharCode(...units));
      units = [];
    }
  }
  pieces.push(String.fromCharCode(...units));
  return pieces.join("");
}
