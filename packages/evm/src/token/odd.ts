import { type Address, encodeFunctionData, type Hex } from "viem";
import { type BalanceSlots, encodeBalance } from "../balance/slot.ts";
import { least, most, word, wordAt } from "../chain/hex.ts";
import type { CallRequest, ChainView, SimulatedCall } from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { ERC20 } from "../probe/script.ts";
import type { Cast } from "./cast.ts";
import type { FlagBook } from "./flags.ts";
import { gasPriceOf, purse } from "./funding.ts";
import type { Holder } from "./holders.ts";
import { answering } from "./powers/guards.ts";
import { failed, RAN, type StageEnd, skipped } from "./stage.ts";
import type { Subject } from "./subject.ts";
import { DAY, saysFalse } from "./trade/asWallet.ts";
import { differs } from "./trade/legs.ts";
import type { TradeResult } from "./trade/runTrades.ts";

const GAS = 5_000_000n;

/**
 * Behaviours that no trade shows: a hook on the recipient, missing return data, `false` instead of a revert, a balance
 * that cannot be spent, a limit on large amounts. Each transfer has a block and a day of its own, so that a cooldown
 * is not taken for any of them.
 */
export async function runOdd(
  view: ChainView,
  cast: Cast,
  token: Address,
  slots: BalanceSlots | undefined,
  supply: bigint,
  book: FlagBook,
): Promise<StageEnd> {
  if (slots === undefined) return skipped("the balance of a trial wallet could not be set");
  if (!view.capabilities.simulate) return skipped("the node cannot simulate wallets over several blocks");
  const small = most(supply / 1_000_000n, 100_000n);
  const large = supply / 50n;
  const [slotOfSmall, slotOfLarge] = await Promise.all([
    slots.slotOf(view, cast.wallet),
    slots.slotOf(view, cast.victim),
  ]);
  if (!slotOfSmall.ok) return failed(slotOfSmall.error);
  if (!slotOfLarge.ok) return failed(slotOfLarge.error);

  const gasPrice = gasPriceOf(view, cast);
  const send = (from: Address, to: Address, amount: bigint): CallRequest => ({
    from,
    to: token,
    data: encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [to, amount] }),
    gas: GAS,
    gasPrice,
  });
  const listener = cast.stranger;
  const transfers = [
    send(cast.wallet, listener, small / 10n),
    send(cast.wallet, cast.peer, (small * 85n) / 100n),
    send(cast.wallet, cast.peer, small / 5n),
    send(cast.wallet, cast.peer, small / 5n),
    send(cast.bystander, cast.peer, supply * 3n + small),
    send(cast.victim, cast.router, large),
    send(cast.victim, cast.conductor, large / 1_000n),
  ];
  const overrides = {
    [slots.contract]: {
      stateDiff: {
        [slotOfSmall.value]: word(encodeBalance(slots.encoding, small)),
        [slotOfLarge.value]: word(encodeBalance(slots.encoding, large)),
      },
    },
    [listener]: { code: PROBE.Listener },
    ...Object.fromEntries(
      [cast.wallet, cast.victim, cast.bystander].map((one) => [one, { balance: purse(view, cast, 2n * GAS) }]),
    ),
  };
  const got = await view.simulate(
    transfers.map((call, index) => ({
      block: {
        number: view.block.number + 1n + BigInt(index),
        time: view.block.timestamp + 12n + BigInt(index) * DAY,
        feeRecipient: cast.builder,
      },
      ...(index === 0 ? { overrides } : {}),
      calls: [call],
    })),
  );
  if (!got.ok) return failed(got.error);
  const [plain, most_, piece, again, tooMuch, big, tiny] = got.value.flat();
  const moved = (call: SimulatedCall | undefined): boolean => call?.ok === true && !saysFalse(call.data);

  if (plain?.logs.some((log) => log.address === listener) === true) {
    book.set("receiver_hook", "yes", "the recipient of a transfer was called");
  }
  if (moved(plain)) {
    book.clear("receiver_hook");
    if (plain?.data === "0x") book.set("no_return_data", "yes", "a transfer that passed returned nothing");
    book.clear("no_return_data");
    if (moved(most_) || moved(piece) || moved(again)) book.clear("balance_view_mismatch");
    else book.set("balance_view_mismatch", "yes", "a tenth of the balance could be sent, and then nothing more");
    if (moved(tiny) && !moved(big) && book.get("balance_view_mismatch") === "no") {
      book.set("max_tx_limit", "yes", "a fiftieth of the supply cannot be sent, a small part can");
    }
    book.clear("max_tx_limit");
  }
  if (tooMuch?.ok === true) {
    const answer = wordAt(tooMuch.data, 0);
    if (answer === 0n) book.set("returns_false", "yes", "a transfer of more than is held returns false");
    else if (sentAnything(tooMuch))
      book.set("silent_transfer", "yes", "a transfer of more than is held reports success");
  } else book.clear("returns_false");
  return RAN;
}

