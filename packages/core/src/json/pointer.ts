/** The JSON Pointer (RFC 6901) of a path from the root; no segments is the root itself, "". */
export const pointerOf = (segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
