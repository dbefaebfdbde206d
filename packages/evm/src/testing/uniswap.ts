import { type Address, parseAbi } from "viem";
import type { Chain } from "./anvil.ts";
import { deploy, packaged, send, TOKEN_ABI } from "./artifacts.ts";

const ALL = (1n << 256n) - 1n;

/** Integer square root, rounded down. */
function root(value: bigint): bigint {
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2) + 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}
const sqrtPrice = (amount0: bigint, amount1: bigint): bigint => root((amount1 << 192n) / amount0);

interface Side {
  readonly token: Address;
  readonly amount: bigint;
}

/** By address, as pools want them. */
const ordered = (a: Side, b: Side): readonly [Side, Side] => (BigInt(a.token) < BigInt(b.token) ? [a, b] : [b, a]);

const V3_POSITIONS = parseAbi([
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function createAndInitializePoolIfNecessary(address, address, uint24, uint160) payable",
  "function mint(Mint) payable",
]);

/** A V3 factory and position manager from their packages. */
export async function deployV3(chain: Chain) {
  const owner = chain.accounts[0] as Address;
  const factory = await deploy(
    chain,
    packaged("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"),
  );
  const path =
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json";
  const positions = await deploy(chain, packaged(path), [factory, owner, owner]);
  return {
    factory,
    /** A pool of 0.3 % with liquidity over the full range. */
    async fill(a: Side, b: Side): Promise<void> {
      const [x, y] = ordered(a, b);
      const created = [x.token, y.token, 3_000, sqrtPrice(x.amount, y.amount)];
      await send(chain, positions, V3_POSITIONS, "createAndInitializePoolIfNecessary", created);
      for (const { token } of [x, y]) await send(chain, token, TOKEN_ABI, "approve", [positions, ALL]);
      await send(chain, positions, V3_POSITIONS, "mint", [
        {
          token0: x.token,
          token1: y.token,
          fee: 3_000,
          tickLower: -887_220,
          tickUpper: 887_220,
          amount0Desired: x.amount,
          amount1Desired: y.amount,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: owner,
          deadline: ALL,
        },
      ]);
    },
  };
}

const V4 = parseAbi([
  "struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct Change { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }",
  "function initialize(Key, uint160)",
  "function modifyLiquidity(Key, Change, bytes) payable",
]);
const NO_HOOKS: Address = "0x0000000000000000000000000000000000000000";

/** A V4 pool manager and its liquidity helper from their package. */
export async function deployV4(chain: Chain) {
  const owner = chain.accounts[0] as Address;
  const manager = await deploy(chain, packaged("@uniswap/v4-core/out/PoolManager.sol/PoolManager.json"), [owner]);
  const helper = await deploy(
    chain,
    packaged("@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json"),
    [manager],
  );
  return {
    manager,
    /** A pool of 0.3 % without hooks, with liquidity over the full range. A zero token is the native currency. */
    async fill(a: Side, b: Side): Promise<void> {
      const [x, y] = ordered(a, b);
      const key = { currency0: x.token, currency1: y.token, fee: 3_000, tickSpacing: 60, hooks: NO_HOOKS };
      await send(chain, manager, V4, "initialize", [key, sqrtPrice(x.amount, y.amount)]);
      for (const { token } of [x, y])
        if (token !== NO_HOOKS) await send(chain, token, TOKEN_ABI, "approve", [helper, ALL]);
      const liquidity = root(x.amount * y.amount);
      const change = {
        tickLower: -887_220,
        tickUpper: 887_220,
        liquidityDelta: liquidity,
        salt: `0x${"00".repeat(32)}`,
      };
      const value = x.token === NO_HOOKS ? x.amount + 1n : 0n;
      await send(chain, helper, V4, "modifyLiquidity", [key, change, "0x"], undefined, value);
    },
  };
}
