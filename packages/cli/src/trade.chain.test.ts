import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import { type Artifact, chainSuite, deploy, deployV2, readArtifacts, send } from "@countersign/evm/testing";
import type { Abi, Address } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isOneLine, start } from "./testing/command.ts";

const UNTRACED = "0x00000000000000000000000000000000000000f9";
const WALLET = "0x00000000000000000000000000000000000000f7";

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const at = (name: string) => artifacts[name] as Artifact;

  chainSuite("the program judges trades on a chain, as it is run", (chain) => {
    let home: string;
    let stock: Address;
    let setting: JsonObject;
    let gate: ChildProcess | undefined;
    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), "countersign-trade-"));
      stock = await deploy(chain(), at("StockToken"), ["NVIDIA", "NVDA", 10n ** 27n]);
      // The program goes by its own clock, and so must the chain.
      await chain().rpc("evm_setNextBlockTimestamp", Math.floor(Date.now() / 1000));
      const feed = await deploy(chain(), at("TestFeed"), [8, "NVDA / USD", 20_000_000_000n]);
      const source = "this test";
      const feedOf = { address: feed, decimals: 8, description: "NVDA / USD", source };
      const token = { symbol: "NVDA", address: stock, decimals: 18, kind: "stock", calendar: "always" };
      const more = { oracleSwitch: "asked", pegged: false, pools: [], source, feed: feedOf };
      const registry = { chainId: chain().chainId, name: "Test", source, tokens: [{ ...token, ...more }] };
      setting = { registry: "registry.json", rpc: [chain().url], internal: { addresses: ["127.0.0.1"] } };
      writeFileSync(join(home, "registry.json"), JSON.stringify(registry));
      const other = { ...registry, tokens: [{ ...token, ...more, decimals: 6 }] };
      writeFileSync(join(home, "other.json"), JSON.stringify(other));
      writeFileSync(join(home, "trade.json"), JSON.stringify(setting));
    });
    afterEach(() => void gate?.kill("SIGKILL"));
    afterAll(() => rmSync(home, { recursive: true }));

    /** Runs it to its end: the chain answers from this process's own child, so nothing here may wait without turning. */
    async function ran(args: readonly string[]) {
      const child = start(args, home);
      const text = { stdout: "", stderr: "" };
      child.stdout.on("data", (part: Buffer) => {
        text.stdout += part;
      });
      child.stderr.on("data", (part: Buffer) => {
        text.stderr += part;
      });
      const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
      return { status, ...text };
    }

    async function serve(): Promise<string> {
      const child = start(["serve", "--port", "0", "--trade", "trade.json"], home);
      gate = child;
      let said = "";
      return new Promise((resolve, reject) => {
        const hear = (text: Buffer): void => {
          said += text;
          const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
          if (url !== undefined) resolve(url);
        };
        child.stdout?.on("data", hear);
        child.stderr?.on("data", hear);
        child.once("exit", () => reject(new Error(said)));
      });
    }
    const post = async (url: string, body: object): Promise<JsonObject> => {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as JsonObject;
    };

    test("over HTTP: the registered token has a verdict at the oracle's price, a look-alike is denied, and the trail holds", async () => {
      const url = await serve();
      const trade = { wallet: WALLET, asset: "NVDA", contract_address: stock, side: "buy", amount: 10 };
      const judged = await post(`${url}/v1/trade/evaluate`, trade);
      expect(judged).toMatchObject({ price_usd: 200, price_source: "oracle", calculated_notional_usd: 2000 });
      expect(judged).toMatchObject({ audit_seq: 1, tier: 1, error: null });
      expect(judged["decision"]).not.toBe("deny");
      expect(await post(`${url}/v1/trade/evaluate`, { ...trade, contract_address: WALLET })).toMatchObject({
        decision: "deny",
        risk_score: 100,
        audit_seq: 2,
      });
      expect(await post(`${url}/v1/trade/verify-audit-trail`, { wallet: WALLET })).toMatchObject({
        healthy: true,
        records_checked: 2,
      });
      // Its coin came out of nothing, so there is no funder to be found, and that is said.
      await chain().rpc("anvil_setBalance", UNTRACED, "0x64");
      await chain().rpc("anvil_mine", "0x2");
      const untraced = await post(`${url}/v1/trade/evaluate`, { ...trade, wallet: UNTRACED });
      expect(untraced["reasons"]).toContainEqual(
        expect.stringMatching(/^ADVISORY: who funded the wallet is not known/),
      );
      const assets = await fetch(`${url}/v1/trade/supported-assets`);
      expect(await assets.json()).toMatchObject({ assets: [{ symbol: "NVDA", contract_address: stock }] });
      const [holder] = chain().accounts;
      const balance = { token_address: stock, holder, delta: -0.5 };
      expect(await post(`${url}/v1/trade/simulate-balance`, balance)).toMatchObject({ delta: -0.5, error: null });
      expect(await post(`${url}/api/x402/analyze`, trade)).toMatchObject({
        result: { decision: "deny", error: "payment_unavailable" },
      });
    });

    test.each([
      ["a registry that the chain contradicts", { registry: "other.json" }, /registry\.mismatch/],
      ["a node that is internal and not listed", { internal: {} }, /chain\./],
      ["a mistake in it", { colour: "red" }, /trade\.malformed/],
    ])("does not start with %s", async (_, change, why) => {
      writeFileSync(join(home, "wrong.json"), JSON.stringify({ ...setting, ...change }));
      const { status, stderr } = await ran(["serve", "--port", "0", "--trade", "wrong.json"]);
      expect(status).toBe(3);
      expect(stderr).toMatch(why);
      expect(isOneLine(stderr)).toBe(true);
    });

    test("a token's report says what was tried and what was seen, and the status is its severity", async () => {
      const supply = 10n ** 27n;
      const v2 = await deployV2(chain());
      const dollar = await deploy(chain(), at("UsdStable"), ["Global Dollar", "USDG", "1", 10n ** 18n]);
      const sold = async (name: string, pairGate: "gated" | "open") => {
        const address = await deploy(chain(), at(name), [supply]);
        const pair = await v2.open(address, dollar);
        await v2.fill(pair, address, 10n ** 24n, dollar, 10n ** 12n);
        if (pairGate === "gated") await send(chain(), address, at(name).abi as Abi, "setPair", [pair]);
        return ["token", address, "--rpc", chain().url, "--quote", dollar, "--v2-factory", v2.factory];
      };
      const plain = await sold("PlainToken", "open");
      const safe = await ran([...plain, "--json"]);
      expect(JSON.parse(safe.stdout)).toMatchObject({ severity: "safe", standing: "unregistered", unknown: [] });
      expect(safe.status).toBe(0);
      const told = await ran(plain);
      expect(told.stdout).toContain(`${plain[1]?.toLowerCase()} on chain 4663 at block`);
      expect(told.stdout).toContain("tried:");
      const trap = await ran([...(await sold("HoneypotPairGate", "gated")), "--json"]);
      expect(JSON.parse(trap.stdout)).toMatchObject({ severity: "danger", factors: ["sell_blocked"] });
      expect(trap.status).toBe(1);
      // Nobody could try a trade, and what was not tried is not safe.
      const [command = "", address = "", flag = "", node = ""] = plain;
      expect((await ran([command, address, flag, node])).status).toBe(2);
    });

    test("without a server: a tool's answer, with the status of its verdict", async () => {
      const asked = { wallet: WALLET, asset: "NVDA", contract_address: stock, side: "buy", amount: 10 };
      writeFileSync(join(home, "ask.json"), JSON.stringify(asked));
      writeFileSync(join(home, "large.json"), JSON.stringify({ ...asked, amount: 26 }));
      writeFileSync(join(home, "bad.json"), JSON.stringify({ ...asked, max_slippage_bps: 501 }));
      const trade = (tool: string, file: string) =>
        ran(["trade", tool, file, "--trade", "trade.json", "--store", "log.db", "--json"]);
      const judged = await trade("evaluate_trade", "ask.json");
      expect(JSON.parse(judged.stdout)).toMatchObject({ price_usd: 200, audit_seq: 1, error: null });
      expect(judged.status).toBe(0);
      const denied = await trade("evaluate_trade", "large.json");
      expect(JSON.parse(denied.stdout)).toMatchObject({ decision: "deny", audit_seq: 2 });
      expect(denied.status).toBe(1);
      expect((await trade("evaluate_trade", "bad.json")).status).toBe(3);
      const trail = await trade("verify_audit_trail", "ask.json");
      expect(JSON.parse(trail.stdout)).toMatchObject({ healthy: true, records_checked: 2 });
      const unknown = await trade("evaluate", "ask.json");
      expect(unknown.status).toBe(3);
      expect(JSON.parse(unknown.stderr)).toMatchObject({ code: "usage", at: "evaluate" });
    });

    test("an address that is none ends in one line", async () => {
      const { status, stderr } = await ran(["token", "0x12", "--rpc", chain().url]);
      expect(status).toBe(3);
      expect(isOneLine(stderr)).toBe(true);
    });
  });
});
