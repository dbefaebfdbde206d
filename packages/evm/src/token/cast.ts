import { type Address, concat, type Hex, keccak256, sliceHex, stringToBytes } from "viem";
import { derivedAddress } from "../chain/hex.ts";

/** Addresses that exist in simulations only, and what else about them a token could recognise. */
export interface Cast {
  readonly trader: Address;
  readonly wallet: Address;
  readonly router: Address;
  readonly peer: Address;
  readonly conductor: Address;
  readonly victim: Address;
  readonly bystander: Address;
  readonly stranger: Address;
  /** Holds much, and sells it to pools through a spender that has no code. */
  readonly whale: Address;
  readonly spender: Address;
  /** Who gets the fees of simulated blocks: in real ones it is never nobody, which is a thing some tokens look at. */
  readonly builder: Address;
  /** Wei offered for gas above what a wallet would offer at least. */
  readonly tip: bigint;
  /** Wei that a trader has beyond what it needs: of the size that people have. */
  readonly change: bigint;
  /** Seconds after which a trade is tried again: about a lunch, half a day, a week, and so on to a year. */
  readonly delays: readonly bigint[];
  /** Code that does the same and has another length and hash, so that nobody knows it by them. */
  disguised(code: Hex): Hex;
}

const DAY = 86_400n;
const DELAYS = [7_200n, DAY / 2n, 5n * DAY, 30n * DAY, 120n * DAY, 400n * DAY] as const;

/** The same seed gives the same cast, so that recorded traffic can be replayed. */
export function castOf(seed: string): Cast {
  const at = (label: string) => derivedAddress(seed, label);
  const noise = keccak256(stringToBytes(`${seed}:noise`));
  const part = (from: number, to: number) => BigInt(sliceHex(noise, from, to));
  const tail = concat([keccak256(noise), sliceHex(noise, 0, 1 + Number(part(0, 1) % 31n))]);
  return {
    trader: at("trader"),
    wallet: at("wallet"),
    router: at("router"),
    peer: at("peer"),
    conductor: at("conductor"),
    victim: at("victim"),
    bystander: at("bystander"),
    stranger: at("stranger"),
    whale: at("whale"),
    spender: at("spender"),
    builder: at("builder"),
    tip: part(1, 5) % 1_000_000_000n,
    change: 10n ** 16n + (part(5, 16) % 10n ** 18n),
    // Not by the clock: a door that is shut between two round figures would not be noticed.
    delays: DELAYS.map((delay, index) => delay + (delay * part(16 + index, 17 + index)) / 1_024n),
    // Behind a stop, where nothing runs it.
    disguised: (code) => concat([code, "0x00", tail]),
  };
}
