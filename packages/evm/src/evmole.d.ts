// evmole's exports map has no types; this is the part of its interface that is used.
declare module "evmole" {
  interface MoleFunction {
    readonly selector: string;
    readonly arguments?: string;
    readonly stateMutability?: string;
  }
  interface MoleStorage {
    readonly slot: string;
    readonly offset: number;
    readonly type: string;
    readonly reads: readonly string[];
    readonly writes: readonly string[];
  }
  interface MoleContract {
    readonly functions?: readonly MoleFunction[];
    readonly storage?: readonly MoleStorage[];
    readonly controlFlowGraph?: { readonly blocks: readonly ReadonlyMap<string, unknown>[] };
  }
  export function contractInfo(
    code: string,
    args: {
      selectors?: boolean;
      arguments?: boolean;
      stateMutability?: boolean;
      storage?: boolean;
      controlFlowGraph?: boolean;
    },
  ): MoleContract;
}
