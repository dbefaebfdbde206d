import type { RegistryChain } from "@countersign/core";
import { type Address, encodeFunctionData } from "viem";
import type { Chain } from "./anvil.ts";
import { deploy, deployV2, packaged } from "./artifacts.ts";
import { PAY_TOKEN } from "./payToken.ts";

export interface Market {
  readonly stock: Address;
  readonly factory: Address;
  readonly registry: RegistryChain;
}

/** A token with a hundred dollars' price in a pair against the dollar, and the registry that knows both. */
export async function openMarket(chain: Chain, dollar: Address): Promise<Market> {
  const whole = 10n ** 18n;
  const stock = await deploy(chain, packaged("@uniswap/v2-core/build/ERC20.json"), [1_000_000n * whole]);
  const v2 = await deployV2(chain);
  const pair = await v2.open(stock, dollar);
  const dollars = 1_000_000n * 10n ** BigInt(PAY_TOKEN.decimals);
  const minted = encodeFunctionData({
    abi: PAY_TOKEN.abi,
    functionName: "mint",
    args: [chain.accounts[0] as Address, dollars],
  });
  await chain.send({ to: dollar, data: minted });
  await v2.fill(pair, stock, 10_000n * whole, dollar, dollars);
  const source = "this test";
  const common = { calendar: "always", oracleSwitch: "absent", pools: [], source } as const;
  const registry: RegistryChain = {
    chainId: chain.chainId,
    name: "Test",
    source,
    tokens: [
      { ...common, symbol: "UNI-V2", address: stock, decimals: 18, kind: "stock", pegged: false },
      {
        ...common,
        symbol: PAY_TOKEN.symbol,
        address: dollar,
        decimals: PAY_TOKEN.decimals,
        kind: "stable",
        pegged: true,
      },
    ],
  };
  return { stock, factory: v2.factory, registry };
}
