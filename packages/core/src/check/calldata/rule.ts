import type { AbiValue } from "./abi.ts";
import type { Account, Actor, Move } from "./move.ts";

/** A call as a contract receives it. */
export interface Call {
  readonly to: Account;
  /** Base units of the native currency. */
  readonly value: bigint;
  readonly data: string;
  /** msg.sender. */
  readonly by: Actor;
}

/** What a handler may do: say what moves, and name the calls that are made inside. */
export interface Sink {
  move(move: Move extends infer M ? (M extends Move ? Omit<M, "at"> : never) : never): undefined;
  /** In order; each gets its own place in the path. */
  inner(calls: readonly Call[]): undefined;
  /** A program of a Universal Router. */
  program(commands: string, inputs: readonly string[]): undefined;
}

export interface CallRule {
  readonly name: string;
  readonly args: string;
  handle(args: readonly AbiValue[], call: Call, sink: Sink): void;
}

// Values arrive with the types that the table names, so these only tell the compiler.
export const text = (value: AbiValue | undefined): string => value as string;
export const int = (value: AbiValue | undefined): bigint => value as bigint;
export const list = (value: AbiValue | undefined): readonly AbiValue[] => value as readonly AbiValue[];

export const rule = (name: string, args: string, handle: CallRule["handle"]): CallRule => ({ name, args, handle });

/** For calls that are understood and move nothing. */
export const NOTHING: CallRule["handle"] = () => {};
