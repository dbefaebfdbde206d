import type { Action } from "../../action/action.ts";
import { partyKey } from "../../action/partyKey.ts";
import type { Finding } from "../../decision/finding.ts";
import { addDecimals, compareDecimals, type Decimal } from "../../money/decimal.ts";
import { actionsOfMoves } from "./actions.ts";
import { isRevocation, type Move } from "./move.ts";

export interface Judging {
  /** `calldata` or `typed_data`: the check, and the first part of its codes. */
  readonly check: "calldata" | "typed_data";
  readonly path: string;
  /** CAIP-2. */
  readonly chain: string;
  /** What the agent says it is about to do, if it says anything. */
  readonly action: Action | undefined;
  /** The account that signs, where it is known. */
  readonly signer: string | undefined;
}

const WHY = {
  call: "calls a function that is not known",
  arguments: "calls a known function with arguments that do not fit it",
  creation: "creates a contract",
  delegatecall: "runs another contract's code as the account itself",
  command: "has a step that is not known",
  too_much: "has more or deeper calls than are looked into",
  message: "signs a kind of message that is not known",
} as const;

/** What the moves give cause to stop at, and whether they are what the action says. */
export function judgeMoves(moves: readonly Move[], judging: Judging): readonly Finding[] {
  const findings = moves.filter((move) => !isRevocation(move)).flatMap((move) => suspicions(move, judging));
  return judging.action === undefined ? findings : [...findings, ...compare(moves, judging.action, judging)];
}

function suspicions(move: Move, { check, path, signer }: Judging): readonly Finding[] {
  const review = (code: string, message: string): readonly Finding[] => [
    {
      check,
      code: `${check}.${code}`,
      severity: "review",
      path,
      message: move.at === "" ? message : `${message} (call ${move.at})`,
      retry: "changed",
    },
  ];
  switch (move.kind) {
    case "unknown":
      return review(`unknown_${move.reason}`, `the transaction ${WHY[move.reason]}`);
    case "approval":
      if (move.amount !== "unlimited") return [];
      return review("unlimited_approval", `${move.spender} may take all of ${move.token}, now and later`);
    case "operator":
      return review("operator", `${move.operator} may take everything of the collection ${move.collection}`);
    case "delegation":
      return review("delegation", `the account would run the code of ${move.to}, which can do anything with it`);
    case "swap": {
      const { recipient, through } = move;
      if (recipient === "signer" || recipient === through || recipient === signer) return [];
      return review("proceeds_elsewhere", `what is bought goes to ${recipient}`);
    }
    case "transfer":
    case "native":
      return [];
  }
}

/** The action is what was judged and the bytes are what is signed: where they differ, nothing is signed. */
function compare(moves: readonly Move[], action: Action, { check, path, chain }: Judging): readonly Finding[] {
  const block = (code: string, message: string, expected: string): Finding => ({
    check,
    code: `${check}.${code}`,
    severity: "block",
    path,
    message,
    expected,
    retry: "changed",
  });
  const derived = actionsOfMoves(moves, chain);
  const findings: Finding[] = [];
  const { counterparty, amount } = action;
  if (action.kind !== "transaction" && derived.length > 0) {
    findings.push(block("other_kind", "the action is not a transaction, and what is signed is one", "transaction"));
  }
  const concerned = derived.flatMap((one) => (one.counterparty === undefined ? [] : [partyKey(one.counterparty)]));
  const named = counterparty === undefined ? undefined : accountOn(chain, counterparty);
  if (named !== undefined) {
    if (concerned.some((one) => one !== named))
      findings.push(block("other_counterparty", "what is signed concerns another counterparty", counterparty ?? ""));
  } else if (concerned.length > 0) {
    // Lists of counterparties judge the name, so a name that the bytes do not bear out is nobody's.
    const [code, message] =
      counterparty === undefined
        ? ["counterparty_undeclared", "what is signed concerns somebody, and the action names nobody"]
        : [
            "counterparty_not_compared",
            "the action names somebody by no address of this chain, so it was not compared",
          ];
    findings.push({ ...block(code, message, "an address"), severity: "review" });
  }
  const collections = moves.flatMap((move) =>
    move.kind === "transfer" && move.tokenId !== undefined ? [move.token] : [],
  );
  if (collections.some((one) => !action.target.toLowerCase().includes(one))) {
    findings.push({
      ...block(
        "asset_undeclared",
        "what is signed moves tokens of a collection that the action does not name",
        "a target",
      ),
      severity: "review",
    });
  }
  const total = new Map<string, Decimal>();
  for (const { amount: part } of derived) {
    if (part === undefined) continue;
    const before = total.get(part.currency);
    total.set(part.currency, before === undefined ? part.amount : addDecimals(before, part.amount));
  }
  const open = moves.some((move) => !isRevocation(move) && isUnlimited(move));
  if (amount === undefined) {
    if (total.size > 0 || open)
      findings.push({
        ...block("amount_undeclared", "what is signed moves an amount, and the action names none", "an amount"),
        severity: "review",
      });
  } else if (!amount.currency.startsWith(`${chain}/`)) {
    findings.push({
      ...block(
        "amount_not_compared",
        "the action's currency is not an asset of this chain, so amounts were not compared",
        `${chain}/…`,
      ),
      severity: "review",
    });
  } else {
    if (open)
      findings.push(block("other_amount", "what is signed has no limit, and the action names an amount", "an amount"));
    for (const [currency, sum] of total) {
      if (currency !== amount.currency)
        findings.push(block("other_asset", "what is signed moves another asset", amount.currency));
      else if (compareDecimals(sum, amount.amount) > 0)
        findings.push(
          block("other_amount", "what is signed moves more than the action says", "at most the action's amount"),
        );
    }
  }
  return findings;
}

/** The account that a counterparty is, as the bytes would name it; undefined when it is none of this chain. */
function accountOn(chain: string, counterparty: string): string | undefined {
  const match = /^(?:(eip155:[0-9]+):)?(0x[0-9a-fA-F]{40})$/.exec(counterparty);
  if (match === null || (match[1] !== undefined && match[1] !== chain)) return undefined;
  return match[2]?.toLowerCase();
}

function isUnlimited(move: Move): boolean {
  if (move.kind === "swap") return move.payer !== move.through && move.pays.amount === "unlimited";
  return (move.kind === "transfer" || move.kind === "approval") && move.amount === "unlimited";
}
