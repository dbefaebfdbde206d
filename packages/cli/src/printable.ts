/** What acts on a terminal, hides, or turns a line around. */
const acts = (): RegExp => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts hold nothing else; looking for what acts would take as long to prepare as to start half a check. */
const PLAIN = /^[ -~]*$/;

/** Text of others on a terminal: one line, in which no control, escape, bidi or invisible character acts. */
export const printable = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(acts(), (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** JSON in which such characters are escaped: the same value to whoever reads it, and inert on a terminal. */
export const inertJson = (value: unknown): string =>
  JSON.stringify(value).replace(acts(), (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(""),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
