import { contractInfo } from "evmole";
import type { Address, Hex } from "viem";

/** Opcodes that say something about a token. Each is a hint, never a verdict alone. */
export type Hint =
  | "SELFDESTRUCT"
  | "CALLCODE"
  | "DELEGATECALL"
  | "CALL"
  | "SLOAD"
  | "STATICCALL"
  | "GASPRICE"
  | "ORIGIN"
  | "TIMESTAMP";

const HINTS: ReadonlyMap<number, Hint> = new Map([
  [0x32, "ORIGIN"],
  [0x3a, "GASPRICE"],
  [0x42, "TIMESTAMP"],
  [0x54, "SLOAD"],
  [0xf1, "CALL"],
  [0xf2, "CALLCODE"],
  [0xf4, "DELEGATECALL"],
  [0xfa, "STATICCALL"],
  [0xff, "SELFDESTRUCT"],
]);

export interface CodeFunction {
  readonly selector: Hex;
  /** Canonical argument types as the code unpacks them. */
  readonly args: readonly string[];
  readonly writes: boolean;
}

export interface CodeFacts {
  readonly hints: ReadonlySet<Hint>;
  readonly functions: readonly CodeFunction[];
  /** Storage slots that the code reads or writes by a constant number. */
  readonly slots: readonly bigint[];
  /** Where in those slots an address stands, in bytes from the low end. */
  readonly addressSlots: readonly { readonly slot: bigint; readonly offset: number }[];
  /** Slots of mappings from address to a small value: lists of members. */
  readonly memberships: readonly bigint[];
  /** Addresses that are part of the code: constants and immutables. */
  readonly embedded: readonly Address[];
  /** 32-byte constants that look like hashes: names of roles among them. */
  readonly hashes: readonly Hex[];
  /** Compares a hash with something fixed: who or what passes cannot be found by looking. */
  readonly comparesHashes: boolean;
  /** False when the code is too large or too branched to be read whole. */
  readonly complete: boolean;
}

/** Chains differ in the largest code they allow; beyond this nothing is analysed. */
const MAX_CODE = 96 * 1024;
const MAX_FUNCTIONS = 250;

interface Instruction {
  readonly at: number;
  readonly op: number;
  /** Digits of the pushed constant, for PUSH1 to PUSH32. */
  readonly push?: string;
}

/** Instructions in order. What follows the code (tables, metadata) is walked too; reachability sorts it out. */
function instructions(code: string): Instruction[] {
  const out: Instruction[] = [];
  for (let at = 0; at * 2 < code.length; ) {
    const op = Number.parseInt(code.slice(at * 2, at * 2 + 2), 16);
    const size = op >= 0x60 && op <= 0x7f ? op - 0x5f : 0;
    out.push(size > 0 ? { at, op, push: code.slice(at * 2 + 2, at * 2 + 2 + size * 2) } : { at, op });
    at += 1 + size;
  }
  return out;
}

/** Offsets covered by blocks that control flow can reach, or undefined when a jump could go anywhere. */
function reachable(blocks: readonly ReadonlyMap<string, unknown>[]): ((at: number) => boolean) | undefined {
  interface Data {
    readonly to?: number | { readonly to?: number };
    readonly true_to?: number | { readonly to?: number };
    readonly false_to?: number;
  }
  const byId = new Map(blocks.map((block) => [block.get("id") as number, block]));
  const seen = new Set<number>();
  const queue = [0];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const block = byId.get(id);
    if (block === undefined || seen.has(id)) continue;
    seen.add(id);
    const data = plain(block.get("data")) as Data;
    // A jump to nowhere known is a jump to anywhere: to what a slot holds, for one.
    if (Array.isArray(data.to) && data.to.length === 0) return undefined;
    for (const target of [data.to, data.true_to, data.false_to].flat()) {
      if (typeof target === "number") queue.push(target);
      else if (target !== undefined) {
        for (const jump of [target].flat()) {
          const to = (plain(jump) as { to?: number }).to;
          if (to === undefined) return undefined;
          queue.push(to);
        }
      }
    }
  }
  const ranges = [...seen]
    .map((id) => byId.get(id))
    .map((block) => [block?.get("start"), block?.get("end")] as number[]);
  return (at) => ranges.some(([start = 0, end = -1]) => at >= start && at <= end);
}

const plain = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : (value ?? {}));

/** Any bytes give facts; those that the analysis cannot finish give incomplete ones. */
export function analyse(code: Hex): CodeFacts {
  const kept = known.get(code);
  if (kept !== undefined) return kept;
  const facts = attempted(code);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(code, facts);
  return facts;
}

