/** A parameter of a content type (RFC 9110, 5.6.6): its name, and its value with or without quotes. */
const PARAMETER = /;[ \t]*([^\s;=]*)[ \t]*=[ \t]*(?:"([^"]*)"|([^;]*))/g;

/**
 * Whether a content type leaves UTF-8 as what the bytes are. Whoever says that they are something else means another text
 * than the one that would be read.
 */
export const saysUtf8 = (contentType: string): boolean =>
  !contentType.includes(";") ||
  Array.from(contentType.matchAll(PARAMETER)).every(
    ([, name = "", quoted, plain = ""]) =>
      name.toLowerCase() !== "charset" || /^utf-?8$/i.test(quoted ?? plain.trimEnd()),
  );
