import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  chainSuite,
  deployPayToken,
  type Market,
  openMarket,
  PAY_TOKEN,
  startFacilitator,
  type TestFacilitator,
} from "@countersign/evm/testing";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { start } from "./testing/command.ts";

const SAFE = { untrusted_text: "please look at the attached invoice" };

chainSuite("the program sells, as it is run", (chain) => {
  const payer = privateKeyToAccount(generatePrivateKey());
  let folder: string;
  let facilitator: TestFacilitator;
  let token: Address;
  let market: Market;
  let gate: ChildProcess | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "countersign-sells-"));
    facilitator = await startFacilitator(chain());
    token = await deployPayToken(chain(), [payer.address]);
    const setting = {
      price: { action_gate: "0.01" },
      network: `eip155:${chain().chainId}`,
      asset: { address: token, decimals: PAY_TOKEN.decimals, name: PAY_TOKEN.name, version: PAY_TOKEN.version },
      pay_to: "0x00000000000000000000000000000000000000aa",
      facilitator: facilitator.url,
      rpc: [chain().url],
      public_url: "https://gate.example",
      internal: { addresses: ["127.0.0.1"] },
    };
    writeFileSync(join(folder, "payments.json"), JSON.stringify(setting));
    market = await openMarket(chain(), token);
    const { registry, factory } = market;
    const venues = { v2: { factory, fee_bps: 30 } };
    const trade = { registry, rpc: setting.rpc, internal: setting.internal, venues };
    writeFileSync(join(folder, "trade.json"), JSON.stringify(trade));
    const sold = { ...setting, price: { evaluate_trade_paid: "0.10" } };
    writeFileSync(join(folder, "sold.json"), JSON.stringify(sold));
  });
  afterEach(() => void gate?.kill("SIGKILL"));
  afterAll(async () => {
    await facilitator.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts the program, over the database that is there, and gives its address. */
  async function serve(settings: readonly string[] = ["--payments", "payments.json"]): Promise<string> {
    const child = start(["serve", "--port", "0", ...settings], folder);
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
  const client = () =>
    new x402Client().register(`eip155:${chain().chainId}`, new ExactEvmScheme(payer)).setSpendControls(false);
  const request = (url: string, body: object, headers: Record<string, string> = {}, path = "/api/action-gate") =>
    new Request(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const spent = async (): Promise<bigint> => {
    const data = encodeFunctionData({ abi: PAY_TOKEN.abi, functionName: "balanceOf", args: [payer.address] });
    return 1_000_000_000n - BigInt(await chain().rpc<Hex>("eth_call", { to: token, data }, "latest"));
  };

  test("to the client that buyers have", async () => {
    const url = await serve();
    const answer = await wrapFetchWithPayment(fetch, client())(request(url, SAFE));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ decision: "ALLOW" });
    expect(await spent()).toBe(10_000n);
  });

  test("verdicts on trades too, with the setting for trades beside the one for payments", async () => {
    const before = await spent();
    const url = await serve(["--payments", "sold.json", "--trade", "trade.json"]);
    const wallet = "0x00000000000000000000000000000000000000f7";
    const trade = { wallet, asset: "UNI-V2", contract_address: market.stock, side: "buy", amount: 60 };
    const answer = await wrapFetchWithPayment(fetch, client())(request(url, trade, {}, "/api/x402/analyze"));
    expect(answer.status).toBe(200);
    // There is a pool and no oracle, and that is worth a warning.
    expect(await answer.json()).toMatchObject({ result: { decision: "warn", tier: 2, audit_seq: 1, error: null } });
    expect((await spent()) - before).toBe(100_000n);
  });

  test("and when it is killed after the money moved, the same payment is answered after the restart, and charged once", async () => {
    const before = await spent();
    const first = await serve();
    const unpaid = await fetch(request(first, SAFE));
    const challenge = JSON.parse(Buffer.from(unpaid.headers.get("payment-required") ?? "", "base64").toString());
    const payment = Buffer.from(JSON.stringify(await client().createPaymentPayload(challenge))).toString("base64");
    const again = (url: string, body: object) => fetch(request(url, body, { "payment-signature": payment }));
    const settled = new Promise<void>((resolve) => {
      facilitator.interfere = async (path, answer) => {
        if (path !== "/settle") return answer();
        await answer();
        resolve();
        // The gate waits for an answer that comes after its end.
        await new Promise((ended) => gate?.once("exit", ended));
        return "hang up";
      };
    });
    const asked = again(first, SAFE).catch(() => undefined);
    await settled;
    gate?.kill("SIGKILL");
    await asked;
    facilitator.interfere = (_path, answer) => answer();
    facilitator.asked.length = 0;
    const second = await serve();
    expect((await (await again(second, SAFE)).json()).code).toBe("payment.in_progress");
    expect((await (await again(second, {})).json()).code).toBe("payment_already_used");
    let answer = await again(second, SAFE);
    for (const end = Date.now() + 60_000; answer.status === 409 && Date.now() < end; answer = await again(second, SAFE))
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await answer.json()).toMatchObject({ decision: "ALLOW" });
    expect(facilitator.asked).toEqual([]);
    expect((await spent()) - before).toBe(10_000n);
  }, 90_000);
});
