import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, type Address, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import type { Chain } from "./anvil.ts";
import { type Artifacts, deploy, send } from "./artifacts.ts";

/** One entry of the ground truth: a contract, how it is set up, and what must be said of it. */
export interface Fixture {
  readonly contract: string;
  readonly args: readonly unknown[];
  readonly severity: "safe" | "warn" | "danger";
  readonly factors: readonly string[];
  readonly setup: string;
  readonly note: string;
}

export function readFixtures(folder: string): { readonly supply: bigint; readonly fixtures: readonly Fixture[] } {
  const json = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
  return { supply: BigInt(json.supply), fixtures: json.fixtures };
}

const INIT = parseAbi(["function init(address, uint256)"]);

/** Deploys the token of a fixture, owned by account 0 and holding the whole supply. */
export async function deployFixture(
  chain: Chain,
  artifacts: Artifacts,
  fixture: Fixture,
  supply: bigint,
): Promise<Address> {
  const at = (name: string) => {
    const artifact = artifacts[name];
    if (artifact === undefined) throw new Error(`no artifact ${name}`);
    return artifact;
  };
  const holder = chain.accounts[0] as Address;
  const init = encodeFunctionData({ abi: INIT, functionName: "init", args: [holder, supply] });
  const logic = () => deploy(chain, at("LogicToken"));
  switch (fixture.contract) {
    case "Proxy1967":
      return deploy(chain, at("Proxy1967"), [await logic(), init]);
    case "BeaconProxy":
      return deploy(chain, at("BeaconProxy"), [await deploy(chain, at("Beacon"), [await logic()]), init]);
    case "DiamondToken": {
      const selectors = at("LogicToken")
        .abi.filter((entry) => entry.type === "function")
        .map((entry) => toFunctionSelector(entry));
      return deploy(chain, at("DiamondToken"), [await logic(), selectors, init]);
    }
    case "CloneFactory.make": {
      const factory = await deploy(chain, at("CloneFactory"));
      const data = encodeFunctionData({ abi: at("CloneFactory").abi, functionName: "make", args: [await logic()] });
      const made = await chain.rpc<Hex>("eth_call", { from: holder, to: factory, data }, "latest");
      await chain.send({ to: factory, data });
      const clone: Address = `0x${made.slice(-40)}`;
      await chain.send({ to: clone, data: init });
      return clone;
    }
    default:
      return deploy(
        chain,
        at(fixture.contract),
        fixture.args.map((arg) => (arg === "SUPPLY" ? supply : arg)),
      );
  }
}

/** Runs the set-up call of a fixture, if it has one that fits `when`. */
export async function setUp(
  chain: Chain,
  artifacts: Artifacts,
  fixture: Fixture,
  token: Address,
  pool: Address,
  holders: readonly Address[],
): Promise<void> {
  const match = /^(\w+)\((.*)\)$/.exec(fixture.setup);
  if (match === null || match[1] === "init") return;
  const words: Readonly<Record<string, unknown>> = { pool, holders, true: true };
  const args = (match[2] ?? "").split(",").map((word) => words[word]);
  await send(chain, token, artifacts[fixture.contract]?.abi as Abi, match[1] ?? "", args);
}
