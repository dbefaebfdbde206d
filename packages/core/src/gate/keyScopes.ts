import type { KeyScope } from "./apiKey.ts";
import type { KeyHolder } from "./ledger/change.ts";

/** What a key may be for, by whose it is: no program approves or runs the gate, and no agent reads or edits its guard. */
const MAY: { readonly [K in KeyHolder["kind"]]: readonly KeyScope[] } = {
  agent: ["decide", "enforce", "outcome"],
  enforcer: ["decide", "enforce", "outcome", "audit", "policy"],
  person: ["outcome", "review", "policy", "audit", "admin"],
};

/** The scopes of these that a holder of this kind cannot have. */
export const scopesBeyond = (kind: KeyHolder["kind"], scopes: readonly KeyScope[]): readonly KeyScope[] =>
  scopes.filter((scope) => !MAY[kind].includes(scope));
