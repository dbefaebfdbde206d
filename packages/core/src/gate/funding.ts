/** Who first sent a wallet the coin that it pays gas with, as far as a chain tells. */
export type Funding =
  | {
      readonly state: "funded";
      /** Lower case. Whoever sent the transaction, where a contract in between paid. */
      readonly funder: string;
      readonly evidence: {
        readonly block: string;
        readonly transaction: string;
        readonly by: "transfer" | "call";
      };
    }
  /** Nobody has: it is empty, or has what it had when the chain began. */
  | { readonly state: "none" }
  /** The chain could not be read, or does not tell. It merges nothing, and clears nobody. */
  | { readonly state: "unknown"; readonly reason: string };

/** Never throws. A wallet is an address in lower case. */
export type FunderOf = (wallet: string) => Promise<Funding>;
