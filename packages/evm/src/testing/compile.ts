import { createRequire } from "node:module";

/** Runtime bytecode by contract name. EVM version paris: a probe must also run on chains without PUSH0. */
export function compile(source: string): Readonly<Record<string, string>> {
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const input = {
    language: "Solidity",
    sources: { "Probe.sol": { content: source } },
    settings: {
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
    },
  };
  interface Output {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
    readonly contracts: Readonly<Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>>;
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const failed = output.errors?.filter((error) => error.severity === "error") ?? [];
  if (failed.length > 0) throw new Error(failed.map((error) => error.formattedMessage).join("\n"));
  const contracts = Object.entries(output.contracts["Probe.sol"] ?? {}).map(
    ([name, contract]) => [name, `0x${contract.evm.deployedBytecode.object}`] as const,
  );
  return Object.fromEntries(contracts.filter(([, code]) => code !== "0x").sort());
}
