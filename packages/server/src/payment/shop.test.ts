import { type Chain, chainSuite, PAY_TOKEN } from "@countersign/evm/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { PaymentPayload, PaymentRequired } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { encodeFunctionData, parseSignature } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openShop, PRICE, type Shop } from "../testing/shop.ts";

const SAFE = { untrusted_text: "please look at the attached invoice" };

chainSuite("a gate that sells answers on a real chain", (chain) => {
  let shop: Shop;
  let payer: PrivateKeyAccount;
  beforeAll(async () => {
    shop = await openShop(chain());
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    shop.facilitator.interfere = (_path, answer) => answer();
    payer = await shop.wallet();
    shop.facilitator.asked.length = 0;
  });

  const wallet = (account: PrivateKeyAccount = payer) =>
    new x402Client()
      .register(`eip155:${chain().chainId}`, new ExactEvmScheme(account))
      // Clients pay only in assets they know from home, unless they are told.
      .setSpendControls({
        allowedAssets: [
          { network: `eip155:${chain().chainId}`, asset: shop.token, maxAmountPerPayment: PRICE.toString() },
        ],
      });
  const payingFetch = (account?: PrivateKeyAccount) => wrapFetchWithPayment(fetch, wallet(account));
  const request = (body: unknown, headers: Record<string, string> = {}, path = "/api/action-gate") =>
    [
      shop.url + path,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      },
    ] as const;
  const post = async (body: unknown, headers?: Record<string, string>, path?: string) => {
    const answer = await fetch(...request(body, headers, path));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const header = (payment: unknown) => ({
    "payment-signature": Buffer.from(JSON.stringify(payment)).toString("base64"),
  });
  const paid = async () => 1_000_000_000n - (await shop.balance(payer.address));

  /** A payment as the client makes it of the challenge, changed before or after it is signed. */
  async function payment(
    { terms, after }: { terms?: (challenge: PaymentRequired) => void; after?: (payload: PaymentPayload) => void } = {},
    path?: string,
  ): Promise<PaymentPayload> {
    const unpaid = await post(path === undefined ? SAFE : { amount: 1, remaining_budget: 1 }, {}, path);
    const challenge = JSON.parse(
      Buffer.from(unpaid.headers.get("payment-required") ?? "", "base64").toString(),
    ) as PaymentRequired;
    terms?.(challenge);
    const client = wallet().setSpendControls(false);
    const payload = (await client.createPaymentPayload(challenge)) as PaymentPayload;
    after?.(payload);
    return payload;
  }
  const authorizationOf = (payload: PaymentPayload) =>
    payload.payload["authorization"] as { nonce: `0x${string}`; from: `0x${string}` } & Record<string, string>;

  describe("the client that buyers have", () => {
    test("pays, is answered, and is told where the payment is", async () => {
      const before = [await shop.balance(shop.payTo), await shop.answers()] as const;
      const answer = await payingFetch()(...request(SAFE));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ decision: "ALLOW", receipt: expect.any(String) });
      const settled = decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "");
      expect(settled).toMatchObject({
        success: true,
        network: `eip155:${chain().chainId}`,
        payer: payer.address.toLowerCase(),
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(await paid()).toBe(PRICE);
      expect((await shop.balance(shop.payTo)) - before[0]).toBe(PRICE);
      expect((await shop.answers()) - before[1]).toBe(1);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("refuses a token that it does not know, until it is told of it", async () => {
      const client = new x402Client().register(`eip155:${chain().chainId}`, new ExactEvmScheme(payer));
      await expect(wrapFetchWithPayment(fetch, client)(...request(SAFE))).rejects.toThrow(/spendControls/);
      expect(await paid()).toBe(0n);
    });

    test("buys any tool that has a price, each for itself", async () => {
      const path = "/v1/trust/spend-guard";
      const answer = await payingFetch()(...request({ amount: 1, remaining_budget: 1 }, {}, path));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ verdict: "ALLOW" });
      const one = await payment();
      expect((await post({ amount: 1, remaining_budget: 1 }, header(one), path)).status).toBe(402);
    });
  });

  test("the challenge stands in the header and in the body, and names the resource by configuration", async () => {
    const answer = await post(SAFE);
    expect(answer.status).toBe(402);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    const body = JSON.parse(answer.text);
    expect(body).toMatchObject({
      code: "payment.required",
      x402Version: 2,
      resource: { url: "https://gate.example/api/action-gate" },
      accepts: [{ scheme: "exact", amount: "10000", asset: shop.token, payTo: shop.payTo, maxTimeoutSeconds: 60 }],
    });
    const inHeader = JSON.parse(Buffer.from(answer.headers.get("payment-required") ?? "", "base64").toString());
    expect(body).toMatchObject(inHeader);
    expect(answer.text).not.toContain("127.0.0.1");
  });

  test("the reference says what has a price, and of nothing else", async () => {
    const { paths } = await (await fetch(`${shop.url}/openapi.json`)).json();
    expect(paths["/api/action-gate"].post.responses).toHaveProperty("402");
    expect(paths["/v1/trust/clean-data"].post.responses).not.toHaveProperty("402");
    const page = await (await fetch(`${shop.url}/docs`)).text();
    expect(page.split("has a price")).toHaveLength(3);
  });

  describe("one payment buys one answer", () => {
    test("the same again gives the stored answer; another body, or another signature, gives nothing", async () => {
      const one = await payment();
      const first = await post(SAFE, header(one));
      expect(first.status).toBe(200);
      const again = await post(SAFE, header(one));
      expect(again.text).toBe(first.text);
      expect(again.headers.get("payment-response")).toBe(first.headers.get("payment-response"));
      expect((await post({}, header(one))).status).toBe(409);
      expect(JSON.parse((await post({}, header(one))).text).code).toBe("payment_already_used");
      expect(await paid()).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("five at once: one runs and one settles", async () => {
      const one = await payment();
      const before = await shop.answers();
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(SAFE, header(one))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect((await shop.answers()) - before).toBe(1);
      expect(await paid()).toBe(PRICE);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
    });

    test("many payers at once are each answered and each charged once", async () => {
      const payers: PrivateKeyAccount[] = [];
      while (payers.length < 6) payers.push(await shop.wallet());
      const answers = await Promise.all(payers.map((account) => payingFetch(account)(...request(SAFE))));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      for (const { address } of payers) expect(await shop.balance(address)).toBe(1_000_000_000n - PRICE);
    });
  });

  describe("whoever does not pay the price gets 402, nothing of the answer, and is not charged", () => {
    test.each<{
      it: string;
      terms?: (challenge: PaymentRequired) => void;
      after?: (payload: PaymentPayload) => void;
    }>([
      { it: "signed a lower amount", terms: (challenge) => edit(challenge, { amount: "1" }), after: asOffered },
      { it: "signed a higher amount", terms: (challenge) => edit(challenge, { amount: "99999" }), after: asOffered },
      {
        it: "says that it accepted another amount",
        after: (payload) => Object.assign(payload.accepted, { amount: "1" }),
      },
      {
        it: "says that it accepted another network",
        after: (payload) => Object.assign(payload.accepted, { network: "eip155:1" }),
      },
      {
        it: "signed for another recipient",
        terms: (challenge) => edit(challenge, { payTo: OTHER }),
        after: (payload) => Object.assign(payload.accepted, { payTo: shop.payTo }),
      },
      {
        it: "changed the recipient after signing",
        after: (payload) => Object.assign(authorizationOf(payload), { to: OTHER }),
      },
      { it: "changed the signature", after: (payload) => flip(payload) },
      {
        it: "changed how long it is good for",
        after: (payload) => Object.assign(authorizationOf(payload), { validBefore: "9999999999" }),
      },
      {
        it: "changed the nonce",
        after: (payload) => Object.assign(authorizationOf(payload), { nonce: `0x${"77".repeat(32)}` }),
      },
      {
        it: "pays with somebody else's money",
        after: (payload) => Object.assign(authorizationOf(payload), { from: OTHER }),
      },
      {
        it: "signed for another token name",
        terms: (challenge) => edit(challenge, { extra: { name: "Other", version: "1" } }),
        after: (payload) => Object.assign(payload.accepted, { extra: { name: PAY_TOKEN.name, version: "1" } }),
      },
      {
        it: "bought another route",
        after: (payload) => Object.assign(payload.resource ?? {}, { url: "https://gate.example/v1/trust/spend-guard" }),
      },
      { it: "names no resource", after: (payload) => void delete (payload as { resource?: unknown }).resource },
      {
        it: "brings another way of paying along",
        after: (payload) => Object.assign(payload.payload, { permit2Authorization: {} }),
      },
      { it: "speaks the first version", after: (payload) => Object.assign(payload, { x402Version: 1 }) },
      {
        it: "lies about everything",
        after: (payload) =>
          Object.assign(payload, { accepted: {}, resource: {}, payload: { signature: "0x", authorization: {} } }),
      },
    ])("$it", async (change) => {
      const one = await payment(change);
      const before = await shop.answers();
      const answer = await post(SAFE, header(one));
      expect(answer.status).toBe(402);
      expect(answer.headers.get("payment-required")).not.toBeNull();
      expect(answer.text).not.toContain("ALLOW");
      expect(await paid()).toBe(0n);
      expect((await shop.answers()) - before).toBe(0);
      expect(shop.facilitator.asked).not.toContain("/settle");
    });

    test("has no funds", async () => {
      const { abi } = PAY_TOKEN;
      const data = encodeFunctionData({ abi, functionName: "transfer", args: [OTHER, 1_000_000_000n] });
      await chain().rpc("anvil_impersonateAccount", payer.address);
      await chain().rpc("anvil_setBalance", payer.address, "0xffffffffffffffff");
      await chain().send({ from: payer.address, to: shop.token, data });
      const answer = await post(SAFE, header(await payment()));
      expect(answer.status).toBe(402);
      expect(shop.facilitator.asked).toEqual(["/verify"]);
    });

    test.each<{ it: string; headers: Record<string, string>; status: number }>([
      { it: "sends garbage", headers: { "payment-signature": "%%%" }, status: 402 },
      { it: "sends an empty object", headers: header({}), status: 402 },
      { it: "sends the header of the first version", headers: { "x-payment": "e30=" }, status: 402 },
      { it: "sends 20 kB of header", headers: { "payment-signature": "A".repeat(20_000) }, status: 431 },
    ])("$it", async ({ headers, status }) => {
      expect((await post(SAFE, headers)).status).toBe(status);
      expect(shop.facilitator.asked).toEqual([]);
    });

    test("spends it elsewhere before it is settled", async () => {
      const one = await payment();
      shop.facilitator.interfere = async (path, answer) => {
        if (path === "/settle") await cancel(chain(), shop, payer, authorizationOf(one).nonce);
        return answer();
      };
      const answer = await post(SAFE, header(one));
      expect(answer.status).toBe(402);
      expect(JSON.parse(answer.text)).toMatchObject({ code: "payment.refused" });
      expect(await paid()).toBe(0n);
      expect((await post(SAFE, header(one))).status).toBe(402);
    });

    test("paid it to the chain before it was shown", async () => {
      const one = await payment();
      const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(one);
      const { v = 27n, r, s } = parseSignature(one.payload["signature"] as `0x${string}`);
      const data = encodeFunctionData({
        abi: PAY_TOKEN.abi,
        functionName: "transferWithAuthorization",
        args: [
          from,
          to as `0x${string}`,
          BigInt(value ?? 0),
          BigInt(validAfter ?? 0),
          BigInt(validBefore ?? 0),
          nonce,
          Number(v),
          r,
          s,
        ],
      });
      await chain().send({ to: shop.token, data });
      shop.facilitator.interfere = async (path, answer) => (path === "/verify" ? { isValid: true } : answer());
      expect((await post(SAFE, header(one))).status).toBe(402);
      expect(shop.facilitator.asked).not.toContain("/settle");
    });
  });

  describe("whoever asks badly is told so, and pays nothing, whatever payment comes with it", () => {
    test.each([
      { it: "a body that is no JSON", body: "{", status: 400 },
      { it: "a member twice", body: '{"url":"https://a.example/","url":"https://b.example/"}', status: 400 },
      { it: "a body that its schema refuses", body: { url: 1 }, status: 400 },
      {
        it: "an amount that is no integer",
        body: { spend: { proposal: { amount_atomic: "1.5" }, mandate: {} } },
        status: 400,
      },
      { it: "a body above 1 MiB", body: JSON.stringify({ untrusted_text: "x".repeat(1 << 20) }), status: 413 },
    ])("$it: $status", async ({ body, status }) => {
      const one = await payment();
      expect((await post(body, header(one))).status).toBe(status);
      expect((await post(body)).status).toBe(status);
      expect(shop.facilitator.asked).toEqual([]);
      expect((await post(SAFE, header(one))).status).toBe(200);
    });

    test("a body of another type: 415", async () => {
      const one = await payment();
      expect((await post("a=1", { ...header(one), "content-type": "application/x-www-form-urlencoded" })).status).toBe(
        415,
      );
      expect(shop.facilitator.asked).toEqual([]);
    });
  });

  describe("a settlement whose end nobody heard", () => {
    test("and that is on the chain: answered, and charged once", async () => {
      const one = await payment();
      shop.facilitator.interfere = async (path, answer) => {
        const given = await answer();
        return path === "/settle" ? "hang up" : given;
      };
      const answer = await post(SAFE, header(one));
      expect(answer.status).toBe(200);
      expect(decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "")).toMatchObject({
        success: true,
      });
      expect(await paid()).toBe(PRICE);
    });

    test("and that is not: unknown, kept, never settled again; answered once it lands", async () => {
      const one = await payment();
      let late: (() => Promise<object>) | undefined;
      shop.facilitator.interfere = async (path, answer) => {
        if (path !== "/settle") return answer();
        late = answer;
        return "hang up";
      };
      const answer = await post(SAFE, header(one));
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).not.toBeNull();
      expect(JSON.parse(answer.text)).toMatchObject({ code: "payment.unknown" });
      expect((await post(SAFE, header(one))).status).toBe(503);
      expect((await post({}, header(one))).status).toBe(409);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
      expect(await paid()).toBe(0n);
      await late?.();
      expect((await post(SAFE, header(one))).status).toBe(200);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
      expect(await paid()).toBe(PRICE);
    });

    test("a facilitator that settles twice charges once", async () => {
      const one = await payment();
      shop.facilitator.interfere = async (path, answer) => {
        if (path !== "/settle") return answer();
        const first = (await answer()) as { success: boolean };
        const second = (await answer()) as { success: boolean };
        expect([first.success, second.success]).toEqual([true, false]);
        return second;
      };
      const answer = await post(SAFE, header(one));
      expect(answer.status).toBe(200);
      expect(await paid()).toBe(PRICE);
    });

    test("a facilitator that refuses charges nothing, and the payment is free again", async () => {
      const one = await payment();
      shop.facilitator.interfere = async (path, answer) =>
        path === "/settle" ? { success: false, errorReason: "no_gas", transaction: "", network: "eip155:1" } : answer();
      const refused = await post(SAFE, header(one));
      expect(refused.status).toBe(402);
      expect(decodePaymentResponseHeader(refused.headers.get("payment-response") ?? "")).toMatchObject({
        success: false,
        errorReason: "no_gas",
      });
      shop.facilitator.interfere = (_path, answer) => answer();
      expect((await post({}, header(one))).status).toBe(200);
      expect(await paid()).toBe(PRICE);
    });
  });

  describe.each([
    { era: "2025-11-25", options: {} },
    { era: "2026-07-28", options: { versionNegotiation: { mode: { pin: "2026-07-28" } as const } } },
  ])("over MCP of $era", ({ era, options }) => {
    async function connected(path = "/mcp/action-gate") {
      const client = new Client({ name: "buyer", version: "1" }, options);
      await client.connect(new StreamableHTTPClientTransport(new URL(shop.url + path)));
      // From here on the client holds every answer to the schema that was listed.
      await client.listTools();
      expect(client.getNegotiatedProtocolVersion()).toBe(era);
      return client;
    }
    const call = (client: Client, proof?: unknown, input: object = SAFE) =>
      client.callTool({
        name: "action_gate",
        arguments: { ...input },
        ...(proof === undefined ? {} : { _meta: { "x402/payment": proof } }),
      } as never);
    const textOf = (result: Awaited<ReturnType<typeof call>>) => (result.content as { text: string }[])[0]?.text ?? "";
    const buy = async (challenge: PaymentRequired) => await wallet().createPaymentPayload(challenge);

    test("an unpaid call is told the terms as text, which a strict client reads", async () => {
      const client = await connected();
      const result = await call(client);
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      const told = JSON.parse(textOf(result));
      expect(told).toMatchObject({ x402Version: 2, resource: { url: "mcp://tool/action_gate" } });
      expect(told["x402/error"]).toMatchObject({ code: 402, message: expect.any(String), data: { x402Version: 2 } });
      await client.close();
    });

    test("a paid call is answered once, and told where the payment is", async () => {
      const client = await connected();
      const proof = await buy(JSON.parse(textOf(await call(client)))["x402/error"].data);
      const results = await Promise.all(Array.from({ length: 4 }, () => call(client, proof)));
      const sold = results.filter((result) => result.isError !== true);
      expect(sold).toHaveLength(1);
      expect(sold[0]?.structuredContent).toMatchObject({ decision: "ALLOW" });
      expect(sold[0]?._meta?.["x402/payment-response"]).toMatchObject({ success: true });
      expect(await paid()).toBe(PRICE);
      expect((await call(client, proof)).structuredContent).toEqual(sold[0]?.structuredContent);
      expect(textOf(await call(client, proof, {}))).toMatch(/^payment_already_used/);
      expect(shop.facilitator.asked).toEqual(["/verify", "/settle"]);
      await client.close();
    });

    test.each<{ it: string; proof: unknown; error: string }>([
      { it: "garbage", proof: "e30=", error: "payment.malformed" },
      { it: "an empty object", proof: {}, error: "payment.malformed" },
    ])("$it is no payment", async ({ proof, error }) => {
      const client = await connected();
      expect(JSON.parse(textOf(await call(client, proof)))["x402/error"].message).toContain(error);
      await client.close();
    });

    test("a payment for the HTTP route buys nothing here", async () => {
      const client = await connected();
      const result = await call(client, await payment());
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))["x402/error"].message).toContain("another resource");
      await client.close();
    });

    test("bad arguments are told so before anything is paid", async () => {
      const client = await connected();
      expect(textOf(await call(client, undefined, { url: 1 }))).toMatch(/^request.invalid/);
      await client.close();
    });

    test("whoever has no credential is let in only where everything is sold", async () => {
      await expect(connected("/mcp")).rejects.toThrow();
      await expect(connected("/mcp/firewall")).rejects.toThrow();
    });
  });
});

