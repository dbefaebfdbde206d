import { type Address, encodeFunctionData, type Hex } from "viem";
import { type BalanceSlots, encodeBalance } from "../balance/slot.ts";
import { most, word, wordAt } from "../chain/hex.ts";
import {
  type CallRequest,
  type ChainView,
  RICH,
  realisticGasPrice,
  type SimulatedCall,
  SOMEBODY,
} from "../chain/view.ts";
import { PROBE } from "../probe/bytecode.ts";
import { ERC20 } from "../probe/script.ts";
import type { Cast } from "./cast.ts";
import type { FlagBook } from "./flags.ts";
import { failed, RAN, type StageEnd, skipped } from "./stage.ts";
import type { Subject } from "./subject.ts";
import { DAY, saysFalse } from "./trade/asWallet.ts";

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

  const gasPrice = realisticGasPrice(view.block);
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
    ...Object.fromEntries([cast.wallet, cast.victim, cast.bystander].map((one) => [one, { balance: RICH }])),
  };
  const got = await view.simulate(
    transfers.map((call, index) => ({
      block: {
        number: view.block.number + 1n + BigInt(index),
        time: view.block.timestamp + 12n + BigInt(index) * DAY,
        feeRecipient: SOMEBODY,
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

/** Contracts that a transfer asks, beyond the token's own logic and the ledger that keeps its balances. */
export async function externalCalls(
  view: ChainView,
  subject: Subject,
  slots: BalanceSlots | undefined,
  holder: Address | undefined,
  cast: Cast,
  known: readonly Address[],
  book: FlagBook,
): Promise<readonly Address[]> {
  if (holder === undefined || !view.capabilities.accessList) return [];
  const data: Hex = encodeFunctionData({ abi: ERC20, functionName: "transfer", args: [cast.peer, 1n] });
  const listed = await view.accessList({ from: holder, to: subject.address, data });
  if (!listed.ok) return [];
  const own = new Set<Address>([...subject.layers.map(({ address }) => address), ...known, holder, cast.peer]);
  if (slots !== undefined) own.add(slots.contract);
  const asked = [...new Set(listed.value.map(({ address }) => address))].filter((address) => !own.has(address));
  if (asked.length > 0) book.set("external_call_on_move", "yes", `a transfer reads ${asked.length} other contract(s)`);
  else book.clear("external_call_on_move");
  return asked;
}
