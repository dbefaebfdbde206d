import { createRequire } from "node:module";
import type { Abi, Hex } from "viem";

export interface Compiled {
  readonly abi: Abi;
  /** Creation code. */
  readonly bytecode: Hex;
  readonly runtime: Hex;
}

/** What each contract of a source compiles to; abstract ones are left out. Reproducible, and about two seconds slow. */
export function compile(source: string, evmVersion: "paris" | "cancun"): Readonly<Record<string, Compiled>> {
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: { "source.sol": { content: source } },
    settings: {
      evmVersion,
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  interface Contract {
    readonly abi: Abi;
    readonly evm: {
      readonly bytecode: { readonly object: string };
      readonly deployedBytecode: { readonly object: string };
    };
  }
  interface Output {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
    readonly contracts: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const failed = output.errors?.filter((error) => error.severity === "error") ?? [];
  if (failed.length > 0) throw new Error(failed.map((error) => error.formattedMessage).join("\n"));
  const contracts = Object.entries(output.contracts["source.sol"] ?? {}).map(
    ([name, { abi, evm }]): [string, Compiled] => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` },
    ],
  );
  return Object.fromEntries(
    contracts.filter(([, { runtime }]) => runtime !== "0x").sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
