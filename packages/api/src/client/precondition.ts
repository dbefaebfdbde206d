/** What a document that is written takes the place of. */
export interface Replacing {
  /** The digest of the version that the author saw; null where there is none yet. Any other, and nothing is saved. */
  readonly replaces: string | null;
}

/** As the gate asks for it. */
export const conditionOf = ({ replaces }: Replacing): Readonly<Record<string, string>> =>
  replaces === null ? { "if-none-match": "*" } : { "if-match": `"${replaces}"` };

/** The address of what stands in a scope. */
export const placeOf = (base: string, scope: string, id: string): string =>
  `${base}/${encodeURIComponent(scope)}/${encodeURIComponent(id)}`;