/** The logic behind many proxies is the same few contracts. */
const known = new Map<Hex, CodeFacts>();
const MAX_KNOWN = 64;

function attempted(code: Hex): CodeFacts {
  try {
    return analysed(code);
  } catch {
    // The analyser is compiled code of somebody else, and what it reads is written by an attacker.
    return NOTHING;
  }
}

function analysed(code: Hex): CodeFacts {
  const digits = code.slice(2);
  if (digits.length > MAX_CODE * 2 || digits.length === 0) return { ...NOTHING, complete: digits.length === 0 };
  const selectors = contractInfo(code, { selectors: true }).functions ?? [];
  const complete = selectors.length <= MAX_FUNCTIONS;
  const info = complete
    ? contractInfo(code, {
        selectors: true,
        arguments: true,
        stateMutability: true,
        storage: true,
        controlFlowGraph: true,
      })
    : {};
  const all = instructions(digits);
  const reach = info.controlFlowGraph === undefined ? undefined : reachable(info.controlFlowGraph.blocks);
  const live = reach === undefined ? all : all.filter(({ at }) => reach(at));
  const storage = info.storage ?? [];
  return {
    complete,
    hints: new Set(live.flatMap(({ op }) => HINTS.get(op) ?? [])),
    functions: (info.functions ?? []).map((found) => ({
      selector: `0x${found.selector}`,
      args: splitTypes(found.arguments ?? ""),
      writes: found.stateMutability !== "view" && found.stateMutability !== "pure",
    })),
    slots: unique([...constantSlots(all), ...storage.filter(isPlain).map((one) => BigInt(`0x${one.slot}`))]).slice(
      0,
      96,
    ),
    addressSlots: storage
      .filter(({ type }) => type === "address")
      .map(({ slot, offset }) => ({ slot: BigInt(`0x${slot}`), offset })),
    memberships: unique(
      storage
        .filter(({ type }) => /^mapping\(address => (bool|uint8|uint256|bytes32)\)$/.test(type))
        .map(({ slot }) => BigInt(`0x${slot}`)),
    ),
    embedded: unique(all.flatMap(embeddedAddress)),
    comparesHashes: live.some((_, index) => comparesHash(live, index)),
    hashes: unique(all.flatMap(({ push }) => (push?.length === 64 && looksLikeHash(push) ? [`0x${push}` as Hex] : []))),
  };
}

/** Who calls and who signed, by opcode. */
const PEOPLE = new Set([0x32, 0x33]);
/** Here ends what is compared with them: a place in memory or storage, a hash, a call, a log. */
const ENDS = new Set([0x20, 0x35, 0x52, 0x53, 0x55, 0xf1, 0xf2, 0xf4, 0xfa, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4]);
const [EQUAL, SUBTRACT, MULTIPLY, SHIFT_LEFT, SHIFT_RIGHT, LOAD] = [0x14, 0x03, 0x02, 0x1b, 0x1c, 0x54];

/**
 * The same code with every gate open that compares the caller with what is stored: products of two addresses are true
 * unless one of them is nobody's, and a number shifted by an address is nothing. Undefined when there is no such gate.
 * A gate whose owner is nobody stays shut, but for the second kind: `owner` says whether that one is opened too.
 */
export function withOpenGates(code: Hex, owner: "live" | "dead"): Hex | undefined {
  const digits = code.slice(2);
  const all = instructions(digits);
  const patched = new Map<number, number>();
  for (const [index, { op }] of all.entries()) {
    if (!PEOPLE.has(op)) continue;
    const loads = all.slice(Math.max(0, index - 14), index).findLastIndex((one) => one.op === LOAD || one.op === 0x35);
    let stored = loads >= 0 && all[Math.max(0, index - 14) + loads]?.op === LOAD;
    for (let at = index + 1; at < Math.min(index + 16, all.length); at += 1) {
      const one = all[at];
      if (one === undefined || ENDS.has(one.op)) break;
      if (one.op === LOAD) stored = true;
      if (one.op === EQUAL && stored) patched.set(one.at, MULTIPLY);
      // The mask of an address is made by a subtraction too.
      const compares = one.op === SUBTRACT && all[at - 1]?.op !== SHIFT_LEFT;
      if (compares && stored && owner === "live") patched.set(one.at, SHIFT_RIGHT);
      if (one.op === EQUAL || compares) break;
    }
  }
  if (patched.size === 0) return undefined;
  const bytes = digits.match(/../g) ?? [];
  for (const [at, op] of patched) bytes[at] = op.toString(16).padStart(2, "0");
  return `0x${bytes.join("")}`;
}

