import { createRequire } from "node:module";

const solc = createRequire(import.meta.url)("solc");

/** Runtime bytecode by contract name. EVM version paris: a probe must also run on chains without PUSH0. */
export function compileProbe(source) {
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
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const failed = (output.errors ?? []).filter((error) => error.severity === "error");
  if (failed.length > 0) throw new Error(failed.map((error) => error.formattedMessage).join("\n"));
  const contracts = Object.entries(output.contracts["Probe.sol"])
    .map(([name, contract]) => [name, contract.evm.deployedBytecode.object])
    .filter(([name, code]) => code !== "" && name !== "Foreign");
  return Object.fromEntries(contracts.map(([name, code]) => [name, `0x${code}`]).sort());
}
