import { addDecimals, compareDecimals, type Decimal, parseDecimal, zero } from "../../money/decimal.ts";
import { decodeBase64url } from "../../record/base64url.ts";
import { opensCommitment } from "../../record/commitment.ts";
import type { LogRecord } from "../../record/logRecord.ts";
import type { Sha256 } from "../../record/merkle.ts";
import { asJson } from "../ledger/decide.ts";
import { bucketOf, exact, SHIFTS } from "../ledger/sums.ts";
import type { MoneyLine, MoneyRow, SumRow } from "../ports.ts";
import type { Problems } from "./problem.ts";

interface Expected {
  readonly seq: number;
  /** As the record spells it. */
  readonly at: string;
  readonly commitment: string;
  state: string;
}

/**
 * What the records say happened to money, held against what the ledger counts: every state, every line (by its
 * commitment), and every sum that budgets are judged by. On the way it sees a grant or a receipt that was used twice.
 */
export class MoneyCheck {
  readonly #problems: Problems;
  readonly #sha256: Sha256;
  readonly #expected = new Map<string, Expected>();
  readonly #grants = new Set<string>();
  readonly #redeemed = new Set<string>();
  readonly #sums = new Map<string, Decimal>();
  /** What the records say was erased: only of that may the lines be gone. */
  readonly #erased = new Set<string>();
  /** The stretches that hold spent money whose lines are gone: only there may a sum be more than the lines that are left. */
  readonly #unlined = new Set<string>();

  constructor(problems: Problems, sha256: Sha256) {
    this.#problems = problems;
    this.#sha256 = sha256;
  }

  /** Takes the records in order. */
  record({ seq, at, kind, ref, body }: LogRecord): void {
    if (kind === "decide") {
      const { grant, money } = body;
      if (typeof grant === "string")
        this.#once(this.#grants, grant, seq, "grant.twice", "a grant is used a second time");
      if (typeof money === "string") this.#expected.set(ref, { seq, at, commitment: money, state: "reserved" });
    }
    if (kind === "erase" && Array.isArray(body["erased"])) {
      for (const erased of body["erased"]) if (typeof erased === "string") this.#erased.add(erased);
    }
    if (kind === "redeem") {
      this.#once(this.#redeemed, ref, seq, "redeem.twice", "a decision is redeemed a second time");
      const decision = this.#expected.get(ref);
      if (decision !== undefined) decision.state = "redeemed";
    }
    if (kind === "outcome" || kind === "release") {
      const decision = this.#expected.get(ref);
      if (decision !== undefined) decision.state = String(body["money"]);
    }
  }

  /** Takes the ledger's rows, in any order. */
  row({ decision, seq, at, state, lines, salt }: MoneyRow): void {
    const expected = this.#expected.get(decision);
    this.#expected.delete(decision);
    if (expected === undefined || expected.seq !== seq) {
      this.#problems.add(seq, "money.unknown", "the ledger counts money that no record speaks of");
      return;
    }
    if (expected.state !== state)
      this.#problems.add(seq, "money.state", "the ledger has money in another state than the records say");
    // Money that is moved to another time is in another window.
    if (!Number.isSafeInteger(at) || Date.parse(expected.at) !== at) {
      this.#problems.add(seq, "money.time", "the ledger counts money at another time than the records say");
      return;
    }
    const open = state === "reserved" || state === "redeemed";
    if (salt === null && lines.length === 0 && this.#erased.has(decision)) {
      if (state === "spent") for (const shift of SHIFTS) this.#unlined.add(`${shift}/${bucketOf(at, shift)}`);
      return;
    }
    const bytes = decodeBase64url(salt ?? "");
    const recorded =
      bytes !== undefined &&
      lines.every(isLine) &&
      opensCommitment(expected.commitment, lines.map(asJson), bytes, this.#sha256);
    if (!recorded) {
      this.#problems.add(seq, "money.lines", "the amounts in the ledger are not those that were recorded");
      return;
    }
    if (open || state === "spent") for (const line of lines) this.#count(line.series, at, exact(line.amount));
  }

  sum({ series, shift, bucket, amount }: SumRow): void {
    const key = `${series}/${shift}/${bucket}`;
    const counted = this.#sums.get(key) ?? zero;
    this.#sums.delete(key);
    const stored = parseDecimal(amount);
    const order = stored.ok ? compareDecimals(stored.value, counted) : -1;
    if (order === 0 || (order === 1 && this.#unlined.has(`${shift}/${bucket}`))) return;
    this.#problems.add(null, "money.sum", "a sum in the ledger is not that of its reservations");
  }

  /** When all rows and sums were taken. */
  finish(): void {
    for (const { seq } of this.#expected.values())
      this.#problems.add(seq, "money.missing", "the ledger has lost money that a record speaks of");
    for (const counted of this.#sums.values()) {
      if (compareDecimals(counted, zero) !== 0)
        this.#problems.add(null, "money.sum", "the ledger has lost a sum of its reservations");
    }
  }

  #count(series: readonly string[], at: number, amount: Decimal): void {
    for (const name of series) {
      for (const shift of SHIFTS) {
        const key = `${name}/${shift}/${bucketOf(at, shift)}`;
        this.#sums.set(key, addDecimals(this.#sums.get(key) ?? zero, amount));
      }
    }
  }

  #once(seen: Set<string>, id: string, seq: number, code: "grant.twice" | "redeem.twice", message: string): void {
    if (seen.has(id)) this.#problems.add(seq, code, message);
    seen.add(id);
  }
}

/** Whoever changed a row may have put anything there. */
const isLine = (line: MoneyLine): boolean =>
  parseDecimal(line?.amount).ok &&
  typeof line.currency === "string" &&
  Array.isArray(line.series) &&
  line.series.every((name) => typeof name === "string");
