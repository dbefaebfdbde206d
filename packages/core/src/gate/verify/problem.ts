/** What is wrong with a log. Codes are public. */
export type ProblemCode =
  | "record.malformed"
  | "record.misplaced"
  | "record.columns"
  | "log.missing"
  | "log.repeated"
  | "log.edited"
  | "log.time"
  | "log.chain"
  | "log.cut_off"
  | "log.beyond_head"
  | "log.root"
  | "log.node"
  | "log.rewritten"
  | "checkpoint.malformed"
  | "checkpoint.signature"
  | "checkpoint.root"
  | "grant.twice"
  | "redeem.twice"
  | "money.missing"
  | "money.unknown"
  | "money.state"
  | "money.time"
  | "money.lines"
  | "money.sum";

export interface LogProblem {
  /** The first leaf index that is wrong or can no longer be vouched for; null when it is not about one record. */
  readonly seq: number | null;
  readonly code: ProblemCode;
  readonly message: string;
}

/** More than this are counted and not kept. */
const kept = 100;

/** Codes of problems that stand at their record. The others say only from where on nothing can be vouched for. */
const EXACT: ReadonlySet<ProblemCode> = new Set([
  "record.malformed",
  "record.misplaced",
  "record.columns",
  "log.missing",
  "log.repeated",
  "log.edited",
  "log.time",
  "log.chain",
  "log.cut_off",
  "log.beyond_head",
  "grant.twice",
  "redeem.twice",
]);

/** Collects problems, and knows the first. */
export class Problems {
  readonly list: LogProblem[] = [];
  count = 0;
  #exact: number | null = null;
  #bound: number | null = null;

  add(seq: number | null, code: ProblemCode, message: string): void {
    this.count += 1;
    if (this.list.length < kept) this.list.push({ seq, code, message });
    if (seq === null) return;
    if (EXACT.has(code)) this.#exact = Math.min(seq, this.#exact ?? seq);
    else this.#bound = Math.min(seq, this.#bound ?? seq);
  }

  first(): number | null {
    return this.#exact ?? this.#bound;
  }
}
