import type { Action, Calldata, Material } from "../../action/action.ts";
import type { Finding } from "../../decision/finding.ts";
import { parseAtomic } from "../../money/atomic.ts";
import { err, ok, type Result } from "../../result.ts";
import type { Check } from "../check.ts";
import { actionsOfMoves } from "./actions.ts";
import { decodeCalldata } from "./decodeCalldata.ts";
import { judgeMoves } from "./judgeMoves.ts";
import type { Move } from "./move.ts";

const CHAIN = /^eip155:(?:0|[1-9][0-9]{0,19})$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** What a block can hold, about; more is no transaction. */
const MAX_BYTES = 128 * 1024;

/** What calldata of an ask does; the error is the member that is no part of a transaction. */
export function movesOfCalldata(calldata: Calldata): Result<readonly Move[], keyof Calldata> {
  const { chain, to, data, value = "0", from, authorizations = [] } = calldata;
  if (!CHAIN.test(chain)) return err("chain");
  if (!ADDRESS.test(to)) return err("to");
  if (from !== undefined && !ADDRESS.test(from)) return err("from");
  if (data.length > 2 + 2 * MAX_BYTES || !/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) return err("data");
  const paid = parseAtomic(value);
  if (!paid.ok || paid.value >> 256n !== 0n) return err("value");
  if (authorizations.length > 16 || !authorizations.every(({ address }) => ADDRESS.test(address)))
    return err("authorizations");
  return ok(
    decodeCalldata({ to, value: paid.value, data, authorizations: authorizations.map(({ address }) => address) }),
  );
}

/** The actions that signing this calldata would be; none when it is no transaction, which the check blocks. */
export function actionsOfCalldata({ calldata }: Material): readonly Action[] {
  if (calldata === undefined) return [];
  const moves = movesOfCalldata(calldata);
  return moves.ok ? actionsOfMoves(moves.value, calldata.chain) : [];
}

/** What a transaction to be signed really does. What is not understood is reviewed. */
export const calldata: Check = {
  name: "calldata",
  needs: () => [],
  judge({ action, material }): readonly Finding[] {
    const given = material?.calldata;
    if (given === undefined) return [];
    const moves = movesOfCalldata(given);
    if (!moves.ok) {
      return [
        {
          check: "calldata",
          code: "calldata.malformed",
          severity: "block",
          path: `/material/calldata/${moves.error}`,
          message: `the transaction's ${moves.error} cannot be read`,
          retry: "changed",
        },
      ];
    }
    return judgeMoves(moves.value, {
      check: "calldata",
      path: "/material/calldata",
      chain: given.chain,
      action,
      signer: given.from?.toLowerCase(),
    });
  },
};
