import type { Action, Material } from "../../action/action.ts";
import type { Finding } from "../../decision/finding.ts";
import { actionsOfMoves } from "../calldata/actions.ts";
import { judgeMoves } from "../calldata/judgeMoves.ts";
import type { Check } from "../check.ts";
import { decodeTypedData } from "./decodeTypedData.ts";

const FAULTS = {
  shape: "the typed data does not have exactly domain, types, primaryType and message",
  types: "the typed data has types that are not those of EIP-712",
  value: "the typed data has values that do not fit its types",
  domain: "the typed data has a domain that cannot be read",
} as const;

/** A signature without a chain id is good on every chain. */
const ANY_CHAIN = "eip155:0";
const chainOf = (id: bigint | undefined): string => (id === undefined ? ANY_CHAIN : `eip155:${id}`);

/** The actions that signing this typed data would allow. */
export function actionsOfTypedData({ typed_data }: Material): readonly Action[] {
  if (typed_data === undefined) return [];
  const read = decodeTypedData(typed_data);
  return read.ok ? actionsOfMoves(read.moves, chainOf(read.chainId)) : [];
}

/** What a signature over EIP-712 data lets happen to money. What is not understood is reviewed. */
export const typedData: Check = {
  name: "typed_data",
  needs: () => [],
  judge({ action, material }): readonly Finding[] {
    const given = material?.typed_data;
    if (given === undefined) return [];
    const path = "/material/typed_data";
    const read = decodeTypedData(given);
    const finding = (code: string, severity: Finding["severity"], message: string): Finding => ({
      check: "typed_data",
      code: `typed_data.${code}`,
      severity,
      path,
      message,
      retry: "changed",
    });
    if (!read.ok) return [finding("malformed", "block", FAULTS[read.fault])];
    const anywhere =
      read.chainId === undefined && read.moves.length > 0
        ? [finding("any_chain", "review", "the signature names no chain, so it is good on every chain")]
        : [];
    const judging = { check: "typed_data", path, chain: chainOf(read.chainId), action, signer: undefined } as const;
    return [...anywhere, ...judgeMoves(read.moves, judging)];
  },
};
