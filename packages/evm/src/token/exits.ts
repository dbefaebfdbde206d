import { type Address, encodeFunctionData, maxUint256 } from "viem";
import type { BalanceSlots } from "../balance/slot.ts";
import { most, wordAt } from "../chain/hex.ts";
import type { CallRequest, ChainView, SimulatedCall } from "../chain/view.ts";
import { ERC20 } from "../probe/script.ts";
import type { Cast } from "./cast.ts";
import type { FlagBook } from "./flags.ts";
import { funded, gasPriceOf, mergeOverrides, purse } from "./funding.ts";
import type { Pool } from "./pools.ts";
import { failureReason } from "./reason.ts";
import { failed, RAN, type StageEnd, skipped } from "./stage.ts";
import { saysFalse } from "./trade/asWallet.ts";
import { EXTREME_BPS, lost, NOTICED_BPS } from "./trade/legs.ts";

/**
 * Who takes tokens from holders when they sell, on most chains at the same address. A token that refuses one of them
 * cannot be sold by whoever uses it, and nothing says so until then. Source: the pages of their authors.
 */
const SPENDERS: readonly Address[] = [
  "0x000000000022d473030f116ddee9f6b43ac78ba3", // Permit2
  "0x7a250d5630b4cf539739df2c5dacb4c659f2488d", // Uniswap V2 router
  "0xe592427a0aece92de3edee1f18e0157c05861564", // Uniswap V3 router
  "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45", // Uniswap V3 router 02
  "0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad", // Uniswap universal router
  "0x66a9893cc07d91d95644aedd05d03f95e1dba8af", // Uniswap universal router for V4
  "0x8876789976decbfcbbbe364623c63652db8c0904", // Uniswap universal router of Robinhood Chain
  "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24", // Uniswap V2 router of Base and others
  "0x2626664c2603336e57b271c5c0b26f421741e481", // Uniswap V3 router 02 of Base
  "0x111111125421ca6dc452d289314280a0f8842a65", // 1inch
  "0xdef1c0ded9bec7f1a1670819833240f027b25eff", // 0x
  "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110", // CoW Swap
];

const GAS = 2_000_000n;
const HOUR = 3_600n;
const MAX_POOLS = 4;
/** Pulls at the start that differ in nothing. */
const ALIKE = 2;

/** What the ways out depend on. */
export interface ExitsInput {
  readonly view: ChainView;
  readonly cast: Cast;
  readonly token: Address;
  readonly slots: BalanceSlots | undefined;
  readonly supply: bigint;
  /** The one that was traded through first. */
  readonly pools: readonly Pool[];
  /** Contracts whose addresses the token knows: whoever it treats differently is among them. */
  readonly contracts: readonly Address[];
}

/**
 * Ways out that the trades did not take: into the other pools, through the routers that people use, and at a size at
 * which a sale is worth something. Only the pull into the pool is tried, which is what a token can refuse. The first
 * two and the last are alike: where the second or the last fails, it was the time between or the number of pulls that
 * the token minded, and not who pulled.
 */
