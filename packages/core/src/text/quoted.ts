/** What nobody sees, what reorders a line, and what would end the quotation. */
const escaped = (): RegExp => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\']/gu;

const inert = (character: string): string =>
  character === "\\" || character === "'" ? `\\${character}` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Somebody else's text inside one of our sentences: quoted, inert, and cut to `most` characters. */
export function quoted(text: string, most = 120): string {
  const kept = text.length > most ? [...text.slice(0, most + 1)].slice(0, -1).join("") : text;
  return `'${kept.replace(escaped(), inert)}${kept === text ? "" : "…"}'`;
}
