/**
 * UTF-8 by hand, because core has no TextEncoder. Both directions follow the WHATWG Encoding Standard: a lone surrogate
 * encodes as U+FFFD, and a malformed sequence decodes as one U+FFFD for each maximal subpart.
 */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    if (point < 0x80) {
      bytes[length++] = point;
    } else if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6);
      bytes[length++] = 0x80 | (point & 0x3f);
    } else if (point < 0x10000) {
      const scalar = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
      bytes[length++] = 0xe0 | (scalar >> 12);
      bytes[length++] = 0x80 | ((scalar >> 6) & 0x3f);
      bytes[length++] = 0x80 | (scalar & 0x3f);
    } else {
      at += 1;
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    }
  }
  return bytes.subarray(0, length);
}

/** The text of `bytes`, and whether they were well-formed. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly wellFormed: boolean } {
  const pieces: string[] = [];
  let units: number[] = [];
  let wellFormed = true;
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
      if (more === 0 || left > 0) {
        wellFormed = false;
        point = 0xfffd;
      }
    }
    if (point < 0x10000) units.push(point);
    else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    if (units.length >= 4096) {
      pieces.push(String.fromCharCode(...units));
      units = [];
    }
  }
  pieces.push(String.fromCharCode(...units));
  return { text: pieces.join(""), wellFormed };
}