export async function tryExits(input: ExitsInput, book: FlagBook): Promise<StageEnd> {
  const { view, cast, token, slots, supply, contracts } = input;
  const targets = [...new Set(input.pools.map(({ route }) => route.target))].slice(0, MAX_POOLS);
  const [main, ...others] = targets;
  if (main === undefined) return skipped("no pool was found, so no way out could be tried");
  if (slots === undefined) return skipped("the balance of a trial holder could not be set");
  if (!view.capabilities.simulate) return skipped("the node cannot simulate wallets over several blocks");
  const goods = await funded(view, cast.whale, slots, supply / 25n);
  if (!goods.ok) return failed(goods.error);
  const gasPrice = gasPriceOf(view, cast);
  const [tiny, big] = [most(supply / 10_000_000n, 1_000n), supply / 50n];
  const call = (
    from: Address,
    functionName: "approve" | "transferFrom" | "balanceOf",
    args: readonly unknown[],
  ): CallRequest => ({
    from,
    to: token,
    data: encodeFunctionData({ abi: ERC20, functionName, args } as never),
    gas: GAS,
    gasPrice,
  });
  const pull = (by: Address, to: Address, amount: bigint): CallRequest[] => [
    call(cast.spender, "balanceOf", [to]),
    call(cast.whale, "approve", [by, maxUint256]),
    call(by, "transferFrom", [cast.whale, to, amount]),
    call(cast.spender, "balanceOf", [to]),
  ];
  const spenders = [...new Set([...SPENDERS, ...contracts])].filter((one) => !targets.includes(one));
  const steps = [
    pull(cast.spender, main, tiny),
    pull(cast.spender, main, tiny),
    ...others.map((target) => pull(cast.spender, target, tiny)),
    ...spenders.map((by) => pull(by, main, tiny)),
    pull(cast.spender, main, big),
    pull(cast.spender, main, tiny),
  ];
  const people = [cast.whale, cast.spender, ...spenders];
  const overrides = mergeOverrides(
    goods.value,
    Object.fromEntries(people.map((one) => [one, { balance: purse(view, cast, 10n * GAS) }])),
  );
  const got = await view.simulate(
    steps.map((calls, index) => ({
      block: {
        number: view.block.number + 1n + BigInt(index),
        time: view.block.timestamp + 12n + BigInt(index) * HOUR,
        feeRecipient: cast.builder,
      },
      ...(index === 0 ? { overrides } : {}),
      calls,
    })),
  );
  if (!got.ok) return failed(got.error);
  const pulls = got.value.map(pullOf);
  const [first, second, last, large] = [pulls[0], pulls[1], pulls.at(-1), pulls.at(-2)];
  if (first?.ok !== true || second?.ok !== true || last?.ok !== true || large === undefined) {
    return { status: "ran", reason: "a trial holder's tokens could not be pulled into a pool" };
  }
  const refused = pulls.slice(ALIKE, ALIKE + others.length).filter((one) => !one.ok);
  if (refused.length > 0) {
    const told = `${refused.length} of ${others.length} further pools does not get it: ${failureReason(refused[0]?.error ?? "0x")}`;
    book.set("pool_refused", "yes", told);
  }
  for (const [index, by] of spenders.entries()) {
    const one = pulls[ALIKE + others.length + index];
    if (one?.ok !== true)
      book.set("router_refused", "yes", `${by} may not take it: ${failureReason(one?.error ?? "0x")}`);
  }
  book.clear("pool_refused", "router_refused");
  // A balance that is only shown explains it as well.
  if (!large.ok && book.get("balance_view_mismatch") === "no") {
    book.set(
      "max_tx_limit",
      "yes",
      `a fiftieth of the supply does not go into the pool: ${failureReason(large.error)}`,
    );
  } else if (large.ok) {
    const bps = lost(big, large.gained);
    if (bps >= EXTREME_BPS) book.set("sell_tax_extreme", "yes", `${bps} basis points of a large sale`);
    else if (bps >= NOTICED_BPS) book.set("sell_tax", "yes", `${bps} basis points of a large sale`);
  }
  return RAN;
}

interface Pull {
  readonly ok: boolean;
  readonly gained: bigint;
  readonly error: SimulatedCall["data"];
}

/** What came of one pull, by what the token itself says of the pool before and after. */
function pullOf(calls: readonly SimulatedCall[]): Pull {
  const [before, , taken, after] = calls;
  const [was, is] = [before, after].map((one) => (one === undefined ? 0n : (wordAt(one.data, 0) ?? 0n)));
  const gained = (is ?? 0n) - (was ?? 0n);
  const done = taken?.ok === true && !saysFalse(taken.data);
  return { ok: done && gained > 0n, gained: gained > 0n ? gained : 0n, error: taken?.ok === false ? taken.data : "0x" };
}
