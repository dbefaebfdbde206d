import { type Known, TOKEN_FACTOR_NAMES, type TokenFactor, type TokenFlag } from "@countersign/core";

/** What the stages found, factor by factor. Nothing said is unknown; a yes is never taken back. */
export interface FlagBook {
  set(name: TokenFactor, value: Known, evidence?: string): void;
  get(name: TokenFactor): Known;
  /** Says no to each of these that nobody said yes to. Only a stage that looked may say it. */
  clear(...names: readonly TokenFactor[]): void;
  flags(): Readonly<Record<TokenFactor, TokenFlag>>;
}

const MAX_EVIDENCE = 6;

export function flagBook(): FlagBook {
  const book = new Map<TokenFactor, { value: Known; evidence: string[] }>();
  const entry = (name: TokenFactor) => {
    const found = book.get(name) ?? { value: "unknown" as Known, evidence: [] };
    book.set(name, found);
    return found;
  };
  return {
    set(name, value, evidence) {
      const flag = entry(name);
      if (flag.value !== "yes") flag.value = value;
      const told = evidence === undefined || flag.evidence.includes(evidence);
      if (!told && flag.evidence.length < MAX_EVIDENCE) flag.evidence.push(evidence);
    },
    get: (name) => book.get(name)?.value ?? "unknown",
    clear(...names) {
      for (const name of names) if (entry(name).value === "unknown") entry(name).value = "no";
    },
    flags() {
      const all: Record<string, TokenFlag> = {};
      for (const name of TOKEN_FACTOR_NAMES) all[name] = { ...entry(name) };
      return all as Record<TokenFactor, TokenFlag>;
    },
  };
}