const NOTHING: CodeFacts = {
  hints: new Set(),
  functions: [],
  slots: [],
  addressSlots: [],
  memberships: [],
  embedded: [],
  hashes: [],
  comparesHashes: false,
  complete: false,
};

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const isPlain = ({ type }: { type: string }): boolean => !type.startsWith("mapping");

/** The constant a few instructions before an SLOAD is its slot, or harmlessly something else: reading it costs nothing. */
function constantSlots(all: readonly Instruction[]): bigint[] {
  const slots: bigint[] = [];
  for (const [index, { op }] of all.entries()) {
    if (op !== 0x54) continue;
    for (const { op: before, push } of all.slice(Math.max(0, index - 3), index)) {
      if (before === 0x5f) slots.push(0n);
      if (push !== undefined && push !== "") slots.push(BigInt(`0x${push}`));
    }
  }
  return slots;
}

/** Below this a 160-bit number is taken for an amount, a mask or a flag: no one can grind an address that small. */
const SMALLEST_ADDRESS = 1n << 100n;
const ALL_ONES = (1n << 160n) - 1n;

export const isAddressLike = (value: bigint): boolean => value >= SMALLEST_ADDRESS && value < ALL_ONES;

function embeddedAddress({ push }: Instruction): Address[] {
  if (push?.length !== 40 && !(push?.length === 64 && push.startsWith("0".repeat(24)))) return [];
  const value = BigInt(`0x${push}`);
  return isAddressLike(value) ? [`0x${push.slice(-40)}`] : [];
}

const [KECCAK256, EQ, SUB, XOR, SLOAD, SWAP1, SHL] = [0x20, 0x14, 0x03, 0x18, 0x54, 0x90, 0x1b];

/** Whether the hash made at `index` is compared at once: with what was there before it, a hash, or what a slot holds. */
function comparesHash(all: readonly Instruction[], index: number): boolean {
  if (all[index]?.op !== KECCAK256) return false;
  const rest = all.slice(index + 1, index + 7).filter(({ op }) => op !== SWAP1);
  const compared = (at: number): boolean => [EQ, SUB, XOR].includes(rest[at]?.op ?? 0);
  const [first, second, third] = rest;
  if (first?.op === EQ || first?.op === XOR) return true;
  if (first?.push === undefined) return false;
  if (second?.op === SLOAD) return compared(2);
  // Compilers write a constant that ends in zeros shorter, and shift it.
  const isConstant = first.push.length >= 40 && looksLikeHash(first.push);
  return isConstant && (third?.op === SHL ? compared(3) : compared(1));
}

/** A hash has no long run of equal digits; masks, shifted selectors and panic words do. */
const looksLikeHash = (digits: string): boolean => !/(.)\1{9}/.test(digits);

/** Splits "address,(uint256,bytes)[],bool" at its own commas only. */
export function splitTypes(types: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of types) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (char === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return part === "" ? parts : [...parts, part];
}

export type Delegation =
  | { readonly kind: "none" }
  /** EIP-1167 and its relatives, by the look of it: the target is part of the code and can never change. */
  | { readonly kind: "clone"; readonly target: Address }
  /** EIP-7702: an account whose key can replace the code at any time. */
  | { readonly kind: "account"; readonly target: Address }
  /** Delegates to a target that is read from somewhere. */
  | { readonly kind: "proxy" };

const ACCOUNT = /^0xef0100([0-9a-f]{40})$/;

/** How a contract hands its calls on, judged by its own code alone. */
export function delegation(code: Hex, facts: CodeFacts): Delegation {
  const account = ACCOUNT.exec(code);
  if (account !== null) return { kind: "account", target: `0x${account[1]}` };
  if (!facts.hints.has("DELEGATECALL")) return { kind: "none" };
  const target = facts.embedded[0];
  // What it delegates to may come from its storage, or from another contract that it asks.
  const asks = (["SLOAD", "CALL", "STATICCALL", "CALLCODE"] as const).some((hint) => facts.hints.has(hint));
  if (target !== undefined && facts.embedded.length === 1 && !asks) return { kind: "clone", target };
  const answersItself = facts.functions.some(({ selector }) => selector === "0xa9059cbb");
  return answersItself ? { kind: "none" } : { kind: "proxy" };
}