const sentAnything = (call: SimulatedCall): boolean => call.data === "0x" || (wordAt(call.data, 0) ?? 0n) === 1n;

export interface Moving {
  readonly subject: Subject;
  readonly slots: BalanceSlots | undefined;
  /** Somebody who holds the token: the pool, where there is one. */
  readonly mover: Address | undefined;
  /** A plain wallet that holds the token. */
  readonly seller: Holder | undefined;
  readonly pool: Address | undefined;
  readonly cast: Cast;
}

/**
 * Contracts that a transfer asks, beyond the token's own logic and the ledger that keeps its balances. What a buy asks
 * is listed, and what a holder's sale asks; besides, a trade is done once more while the contracts that the token knows
 * fail, say no, and say yes: whatever changes its outcome is asked.
 */
export async function externalCalls(
  view: ChainView,
  { subject, slots, mover, seller, pool, cast }: Moving,
  { contracts, passed, bought }: Pick<TradeResult, "passed" | "bought"> & { readonly contracts: readonly Address[] },
  book: FlagBook,
): Promise<void> {
  if (mover === undefined || !view.capabilities.accessList) return;
  const token = subject.address;
  const transfer = (to: Address, amount: bigint): Hex =>
    encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [to, amount] });
  const list = (from: Address, data: Hex) => view.accessList({ from, to: token, data });
  const [listed, sold, ...changed] = await Promise.all([
    list(mover, transfer(cast.peer, 1n)),
    seller === undefined || pool === undefined
      ? undefined
      : list(seller.address, transfer(pool, most(least(seller.balance / 2n, bought), 1n))),
    ...(passed === undefined || contracts.length === 0
      ? []
      : ANSWERS.map((code) => passed.again(Object.fromEntries(contracts.map((one) => [one, { code }]))))),
  ]);
  const changes = changed.filter((one) => one.ok && passed !== undefined && differs(passed.legs, one.value));
  if (changes.length > 0) book.set("external_call_on_move", "yes", "a sale depends on what another contract says");
  if (!listed.ok || sold?.ok === false || changed.some((one) => !one.ok)) return;
  // The pool and what it trades against are no exception: a sale that looks at them may mind what it sees.
  const own = new Set<Address>(subject.layers.map(({ address }) => address));
  if (subject.beacon !== undefined) own.add(subject.beacon);
  if (slots !== undefined) own.add(slots.contract);
  const all = [...listed.value, ...(sold?.ok === true ? sold.value : [])].map(({ address }) => address);
  const asked = [...new Set(all)].filter((address) => !own.has(address));
  if (asked.length > 0) book.set("external_call_on_move", "yes", `a transfer reads ${asked.length} other contract(s)`);
  else book.clear("external_call_on_move");
}

/** Fails; says no, or zero; says yes, or one. */
const ANSWERS: readonly Hex[] = ["0x60006000fd", answering(0n), answering(1n)];
