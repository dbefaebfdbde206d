import type { Clause, Mandate } from "../mandate.ts";

/** How many clauses have lists so long that the index of a mandate looks at them one by one for every action. */
export const searchedClauses = ({ clauses }: Mandate): number => clauses.filter(isWide).length;

const isWide = ({ match: { kind, verb, targetPrefix, counterparty } }: Clause): boolean =>
  kind.length * (verb?.length ?? 1) * (targetPrefix?.length ?? 1) * (counterparty?.length ?? 1) > WIDE;

/** As `compileMandate` has it, on the safe side. */
const WIDE = 64;
