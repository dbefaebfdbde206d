import type { Address } from "viem";
import { derivedAddress } from "../chain/hex.ts";

/** Addresses that exist in simulations only. */
export interface Cast {
  readonly trader: Address;
  readonly wallet: Address;
  readonly router: Address;
  readonly peer: Address;
  readonly conductor: Address;
  readonly victim: Address;
  readonly bystander: Address;
  readonly stranger: Address;
}

/** The same seed gives the same cast, so that recorded traffic can be replayed. */
export function castOf(seed: string): Cast {
  const at = (label: string) => derivedAddress(seed, label);
  return {
    trader: at("trader"),
    wallet: at("wallet"),
    router: at("router"),
    peer: at("peer"),
    conductor: at("conductor"),
    victim: at("victim"),
    bystander: at("bystander"),
    stranger: at("stranger"),
  };
}
