import type { FundedBy, Funding, FundingState, TradeFunding } from "@countersign/core";
import type { TradeFace, TradeRules } from "./ports.ts";

/** How far back funders are looked for. A wallet that is funded over more hands than that begins anew. */
const GENERATIONS = 3;

/** Those whose trades and losses a wallet's count with, beside its own and those of whoever asks. */
export interface Funders {
  readonly funding: TradeFunding;
  readonly subjects: readonly string[];
}

const nobody = (state: FundingState): Funders => ({ funding: { state, funders: [] }, subjects: [] });

export const NOT_ASKED: Funders = nobody("not_asked");

/**
 * Whose trades count together, without asking anybody: those of the wallet, of all that it funded, and of the agent. A
 * fresh wallet starts nothing anew for its agent, and another agent nothing for its wallet. Where the operator names a
 * cluster, that is in the place of the wallet.
 */
export const ownSubjects = ({ clusters }: TradeRules, wallet: string, agent: string): readonly string[] => {
  const named = clusters.get(wallet);
  return [named === undefined ? `funded:${wallet}` : `cluster:${named}`, `agent:${agent}`];
};

/**
 * Whose losses count, each for itself: besides those above the wallet's alone, so that what another wallet gains makes
 * nothing good for this one.
 */
export const lossSubjects = (rules: TradeRules, wallet: string, agent: string, funders: Funders): readonly string[] => [
  ...(rules.clusters.has(wallet) ? [] : [`wallet:${wallet}`]),
  ...ownSubjects(rules, wallet, agent),
  ...funders.subjects,
];

/**
 * Who funded a wallet, and who funded them. It ends at who funds strangers, at a cluster that the operator names, and
 * where nobody knows: what is not known merges nothing, and is said.
 */
export async function fundersOf({ rules, funderOf }: TradeFace, wallet: string): Promise<Funders> {
  if (rules.clusters.has(wallet)) return nobody("configured");
  if (funderOf === null) return NOT_ASKED;
  const funders: FundedBy[] = [];
  const subjects = new Set<string>();
  const found = (state: FundingState): Funders => ({ funding: { state, funders }, subjects: [...subjects] });
  let next = wallet;
  for (let generation = 0; generation < GENERATIONS; generation += 1) {
    const told = await funderOf(next).catch((): Funding => ({ state: "unknown", reason: "the lookup failed" }));
    if (told.state === "unknown") return found("unknown");
    if (told.state === "none") return found(generation === 0 ? "none" : "known");
    const { funder, evidence } = told;
    if (rules.sharedFunders.has(funder)) break;
    const named = rules.clusters.get(funder);
    subjects.add(named === undefined ? `funded:${funder}` : `cluster:${named}`);
    funders.push({ funder, block: evidence.block, transaction: evidence.transaction });
    if (named !== undefined) break;
    next = funder;
  }
  return found("known");
}
