import type { Result } from "@countersign/core";
import type { ChainError } from "../../chain/error.ts";
import type { BlockOverride, ChainView, Overrides } from "../../chain/view.ts";
import type { Legs } from "./legs.ts";

export type Tried = Result<Legs, ChainError>;

/** One way of trying a token, with a pool or without one. */
export interface Trial {
  /** `sale`: through a pool. `pull`: an approved router pulls, and no pool judges. */
  readonly kind: "sale" | "pull";
  readonly venue: 2 | 3 | 4 | undefined;
  asContract(
    view: ChainView,
    options: { readonly gasPrice: "realistic" | "zero"; readonly scale: bigint },
    block?: BlockOverride,
    /** What else of the chain is other than it is. */
    extra?: Overrides,
  ): Promise<Tried>;
  /** A contract that sells what it did not buy; undefined where the balance cannot be given. */
  readonly sellOnly: ((view: ChainView, block?: BlockOverride) => Promise<Tried>) | undefined;
  asWallet(
    view: ChainView,
    options: {
      readonly startAfter: bigint;
      readonly scale: bigint;
      /** How many times the usual size is bought. */
      readonly times?: bigint;
      readonly moved: bigint;
      readonly pace: "apart" | "same_block";
    },
  ): Promise<Tried>;
}

/** The token can be traded this way: bought (where there is a pool), sent on, and sold. */
export const passes = (trial: Trial, legs: Legs): boolean =>
  (trial.kind === "pull" || legs.buy.ok) && legs.sell.ok && (!legs.move.tried || legs.move.ok);

/** The ways in which a token was traded; each is absent where it could not be tried. */
export interface Ways {
  readonly contract: Legs | undefined;
  readonly wallet: Legs | undefined;
  /** A contract that sells what it did not buy. */
  readonly holder: Legs | undefined;
}

export const tried = ({ contract, wallet, holder }: Ways): readonly Legs[] =>
  [contract, wallet, holder].filter((legs) => legs !== undefined);
