/** What training found. `scripts/train-instructions` writes it. */
export interface Model {
  /** One signed byte a slot; a unit is `meaningUnit` below MEANING_SLOTS and `wordUnit` above. */
  readonly weights: Int8Array;
  readonly meaningUnit: number;
  readonly wordUnit: number;
  readonly bias: number;
  /** Share of the rules' written weights that is added. */
  readonly writtenShare: number;
  /** Log-odds taken off for each doubling of the number of windows beyond the free ones. */
  readonly lengthShare: number;
  /** From log-odds to score, straight between the knots. */
  readonly knots: readonly (readonly [logOdds: number, score: number])[];
}

/** A model as it is kept: the weights in base64. */
export interface StoredModel extends Omit<Model, "weights"> {
  readonly data: string;
}
