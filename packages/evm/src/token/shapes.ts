import { type Address, encodeAbiParameters, type Hex } from "viem";
import { decoded } from "../probe/script.ts";
import type { CodeFunction } from "./bytecode.ts";

/** Whom and what the arguments of a privileged call could name. */
export interface Parts {
  readonly victim: Address;
  readonly caller: Address;
  readonly peer: Address;
  /** More than the supply, as a mint would use. */
  readonly huge: bigint;
  /** A part of the supply, for mints with a cap. */
  readonly some: bigint;
  readonly roles: readonly Hex[];
}

export interface Shape {
  /** Arguments by type, in the order they occur. */
  readonly data: Hex;
  readonly namesVictim: boolean;
  readonly kinds: "none" | "flag" | "address" | "number" | "other";
}

/** Numbers that settings take: everything in basis points, everything in percent, a quarter, nothing. */
const SETTINGS = [10_000n, 100n, 25n, 1n, 0n] as const;
const MAX_SHAPES = 14;

/**
 * Calls worth trying for a function of which only the argument types are known. Names prove nothing, so every
 * function is tried as if it were a mint, a freeze, a tax or a limit.
 */
export function shapesOf(fn: CodeFunction, parts: Parts): readonly Shape[] {
  const numbers = [parts.huge, parts.some, ...SETTINGS];
  const hasNumber = fn.args.some((type) => /^u?int/.test(base(type)));
  const hasFlag = fn.args.some((type) => base(type) === "bool");
  const addresses = fn.args.filter((type) => base(type) === "address").length;
  const casts: readonly (readonly Address[])[] =
    addresses === 0
      ? [[]]
      : addresses === 1
        ? [[parts.victim], [parts.caller]]
        : [
            [parts.victim, parts.caller],
            [parts.caller, parts.victim],
            [parts.victim, parts.peer],
          ];
  const shapes = new Map<Hex, Shape>();
  for (const [index, cast] of casts.entries()) {
    // The first cast names the victim; a second one is tried with the numbers a mint would use only.
    const amounts = !hasNumber ? [0n] : index === 0 ? numbers : numbers.slice(0, 2);
    for (const amount of amounts) {
      for (const flag of hasFlag ? [true, false] : [true]) {
        const data = encode(fn, cast, amount, flag, parts.roles[0] ?? ZERO);
        if (data === undefined) continue;
        const namesVictim = cast.includes(parts.victim);
        shapes.set(data, { data, namesVictim, kinds: kindsOf(fn) });
      }
    }
  }
  return [...shapes.values()].slice(0, MAX_SHAPES);
}

const ZERO: Hex = `0x${"00".repeat(32)}`;
const base = (type: string): string => type.replace(/\[\d*\]/g, "");

function kindsOf({ args }: CodeFunction): Shape["kinds"] {
  const bases = args.map(base);
  if (bases.length === 0) return "none";
  if (bases.includes("address")) return "address";
  if (bases.every((type) => type === "bool")) return "flag";
  return bases.some((type) => /^u?int/.test(type)) ? "number" : "other";
}

/** Calldata for one choice of arguments; undefined when a type is not understood. */
function encode(fn: CodeFunction, cast: readonly Address[], amount: bigint, flag: boolean, role: Hex): Hex | undefined {
  let next = 0;
  const person = (): Address => cast[Math.min(next++, cast.length - 1)] ?? "0x0000000000000000000000000000000000000000";
  const value = (type: string): unknown => {
    const array = /^(.*)\[(\d*)\]$/.exec(type);
    if (array !== null) {
      const count = array[2] === "" ? 1 : Math.min(Number(array[2]), 4);
      return Array.from({ length: count }, () => value(array[1] ?? ""));
    }
    if (type === "address") return person();
    if (type === "bool") return flag;
    if (type === "string") return "";
    if (type === "bytes") return "0x";
    if (type === "bytes32") return role;
    const bytes = /^bytes(\d+)$/.exec(type);
    if (bytes !== null) return `0x${"00".repeat(Number(bytes[1]))}`;
    const number = /^(u?)int(\d*)$/.exec(type);
    if (number !== null) {
      const bits = BigInt(number[2] === "" ? 256 : Number(number[2])) - (number[1] === "u" ? 0n : 1n);
      const top = (1n << bits) - 1n;
      return amount > top ? top : amount;
    }
    return undefined;
  };
  const values = fn.args.map(value);
  if (values.includes(undefined)) return undefined;
  return decoded(() => {
    const encoded = encodeAbiParameters(
      fn.args.map((type) => ({ type })),
      values,
    );
    return `${fn.selector}${encoded.slice(2)}` as Hex;
  });
}