const OTHER = "0x00000000000000000000000000000000000000ee";

const edit = (challenge: PaymentRequired, change: object): void =>
  void Object.assign(challenge.accepts[0] ?? {}, change);

function asOffered(payload: PaymentPayload): void {
  Object.assign(payload.accepted, { amount: PRICE.toString() });
}

function flip(payload: PaymentPayload): void {
  const signature = payload.payload["signature"] as string;
  payload.payload["signature"] = `${signature.slice(0, 20)}${signature[20] === "0" ? "1" : "0"}${signature.slice(21)}`;
}

/** The payer takes its authorization back on the chain. */
async function cancel(chain: Chain, shop: Shop, payer: PrivateKeyAccount, nonce: `0x${string}`): Promise<void> {
  const {
    v = 27n,
    r,
    s,
  } = parseSignature(
    await payer.signTypedData({
      domain: {
        name: PAY_TOKEN.name,
        version: PAY_TOKEN.version,
        chainId: chain.chainId,
        verifyingContract: shop.token,
      },
      types: {
        CancelAuthorization: [
          { name: "authorizer", type: "address" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      primaryType: "CancelAuthorization",
      message: { authorizer: payer.address, nonce },
    }),
  );
  const args = [payer.address, nonce, Number(v), r, s] as const;
  await chain.send({
    to: shop.token,
    data: encodeFunctionData({ abi: PAY_TOKEN.abi, functionName: "cancelAuthorization", args }),
  });
}
