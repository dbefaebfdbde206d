import { readFileSync } from "node:fs";
import { judgeToken, type TokenFactor } from "@countersign/core";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { type Compiled, chainSuite, compiled, deploy, deployV2, send, TOKEN_ABI } from "../testing.ts";
import type { Venues } from "./pools.ts";
import { checkTokenSafety, type QuoteMemory, type SafetyReport } from "./safety.ts";

const SUPPLY = 10n ** 27n;

chainSuite("tokens that no fixture describes", (chain) => {
  let reader: ChainReader;
  let contracts: Readonly<Record<string, Compiled>>;
  let v2: Awaited<ReturnType<typeof deployV2>>;
  let quote: Address;
  let venues: Venues;
  const memory: QuoteMemory = new Map();
  const at = (name: string): Compiled => {
    const found = contracts[name];
    if (found === undefined) throw new Error(`no contract ${name}`);
    return found;
  };

  beforeAll(async () => {
    contracts = compiled(readFileSync(new URL("../testing/Hostile.sol", import.meta.url), "utf8"), "cancun");
    const connected = await connectChain(chain().transport, chain().chainId);
    if (!connected.ok) throw new Error(connected.error.message);
    reader = connected.value;
    v2 = await deployV2(chain());
    quote = await deploy(chain(), at("Ordinary"), [10n ** 30n]);
    venues = { v2: { factory: v2.factory, feeBps: 30 }, quotes: [quote] };
  });

  const init = (): Hex =>
    encodeFunctionData({ abi: at("Logic").abi, functionName: "init", args: [chain().accounts[0], SUPPLY] });
  const SPECIAL: Readonly<Record<string, () => Promise<Address>>> = {
    OwnSlotProxy: async () => deploy(chain(), at("OwnSlotProxy"), [await deploy(chain(), at("Logic")), init()]),
    ArgsClone: async () => {
      const [factory, logic] = [await deploy(chain(), at("ArgsCloneFactory")), await deploy(chain(), at("Logic"))];
      const data = encodeFunctionData({ abi: at("ArgsCloneFactory").abi, functionName: "make", args: [logic, init()] });
      const made = await chain().rpc<Hex>("eth_call", { to: factory, data, from: chain().accounts[0] }, "latest");
      await chain().send({ to: factory, data });
      return `0x${made.slice(-40)}`;
    },
    Wrapped: async () => {
      const wrapped = await deploy(chain(), at("Wrapped"));
      await chain().send({ to: wrapped, value: 10n ** 21n });
      return wrapped;
    },
  };

  async function checked(name: string): Promise<SafetyReport> {
    const token = await (SPECIAL[name]?.() ?? deploy(chain(), at(name), [SUPPLY]));
    const pair = await v2.open(token, quote);
    const unit = name === "Wrapped" ? 10n ** 15n : SUPPLY / 1_000_000n;
    for (const holder of chain().accounts.slice(1, 6))
      await send(chain(), token, TOKEN_ABI, "transfer", [holder, unit]);
    await v2.fill(pair, token, name === "Wrapped" ? 10n ** 20n : SUPPLY / 4n, quote, 10n ** 24n);
    const sets = contracts[name]?.abi.some((entry) => entry.type === "function" && entry.name === "setPair");
    if (sets === true) await send(chain(), token, at(name).abi, "setPair", [pair]);
    const report = await checkTokenSafety(reader, token, { venues, seed: `hostile ${name}`, memory });
    if (!report.ok) throw new Error(report.error.message);
    return report.value;
  }

  test.each<{ name: string; severity: string; factors: readonly TokenFactor[] }>([
    { name: "SellOnce", severity: "danger", factors: ["sell_blocked_after_first"] },
    { name: "BlockBomb", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "CoinbaseAware", severity: "danger", factors: ["sell_blocked"] },
    { name: "GasAware", severity: "danger", factors: ["sell_blocked"] },
    { name: "DelayedFreeze", severity: "danger", factors: ["sell_blocked"] },
    { name: "BackDoor", severity: "danger", factors: ["owner_can_rewrite_balances"] },
    { name: "LoosePermit", severity: "danger", factors: ["anyone_can_take"] },
    { name: "OpenMint", severity: "danger", factors: ["anyone_can_mint"] },
    { name: "BurnOthers", severity: "danger", factors: ["owner_can_rewrite_balances"] },
    { name: "PoolDrain", severity: "danger", factors: ["owner_can_rewrite_balances"] },
    { name: "TakeBack", severity: "danger", factors: ["ownership_can_return"] },
    { name: "ImmutableOperator", severity: "danger", factors: ["hidden_authority", "owner_can_mint"] },
    { name: "SecondOperator", severity: "danger", factors: ["hidden_authority", "owner_can_mint"] },
    { name: "WhitelistSell", severity: "danger", factors: ["sell_blocked"] },
    { name: "TaxBomb", severity: "danger", factors: ["tax_rises_later"] },
    { name: "EndlessSell", severity: "danger", factors: ["sell_gas_excessive"] },
    { name: "LoudRevert", severity: "danger", factors: ["sell_blocked"] },
    { name: "LogFlood", severity: "danger", factors: ["sell_gas_excessive"] },
    { name: "PersonalTax", severity: "warn", factors: ["owner_can_raise_tax"] },
    { name: "NotAll", severity: "warn", factors: ["cannot_sell_all"] },
    { name: "RoleMint", severity: "warn", factors: ["owner_can_mint"] },
    { name: "ListMint", severity: "warn", factors: ["members_hold_powers"] },
    { name: "NamedOperator", severity: "warn", factors: ["owner_can_mint"] },
    { name: "PackedOwner", severity: "warn", factors: ["owner_can_pause"] },
    { name: "AppointMint", severity: "warn", factors: ["owner_can_mint"] },
    { name: "OwnSlotProxy", severity: "warn", factors: ["upgradeable_proxy"] },
    { name: "LongCooldown", severity: "warn", factors: ["cooldown"] },
    { name: "OwnerRebase", severity: "warn", factors: ["owner_can_rebase"] },
    { name: "Reflection", severity: "warn", factors: ["buy_tax", "sell_tax", "transfer_tax"] },
    { name: "Wrapped", severity: "safe", factors: [] },
    { name: "Ordinary", severity: "safe", factors: [] },
    { name: "Airdrop", severity: "safe", factors: [] },
    { name: "Accruing", severity: "safe", factors: [] },
    { name: "ArgsClone", severity: "safe", factors: ["clone"] },
    // A transfer needs two million gas, so what stops it could not be seen.
    { name: "ReturnBomb", severity: "warn", factors: [] },
  ])("$name is $severity", async ({ name, severity, factors }) => {
    const { facts, calls } = await checked(name);
    const judged = judgeToken(facts, "unregistered");
    expect({
      severity: judged.severity,
      missing: factors.filter((factor) => !judged.factors.includes(factor)),
    }).toEqual({
      severity,
      missing: [],
    });
    expect(calls).toBeLessThanOrEqual(120);
  });
});
