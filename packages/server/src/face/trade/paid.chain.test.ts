import { PAID_TRADE, problemOf, TRADE_TOOLS } from "@countersign/api";
import { err, type JsonObject, ok, type Store, TRADE_SETTINGS, type TradeChain } from "@countersign/core";
import { connectChain, HTTP_DEFAULTS, httpTransport, tradeChain } from "@countersign/evm";
import { type Chain, chainSuite, type Market, openMarket } from "@countersign/evm/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { PaymentRequired } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Address } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LOCAL } from "../../caller.ts";
import { hexSha256, random, sha256 } from "../../testing/paymentWorld.ts";
import { type Goods, openShop, type Shop } from "../../testing/shop.ts";
import { tradeDialect } from "./tradeDialect.ts";

const PATH = "/api/x402/analyze";
const PRICE = 100_000n;
const WALLET = "0x00000000000000000000000000000000000000f7";
const KEY = { authorization: "Bearer trader" };

const published = TRADE_TOOLS.find(({ name }) => name === PAID_TRADE)?.outputSchema ?? {};
const isPublished = new Ajv2020({ strict: false }).compile(published);

chainSuite("a verdict on a trade is sold on a real chain", (chain) => {
  let shop: Shop;
  let payer: PrivateKeyAccount;
  let stock: Address;
  let verdicts: () => number;

  beforeAll(async () => {
    shop = await openShop(chain(), async (store, dollar) => {
      const market = await openMarket(chain(), dollar);
      stock = market.stock;
      const counted = await countedChain(chain(), market);
      verdicts = counted.read;
      return goods(store, counted.chain);
    });
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    payer = await shop.wallet();
    shop.facilitator.asked.length = 0;
    shop.facilitator.interfere = (_path, answer) => answer();
  });

  /** Above what the first tier may, and within the second. */
  const trade = (change: object = {}) => ({
    wallet: WALLET,
    asset: "UNI-V2",
    contract_address: stock,
    side: "buy",
    amount: 60,
    max_slippage_bps: 300,
    ...change,
  });
  const network = () => `eip155:${chain().chainId}` as const;
  const wallet = () =>
    new x402Client().register(network(), new ExactEvmScheme(payer)).setSpendControls({
      allowedAssets: [{ network: network(), asset: shop.token, maxAmountPerPayment: `${PRICE}` }],
    });
  const paid = async () => 1_000_000_000n - (await shop.balance(payer.address));
  const request = (body: object, headers: Record<string, string> = {}) =>
    [
      shop.url + PATH,
      { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) },
    ] as const;
  const post = async (body: object, headers?: Record<string, string>) => {
    const answer = await fetch(...request(body, headers));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const base64 = (of: unknown) => Buffer.from(JSON.stringify(of)).toString("base64");
  const header = (payment: unknown) => ({ "payment-signature": base64(payment) });
  const challenge = async (): Promise<PaymentRequired> => {
    const unpaid = await post(trade());
    return JSON.parse(Buffer.from(unpaid.headers.get("payment-required") ?? "", "base64").toString());
  };
  const payment = async () => wallet().createPaymentPayload(await challenge());
  /** What the log and the chain saw while `work` ran: verdicts recorded, and times that the chain was read. */
  async function during<T>(work: () => Promise<T>) {
    const before = [await shop.answers(), verdicts()] as const;
    const given = await work();
    return { given, recorded: (await shop.answers()) - before[0], read: verdicts() - before[1] };
  }

  describe("over HTTP", () => {
    test("whoever does not pay is told the price in the published flat form, and nothing of a verdict", async () => {
      const { given, recorded, read } = await during(() => post(trade()));
      expect(given.status).toBe(402);
      const body = JSON.parse(given.text);
      expect(body.result).toEqual({
        status: "payment_required",
        network: network(),
        asset: shop.token,
        amount: `${PRICE}`,
        pay_to: shop.payTo,
        resource: `https://gate.example${PATH}`,
        description: expect.any(String),
        max_timeout_seconds: 60,
        tier_granted: 2,
        error: null,
      });
      expect(isPublished({ result: body.result }), JSON.stringify(isPublished.errors)).toBe(true);
      const inHeader = JSON.parse(Buffer.from(given.headers.get("payment-required") ?? "", "base64").toString());
      expect(inHeader).toMatchObject({ x402Version: 2, accepts: [{ amount: body.result.amount }] });
      expect(given.text).not.toContain("decision");
      expect([recorded, read]).toEqual([0, 0]);
    });

    test("the client that buyers have pays once and has one verdict, of the second tier", async () => {
      const payTo = await shop.balance(shop.payTo);
      const buyer = wrapFetchWithPayment(fetch, wallet());
      const { given, recorded, read } = await during(() => buyer(...request(trade())));
      expect(given.status).toBe(200);
      const answer = (await given.json()) as { result: JsonObject };
      expect(isPublished(answer), JSON.stringify(isPublished.errors)).toBe(true);
      // There is a pool and no oracle, and that is worth a warning.
      expect(answer.result).toMatchObject({ decision: "warn", tier: 2, max_trade_usd: 25_000, error: null });
      expect(Number(answer.result["calculated_notional_usd"])).toBeGreaterThan(5_000);
      expect(answer.result["audit_seq"]).toEqual(expect.any(Number));
      expect(decodePaymentResponseHeader(given.headers.get("payment-response") ?? "")).toMatchObject({
        success: true,
        network: network(),
        payer: payer.address.toLowerCase(),
      });
      expect([recorded, read]).toEqual([1, 1]);
      expect(await paid()).toBe(PRICE);
      expect((await shop.balance(shop.payTo)) - payTo).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("the same proof has the same answer again, wherever it stands, and no second verdict or charge", async () => {
      const proof = await payment();
      const first = await post(trade(), header(proof));
      expect(first.status).toBe(200);
      const { given, recorded, read } = await during(async () => [
        await post(trade(), header(proof)),
        await post({ ...trade(), payment_proof: base64(proof) }),
      ]);
      for (const again of given) {
        expect(again.status).toBe(200);
        expect(again.text).toBe(first.text);
        expect(again.headers.get("payment-response")).toBe(first.headers.get("payment-response"));
      }
      expect([recorded, read]).toEqual([0, 0]);
      expect(await paid()).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("five at once with one payment are one verdict and one charge", async () => {
      const proof = await payment();
      const { given, recorded, read } = await during(() =>
        Promise.all(Array.from({ length: 5 }, () => post(trade(), header(proof)))),
      );
      expect(given.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(given.filter(({ text }) => text.includes("decision"))).toHaveLength(1);
      expect([recorded, read]).toEqual([1, 1]);
      expect(await paid()).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test.each<[string, object]>([
      ["another amount", { amount: 59 }],
      ["another wallet", { wallet: "0x00000000000000000000000000000000000000f8" }],
      ["another side", { side: "sell" }],
      ["a request_id", { request_id: "another" }],
    ])("a payment for one body buys none with %s", async (_, change) => {
      const proof = await payment();
      expect((await post(trade(), header(proof))).status).toBe(200);
      const { given, recorded, read } = await during(() => post(trade(change), header(proof)));
      expect(given.status).toBe(409);
      expect(JSON.parse(given.text).code).toBe("payment_already_used");
      expect(given.text).not.toContain("decision");
      expect([recorded, read]).toEqual([0, 0]);
      expect(await paid()).toBe(PRICE);
    });

    test.each<[string, number, (proof: JsonObject) => unknown]>([
      ["for the tool over MCP", 402, (proof) => ({ ...proof, resource: { url: `mcp://tool/${PAID_TRADE}` } })],
      ["that says it accepted less", 402, (proof) => ({ ...proof, accepted: { ...accepted(proof), amount: "1" } })],
      ["to somebody else", 402, (proof) => ({ ...proof, accepted: { ...accepted(proof), payTo: WALLET } })],
      ["that is none", 402, () => ({})],
    ])("a payment %s buys nothing", async (_, status, changed) => {
      const proof = (await payment()) as unknown as JsonObject;
      const { given, recorded, read } = await during(() => post(trade(), header(changed(proof))));
      expect(given.status).toBe(status);
      expect(given.text).not.toContain("decision");
      expect([recorded, read, await paid()]).toEqual([0, 0, 0n]);
      expect(shop.facilitator.asked).not.toContain("/settle");
    });

    test("a request that could have no verdict is told so, and its payment is still good", async () => {
      const proof = await payment();
      const { given, recorded } = await during(() => post(trade({ max_slippage_bps: 501 }), header(proof)));
      expect([given.status, recorded, await paid()]).toEqual([400, 0, 0n]);
      expect((await post(trade(), header(proof))).status).toBe(200);
    });
  });

  describe.each([
    { era: "2025-11-25", options: {} },
    { era: "2026-07-28", options: { versionNegotiation: { mode: { pin: "2026-07-28" } as const } } },
  ])("over MCP of $era", ({ era, options }) => {
    let client: Client;
    beforeAll(async () => {
      client = new Client({ name: "buyer", version: "1" }, options);
      const url = new URL(`${shop.url}/mcp/trade`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: KEY } }));
      // From here on the client holds every answer to the schema that was listed.
      await client.listTools();
      expect(client.getNegotiatedProtocolVersion()).toBe(era);
    });
    afterAll(() => client.close());

    const call = (input: object, proof?: unknown) =>
      client.callTool({
        name: PAID_TRADE,
        arguments: { ...input },
        ...(proof === undefined ? {} : { _meta: { "x402/payment": proof } }),
      } as never);
    const proofOf = async () => {
      const told = await call(trade());
      return wallet().createPaymentPayload(told._meta?.["x402/payment-required"] as unknown as PaymentRequired);
    };
    const textOf = (result: Awaited<ReturnType<typeof call>>) => (result.content as { text: string }[])[0]?.text ?? "";

    test("whoever does not pay is told the price in the published flat form, which a strict client reads", async () => {
      const { given, recorded, read } = await during(() => call(trade()));
      expect(given.isError).not.toBe(true);
      expect(given.structuredContent).toMatchObject({
        result: {
          status: "payment_required",
          amount: `${PRICE}`,
          resource: `mcp://tool/${PAID_TRADE}`,
          tier_granted: 2,
        },
      });
      expect(JSON.parse(textOf(given))).toEqual(given.structuredContent);
      expect(given._meta?.["x402/payment-required"]).toMatchObject({
        x402Version: 2,
        accepts: [{ asset: shop.token }],
      });
      expect([recorded, read]).toEqual([0, 0]);
    });

    test("one payment in `_meta` is one verdict and one charge, however often and at once it is shown", async () => {
      const proof = await proofOf();
      const { given, recorded, read } = await during(() =>
        Promise.all(Array.from({ length: 5 }, () => call(trade(), proof))),
      );
      const sold = given.filter((result) => result.isError !== true);
      expect(sold).toHaveLength(1);
      expect(sold[0]?.structuredContent).toMatchObject({ result: { decision: "warn", tier: 2, error: null } });
      expect(sold[0]?._meta?.["x402/payment-response"]).toMatchObject({ success: true });
      expect([recorded, read]).toEqual([1, 1]);
      const later = await during(() => call(trade(), proof));
      expect(later.given.structuredContent).toEqual(sold[0]?.structuredContent);
      expect(later.given._meta).toEqual(sold[0]?._meta);
      expect([later.recorded, later.read]).toEqual([0, 0]);
      expect(await paid()).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("the payment may stand among the arguments, and there it buys the same", async () => {
      const proof = await proofOf();
      const first = await call({ ...trade(), payment_proof: base64(proof) });
      expect(first.structuredContent).toMatchObject({ result: { decision: "warn", tier: 2 } });
      const { given, recorded } = await during(() => call(trade(), proof));
      expect(given.structuredContent).toEqual(first.structuredContent);
      expect([recorded, await paid()]).toEqual([0, PRICE]);
    });

    test("a payment for one trade buys no other, and one for HTTP nothing here", async () => {
      const proof = await proofOf();
      expect((await call(trade(), proof)).isError).not.toBe(true);
      const { given, recorded, read } = await during(() => call(trade({ amount: 59 }), proof));
      expect(given.isError).toBe(true);
      expect(textOf(given)).toMatch(/^payment_already_used/);
      expect([recorded, read, await paid()]).toEqual([0, 0, PRICE]);
      const other = await call(trade(), await payment());
      expect(JSON.parse(textOf(other))["x402/error"].message).toContain("another resource");
      expect(await paid()).toBe(PRICE);
    });
  });
});

const accepted = (proof: JsonObject) => proof["accepted"] as JsonObject;

/** The real adapter, and how often a trade was read with it. */
async function countedChain(chain: Chain, { factory, registry }: Market) {
  const transport = httpTransport(chain.url, { ...HTTP_DEFAULTS, fetch: globalThis.fetch });
  const reader = await connectChain(transport, chain.chainId);
  if (!reader.ok) throw new Error(reader.error.message);
  const venues = { v2: { factory, feeBps: 30 } };
  const whole = tradeChain(reader.value, { registry, venues, seed: "paid" });
  let times = 0;
  const counted: TradeChain = {
    ...whole,
    facts: (trade) => {
      times += 1;
      return whole.facts(trade);
    },
  };
  return { chain: counted, read: () => times };
}

function goods(store: Store, chain: TradeChain): Goods {
  const rules = {
    settings: TRADE_SETTINGS,
    tiers: new Map(),
    blocked: new Set<string>(),
    clusters: new Map(),
    sharedFunders: new Set<string>(),
  };
  const face = { chain, funderOf: null, rules, policies: null, store, clock: Date.now, random, sha256, hexSha256 };
  return {
    dialects: [tradeDialect(face)],
    price: { [PAID_TRADE]: "0.10" },
    authenticator: async (authorization) =>
      authorization === KEY.authorization ? ok(LOCAL) : err(problemOf("credential.missing")),
  };
}
