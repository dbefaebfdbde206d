import type { Result } from "@countersign/core";
import { err, ok } from "@countersign/core";
import { type Address, concat, encodeFunctionData, type Hex, keccak256 } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { word } from "../chain/hex.ts";
import type { ChainView, Overrides } from "../chain/view.ts";
import { ERC20, outcomeWord, read, runScript } from "../probe/script.ts";

/** Where a token keeps a holder's balance, found by writing there in a simulation and looking at what `balanceOf` says. */
export interface BalanceSlots {
  /** The contract whose storage it is; not always the token. */
  readonly contract: Address;
  readonly encoding: Encoding;
  /** Computed where the place follows a formula; else looked up on `view`. */
  slotOf(view: ChainView, holder: Address): Promise<Result<Hex, ChainError>>;
}

export type Encoding =
  /** The balance stands in the word, shifted left by so many bits. */
  | { readonly kind: "shifted"; readonly bits: bigint }
  /** The word holds shares: balance = word * balance / shares, rounded by the token. */
  | { readonly kind: "scaled"; readonly balance: bigint; readonly shares: bigint };

/** The word that shows `amount`; for shares, rounded up so that it shows no less than a unit or two around it. */
export function encodeBalance(encoding: Encoding, amount: bigint): bigint {
  if (encoding.kind === "shifted") return amount << encoding.bits;
  return (amount * encoding.shares + encoding.balance - 1n) / encoding.balance;
}

/** Not 2^256-1 and not a power of two: some tokens keep a flag in the top bit, and none keeps one in the middle. */
const MARKER = 1_234_567_891_011_121_314n;
const GUESSES = 48n;
const SHIFTS = [128n, 96n, 160n, 64n] as const;

const slotAfter = (holder: Address, root: bigint): Hex => keccak256(concat([word(BigInt(holder)), word(root)]));
const slotBefore = (holder: Address, root: bigint): Hex => keccak256(concat([word(root), word(BigInt(holder))]));

export interface SlotQuery {
  readonly conductor: Address;
  readonly token: Address;
  /** An address that holds nothing; its balance is written in simulations only. */
  readonly holder: Address;
  /** Mapping roots worth trying: slots and hashes that the code mentions. */
  readonly roots: readonly bigint[];
  /** Slots that must not be touched: what a proxy delegates to. */
  readonly reserved: readonly bigint[];
}

/** Undefined when no slot shows what is written into it. */
export async function findBalanceSlots(
  view: ChainView,
  query: SlotQuery,
): Promise<Result<BalanceSlots | undefined, ChainError>> {
  const guessed = await guessRoot(view, query);
  if (!guessed.ok || guessed.value !== undefined) return guessed;
  if (!view.capabilities.accessList) return ok(undefined);
  return traceSlot(view, query);
}

const balanceOf = (holder: Address): Hex =>
  encodeFunctionData({ abi: ERC20, functionName: "balanceOf", args: [holder] });

async function shown(
  view: ChainView,
  { conductor, token }: SlotQuery,
  holder: Address,
  overrides: Overrides,
): Promise<Result<bigint | undefined, ChainError>> {
  const outcomes = await runScript(view, conductor, [read(token, balanceOf(holder))], overrides);
  return outcomes.ok ? ok(outcomeWord(outcomes.value[0])) : outcomes;
}

