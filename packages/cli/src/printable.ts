/** What acts on a terminal, hides, or turns a line around. */
const ACTS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of others on a terminal: one line, in which no control, escape, bidi or invisible character acts. */
export const printable = (text: string): string =>
  text.replace(ACTS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** JSON in which such characters are escaped: the same value to whoever reads it, and inert on a terminal. */
export const inertJson = (value: unknown): string =>
  JSON.stringify(value).replace(ACTS, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(""),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
