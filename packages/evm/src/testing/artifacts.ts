import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from "viem";
import type { Chain } from "./anvil.ts";

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

export type Artifacts = Readonly<Record<string, Artifact>>;

export const readArtifacts = (folder: string): Artifacts =>
  JSON.parse(readFileSync(join(folder, "artifacts.json"), "utf8")) as Artifacts;

/** A contract as its authors published it in an npm package. */
export function packaged(path: string): Artifact {
  const json = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), "utf8")) as {
    abi: Abi;
    bytecode: string | { object: string };
  };
  const code = typeof json.bytecode === "string" ? json.bytecode : json.bytecode.object;
  return { abi: json.abi, bytecode: code.startsWith("0x") ? (code as Hex) : `0x${code}` };
}

export async function deploy(chain: Chain, artifact: Artifact, args: readonly unknown[] = []): Promise<Address> {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args });
  return (await chain.send({ data })).contractAddress;
}

export async function send(
  chain: Chain,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
  from?: Address,
  value = 0n,
): Promise<void> {
  const data = encodeFunctionData({ abi, functionName, args });
  await chain.send({ to, data, value, ...(from === undefined ? {} : { from }) });
}

export const TOKEN_ABI = parseAbi([
  "function transfer(address, uint256)",
  "function approve(address, uint256)",
  "function balanceOf(address) view returns (uint256)",
]);
const PAIR_ABI = parseAbi([
  "function mint(address)",
  "function getPair(address, address) view returns (address)",
  "function createPair(address, address)",
]);

/** A V2 factory from its package, and a way to open a pair with liquidity in it. */
export async function deployV2(chain: Chain) {
  const owner = chain.accounts[0] as Address;
  const factory = await deploy(chain, packaged("@uniswap/v2-core/build/UniswapV2Factory.json"), [owner]);
  const pairOf = async (a: Address, b: Address): Promise<Address> => {
    const data = encodeFunctionData({ abi: PAIR_ABI, functionName: "getPair", args: [a, b] });
    const word = await chain.rpc<Hex>("eth_call", { to: factory, data }, "latest");
    return `0x${word.slice(-40)}`;
  };
  return {
    factory,
    async open(token: Address, quote: Address): Promise<Address> {
      await send(chain, factory, PAIR_ABI, "createPair", [token, quote]);
      return pairOf(token, quote);
    },
    async fill(pair: Address, token: Address, amount: bigint, quote: Address, quoteAmount: bigint): Promise<void> {
      await send(chain, token, TOKEN_ABI, "transfer", [pair, amount]);
      await send(chain, quote, TOKEN_ABI, "transfer", [pair, quoteAmount]);
      await send(chain, pair, PAIR_ABI, "mint", [owner]);
    },
  };
}