/** Writes another number into every slot a mapping could use, all at once: the number shown names the slot. */
async function guessRoot(view: ChainView, query: SlotQuery): Promise<Result<BalanceSlots | undefined, ChainError>> {
  const { token, holder } = query;
  const small = Array.from({ length: Number(GUESSES) }, (_, index) => BigInt(index));
  const roots = [...new Set([...small, ...query.roots])].slice(0, 160);
  const formulas = roots.flatMap((root) => [
    (of: Address) => slotAfter(of, root),
    (of: Address) => slotBefore(of, root),
  ]);
  const overrides = (bits: bigint): Overrides => ({
    [token]: {
      stateDiff: Object.fromEntries(
        formulas.map((formula, index) => [formula(holder), word((MARKER + BigInt(index)) << bits)]),
      ),
    },
  });
  for (const bits of [0n, SHIFTS[0]]) {
    const balance = await shown(view, query, holder, overrides(bits));
    if (!balance.ok) return balance;
    const formula = balance.value === undefined ? undefined : formulas[Number(balance.value - MARKER)];
    if (formula !== undefined) {
      return ok({
        contract: token,
        encoding: { kind: "shifted", bits },
        slotOf: (_, of) => Promise.resolve(ok(formula(of))),
      });
    }
    // Something was shown, only not a number of ours: the balance is computed, and the trace will tell from what.
    if (balance.value !== undefined && balance.value !== 0n) return ok(undefined);
  }
  return ok(undefined);
}

interface Place {
  readonly address: Address;
  readonly slot: Hex;
}

/** Small numbers are settings; what belongs to one holder is a hash. */
const isHashed = ({ slot }: Place): boolean => BigInt(slot) >> 128n !== 0n;
const MAX_PLACES = 8;

async function placesOf(
  view: ChainView,
  query: SlotQuery,
  holder: Address,
): Promise<Result<readonly Place[], ChainError>> {
  const listed = await view.accessList({ from: query.conductor, to: query.token, data: balanceOf(holder) });
  if (!listed.ok) return listed.error.code === "chain.refused" ? ok([]) : listed;
  const reserved = new Set(query.reserved);
  return ok(listed.value.filter((place) => isHashed(place) && !reserved.has(BigInt(place.slot))));
}

async function traceSlot(view: ChainView, query: SlotQuery): Promise<Result<BalanceSlots | undefined, ChainError>> {
  const places = await placesOf(view, query, query.holder);
  if (!places.ok) return places;
  const candidates = places.value.slice(0, MAX_PLACES);
  for (const bits of [0n, ...SHIFTS]) {
    const tried = await Promise.all(
      candidates.map(({ address, slot }) =>
        shown(view, query, query.holder, { [address]: { stateDiff: { [slot]: word(MARKER << bits) } } }),
      ),
    );
    for (const [index, place] of candidates.entries()) {
      const balance = tried[index];
      // Some nodes refuse to override certain addresses (precompiles of a rollup among them): not this slot, go on.
      if (balance?.ok !== true || balance.value === undefined || balance.value === 0n) continue;
      const encoding: Encoding =
        balance.value === MARKER
          ? { kind: "shifted", bits }
          : { kind: "scaled", balance: balance.value, shares: MARKER << bits };
      return ok({ contract: place.address, encoding, slotOf: (on, of) => placeOf(on, query, place, places.value, of) });
    }
    const failed = tried.find((one) => one.ok === false && one.error.code !== "chain.refused");
    if (failed !== undefined && !failed.ok) return failed;
  }
  return ok(undefined);
}

/** The same place for another holder: the hashed slot of the same contract that the first holder does not share. */
async function placeOf(
  view: ChainView,
  query: SlotQuery,
  known: Place,
  shared: readonly Place[],
  holder: Address,
): Promise<Result<Hex, ChainError>> {
  if (holder === query.holder) return ok(known.slot);
  const places = await placesOf(view, query, holder);
  if (!places.ok) return places;
  const others = new Set(shared.map(({ address, slot }) => `${address}${slot}`));
  const own = places.value.filter(({ address, slot }) => address === known.address && !others.has(`${address}${slot}`));
  const position = shared
    .filter(({ address }) => address === known.address)
    .findIndex(({ slot }) => slot === known.slot);
  const found = own.length === 1 ? own[0] : places.value.filter(({ address }) => address === known.address)[position];
  return found === undefined ? err(NOT_FOUND) : ok(found.slot);
}

const NOT_FOUND = chainError("chain.malformed", "the token's storage of this balance was not found");
