import { isBefore, type Store } from "@countersign/core";
import { type Caller, LOCAL } from "../caller.ts";

/** Whether a caller who was let in some time ago would be let in now. Not knowing is no. */
export type Standing = (caller: Caller) => Promise<boolean>;

export const createStanding =
  ({ keys, clock }: { readonly keys: Pick<Store, "key" | "now">; readonly clock: () => number }): Standing =>
  async (caller) => {
    if (caller === LOCAL) return true;
    const found = await keys.key(caller.tenant, caller.credential);
    if (!found.ok || found.value === null) return false;
    const { revokedAt, expiresAt } = found.value;
    if (revokedAt !== null) return false;
    const live = await isBefore(expiresAt, clock(), caller.tenant, keys);
    return live.ok && live.value;
  };
