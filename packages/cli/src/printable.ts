/** What acts on a terminal, hides, or turns a line around. */
const ACTS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of others on a terminal: one line, in which no control, escape, bidi or invisible character acts. */
export const printable = (text: string): string =>
  text.replace(ACTS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
