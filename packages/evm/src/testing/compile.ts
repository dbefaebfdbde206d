import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Abi, Hex } from "viem";

export interface Compiled {
  readonly abi: Abi;
  /** Creation code. */
  readonly bytecode: Hex;
  readonly runtime: Hex;
}

type EvmVersion = "paris" | "cancun";

const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache/countersign-contracts");

/** The same, from the disk where this very source was compiled before with the same compiler and settings. */
export function compiled(source: string, evmVersion: EvmVersion): Readonly<Record<string, Compiled>> {
  const { version } = createRequire(import.meta.url)("solc/package.json") as { version: string };
  const how = JSON.stringify([version, settingsOf(evmVersion), source]);
  const file = join(CACHE, `${createHash("sha256").update(how).digest("hex")}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const contracts = compile(source, evmVersion);
  try {
    // Whole or not there: files that run at once may write it together.
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(contracts));
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A checkout that cannot be written to compiles each time.
  }
  return contracts;
}

const settingsOf = (evmVersion: EvmVersion) => ({
  evmVersion,
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
});

/** What each contract of a source compiles to; abstract ones are left out. Reproducible, and about two seconds slow. */
export function compile(source: string, evmVersion: EvmVersion): Readonly<Record<string, Compiled>> {
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: { "source.sol": { content: source } },
    settings: settingsOf(evmVersion),
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
