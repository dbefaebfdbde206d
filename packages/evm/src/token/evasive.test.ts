import { readFileSync } from "node:fs";
import { judgeToken, type TokenFactor } from "@countersign/core";
import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { PROBE } from "../probe/bytecode.ts";
import { type Compiled, chainSuite, compiled, deploy, deployV2, send, TOKEN_ABI } from "../testing.ts";
import type { Venues } from "./pools.ts";
import { checkTokenSafety, type QuoteMemory } from "./safety.ts";

const SUPPLY = 10n ** 27n;
const PAIR = parseAbi(["function swap(uint256, uint256, address, bytes)"]);
const source = ["Hostile.sol", "Evasive.sol"]
  .map((file) => readFileSync(new URL(`../testing/${file}`, import.meta.url), "utf8"))
  .join("\n");

chainSuite("tokens that know how they are looked at", (chain) => {
  let reader: ChainReader;
  let contracts: Readonly<Record<string, Compiled>>;
  let v2: Awaited<ReturnType<typeof deployV2>>;
  let quote: Address;
  let otherQuote: Address;
  let venues: Venues;
  const memory: QuoteMemory = new Map();
  const at = (name: string): Compiled => {
    const found = contracts[name];
    if (found === undefined) throw new Error(`no contract ${name}`);
    return found;
  };

  beforeAll(async () => {
    contracts = compiled(source, "cancun");
    const connected = await connectChain(chain().transport, chain().chainId);
    if (!connected.ok) throw new Error(connected.error.message);
    reader = connected.value;
    v2 = await deployV2(chain());
    [quote, otherQuote] = [
      await deploy(chain(), at("Ordinary"), [10n ** 30n]),
      await deploy(chain(), at("Ordinary"), [10n ** 30n]),
    ];
    venues = { v2: { factory: v2.factory, feeBps: 30 }, quotes: [quote, otherQuote] };
  });

  const init = (): Hex =>
    encodeFunctionData({ abi: at("Logic").abi, functionName: "init", args: [chain().accounts[0], SUPPLY] });
  /** What a factory makes, as its answer says. */
  async function make(factory: string, args: readonly unknown[]): Promise<Address> {
    const to = await deploy(chain(), at(factory));
    const data = encodeFunctionData({ abi: at(factory).abi, functionName: "make", args });
    const made = await chain().rpc<Hex>("eth_call", { to, data, from: chain().accounts[0] }, "latest");
    await chain().send({ to, data });
    return `0x${made.slice(-40)}`;
  }
  const SPECIAL: Readonly<Record<string, () => Promise<Address>>> = {
    ProbeAware: () => deploy(chain(), at("ProbeAware"), [SUPPLY, keccak256(PROBE.Router)]),
    OwnBeacon: async () => {
      const namer = await deploy(chain(), at("LogicNamer"), [await deploy(chain(), at("Logic"))]);
      return deploy(chain(), at("OwnBeacon"), [namer, init()]);
    },
    DecoyClone: async () => {
      const [decoy, logic] = [await deploy(chain(), at("Logic")), await deploy(chain(), at("MintLogic"))];
      const clone = await make("DecoyMaker", [decoy, logic]);
      await chain().send({ to: clone, data: init() });
      return clone;
    },
    DeepClone: async () => {
      let logic = await deploy(chain(), at("MintLogic"));
      for (let level = 0; level < 5; level += 1) logic = await make("DeepCloner", [logic]);
      await chain().send({ to: logic, data: init() });
      return logic;
    },
  };

  test.each<{ name: string; severity: "danger" | "warn" | "safe"; factors: readonly TokenFactor[] }>([
    { name: "TenMinutes", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "TenDays", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "WindowClosed", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "BigSellTax", severity: "danger", factors: ["sell_tax_extreme"] },
    { name: "BigSellBlocked", severity: "warn", factors: ["max_tx_limit"] },
    { name: "NoRouters", severity: "danger", factors: ["router_refused"] },
    { name: "NoApproval", severity: "danger", factors: ["router_refused"] },
    { name: "OneWayPool", severity: "danger", factors: ["pool_refused"] },
    { name: "ProbeAware", severity: "danger", factors: ["sell_blocked"] },
    { name: "RichOnly", severity: "danger", factors: ["sell_blocked"] },
    { name: "GasPriceKnown", severity: "danger", factors: ["sell_blocked"] },
    { name: "CoinbaseKnown", severity: "danger", factors: ["sell_blocked"] },
    { name: "RandaoAware", severity: "danger", factors: ["sell_blocked"] },
    { name: "ParentAware", severity: "danger", factors: ["sell_blocked"] },
    { name: "QuietFreeze", severity: "danger", factors: ["holder_sells_fail"] },
    { name: "Puppets", severity: "danger", factors: ["holder_sells_fail"] },
    { name: "SellGuard", severity: "warn", factors: ["external_call_on_move"] },
    { name: "OuterAuth", severity: "warn", factors: ["members_hold_powers"] },
    { name: "OuterOwner", severity: "warn", factors: ["members_hold_powers"] },
    { name: "OriginMint", severity: "warn", factors: ["owner_can_mint"] },
    { name: "WalletMint", severity: "warn", factors: ["behaves_differently_for_contracts"] },
    { name: "HashOwner", severity: "warn", factors: ["hashed_gate"] },
    { name: "LedgerDoor", severity: "danger", factors: ["owner_can_rewrite_balances"] },
    { name: "BigBuyer", severity: "danger", factors: ["sell_blocked"] },
    { name: "FiftyBlocks", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "OnlyBuyers", severity: "danger", factors: ["sell_blocked"] },
    { name: "LaterMint", severity: "warn", factors: ["owner_can_mint"] },
    { name: "Melting", severity: "danger", factors: ["balance_shrinks_extreme"] },
    { name: "ListedOwner", severity: "warn", factors: ["owner_can_mint"] },
    { name: "NumberedOwner", severity: "warn", factors: ["owner_can_mint"] },
    { name: "CipherOwner", severity: "warn", factors: ["members_hold_powers"] },
    { name: "PointerBomb", severity: "warn", factors: ["selfdestruct_dormant"] },
    { name: "OwnBeacon", severity: "warn", factors: ["upgradeable_proxy"] },
    { name: "DecoyClone", severity: "warn", factors: ["upgradeable_proxy"] },
    { name: "DeepClone", severity: "warn", factors: ["unreadable_code"] },
    { name: "SenderPays", severity: "danger", factors: ["balance_shrinks_extreme"] },
    { name: "Forgetful", severity: "danger", factors: ["sell_blocked_later"] },
    { name: "RichPool", severity: "warn", factors: ["external_call_on_move"] },
    { name: "TwoHours", severity: "warn", factors: ["cooldown"] },
    { name: "Capped", severity: "warn", factors: ["max_tx_limit"] },
    { name: "SellCapped", severity: "warn", factors: ["max_tx_limit"] },
    { name: "Ordinary", severity: "safe", factors: [] },
    { name: "Voting", severity: "safe", factors: [] },
    { name: "EndlessPermit2", severity: "safe", factors: [] },
    { name: "Renounced", severity: "safe", factors: [] },
    { name: "Vault", severity: "safe", factors: [] },
  ])("$name is $severity", async ({ name, severity, factors }) => {
    const token = await (SPECIAL[name]?.() ?? deploy(chain(), at(name), [SUPPLY]));
    const call = (functionName: string, args: readonly unknown[]) =>
      send(chain(), token, at(name).abi, functionName, args);
    const has = (functionName: string): boolean =>
      contracts[name]?.abi.some((entry) => entry.type === "function" && entry.name === functionName) === true;
    const pair = await v2.open(token, quote);
    const people = chain().accounts.slice(1, 6);
    for (const holder of people) await send(chain(), token, TOKEN_ABI, "transfer", [holder, SUPPLY / 1_000_000n]);
    await v2.fill(pair, token, SUPPLY / 4n, quote, 10n ** 24n);
    if (has("setShut")) {
      // The pool with the better quote is the one that is looked at first.
      const other = await v2.open(token, otherQuote);
      await v2.fill(other, token, SUPPLY / 4n, otherQuote, 10n ** 24n);
      await call("setShut", [other]);
    }
    if (has("freeze")) {
      const out = ((SUPPLY / 4n) * 9n) / 10n ** 7n;
      for (const buyer of people) {
        await send(chain(), quote, TOKEN_ABI, "transfer", [pair, 10n ** 18n]);
        const amounts = BigInt(token) < BigInt(quote) ? [out, 0n] : [0n, out];
        await send(chain(), pair, PAIR, "swap", [...amounts, buyer, "0x"]);
      }
      await call("freeze", [people]);
    }
    if (has("setPair")) await call("setPair", [pair]);
    if (has("setOther")) await call("setOther", [quote]);
    if (has("puppets")) await call("puppets", []);

    const report = await checkTokenSafety(reader, token, { venues, seed: `evasive ${name}`, memory });
    if (!report.ok) throw new Error(report.error.message);
    const judged = judgeToken(report.value.facts, "unregistered");
    const missing = factors.filter((factor) => !judged.factors.includes(factor));
    expect({ severity: judged.severity, missing }).toEqual({ severity, missing: [] });
    expect(report.value.calls).toBeLessThanOrEqual(120);
  });
});
