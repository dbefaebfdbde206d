import { randomBytes } from "node:crypto";
import { type Address, encodeFunctionData, type Hex, parseSignature } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import type { RpcReply, RpcTransport } from "../rpc/transport.ts";
import { authorize, chainSuite, deployPayToken, PAY_TOKEN, type SignedAuthorization } from "../testing.ts";
import { type AuthorizationQuery, type AuthorizationState, authorizationReader } from "./authorization.ts";

const PAY_TO: Address = "0x00000000000000000000000000000000000000aa";
const OTHER: Address = "0x00000000000000000000000000000000000000bb";
const lower = <T extends string>(text: T) => text.toLowerCase() as T;
const nonce = (): Hex => `0x${randomBytes(32).toString("hex")}`;

chainSuite("what became of an authorization is read from the chain", (chain) => {
  const payer = privateKeyToAccount(generatePrivateKey());
  let token: Address;
  let ask: (query: Partial<AuthorizationQuery> & { nonce: Hex }) => Promise<AuthorizationState>;

  beforeAll(async () => {
    token = await deployPayToken(chain(), [lower(payer.address)]);
    const read = authorizationReader(chain().transport, chain().chainId);
    ask = (query) =>
      read({ asset: token, payer: lower(payer.address), payTo: PAY_TO, amount: 100n, since: null, ...query });
  });

  const sign = (change: Partial<SignedAuthorization> = {}) =>
    authorize(payer, {
      chainId: chain().chainId,
      token,
      to: PAY_TO,
      value: 100n,
      validAfter: 0n,
      validBefore: 10n ** 12n,
      nonce: nonce(),
      ...change,
    });
  const send = (data: Hex) => chain().send({ to: token, data });
  const { abi } = PAY_TOKEN;
  const use = (signed: SignedAuthorization) => {
    const { v = 27n, r, s } = parseSignature(signed.signature);
    const { from, to, value, validAfter, validBefore } = signed;
    const args = [from, to, value, validAfter, validBefore, signed.nonce, Number(v), r, s] as const;
    return send(encodeFunctionData({ abi, functionName: "transferWithAuthorization", args }));
  };
  const batch = (...all: SignedAuthorization[]) =>
    send(encodeFunctionData({ abi, functionName: "batch", args: [all] }));
  const unused = async (of: SignedAuthorization): Promise<number> => {
    const state = await ask({ nonce: of.nonce });
    if (state.state !== "unused") throw new Error(`it is ${state.state}`);
    return state.block;
  };

  test("unused, with the block and its time, until it is used", async () => {
    const signed = await sign();
    const state = await ask({ nonce: signed.nonce });
    expect(state).toMatchObject({ state: "unused", block: expect.any(Number), time: expect.any(Number) });
    await use(signed);
    const since = state.state === "unused" ? state.block : -1;
    expect(await ask({ nonce: signed.nonce, since })).toEqual({
      state: "paid",
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  test("of one that was never seen unused, only that it is used", async () => {
    const signed = await sign();
    await use(signed);
    expect(await ask({ nonce: signed.nonce, since: null })).toEqual({ state: "used" });
  });

  test.each([
    { it: "another amount", change: { value: 99n } },
    { it: "another recipient", change: { to: OTHER } },
  ])("one that became a transfer of or to $it is spent", async ({ change }) => {
    const signed = await sign(change);
    const since = await unused(signed);
    await use(signed);
    expect(await ask({ nonce: signed.nonce, since })).toEqual({ state: "spent" });
  });

  test("one that its payer cancelled is spent", async () => {
    const signed = await sign();
    const since = await unused(signed);
    const {
      v = 27n,
      r,
      s,
    } = parseSignature(
      await payer.signTypedData({
        domain: {
          name: PAY_TOKEN.name,
          version: PAY_TOKEN.version,
          chainId: chain().chainId,
          verifyingContract: token,
        },
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: payer.address, nonce: signed.nonce },
      }),
    );
    const args = [payer.address, signed.nonce, Number(v), r, s] as const;
    await send(encodeFunctionData({ abi, functionName: "cancelAuthorization", args }));
    expect(await ask({ nonce: signed.nonce, since })).toEqual({ state: "spent" });
  });

  test("one transfer never pays for two authorizations that are used beside it", async () => {
    const [toSelf, real] = [await sign({ to: payer.address }), await sign()];
    const since = await unused(toSelf);
    await batch(toSelf, real);
    expect((await ask({ nonce: real.nonce, since })).state).toBe("paid");
    expect((await ask({ nonce: toSelf.nonce, since })).state).not.toBe("paid");
  });

  test("two payments in one transaction are both paid", async () => {
    const both = [await sign(), await sign()] as const;
    const since = await unused(both[0]);
    await batch(...both);
    for (const { nonce } of both) expect((await ask({ nonce, since })).state).toBe("paid");
  });

  describe("nothing is known from a node that", () => {
    const answering =
      (method: string, reply: RpcReply): RpcTransport["request"] =>
      (asked, params) =>
        asked === method ? Promise.resolve(reply) : chain().transport.request(asked, params);
    test.each<{ it: string; method: string; reply: RpcReply }>([
      { it: "is another chain's", method: "eth_chainId", reply: { kind: "result", value: "0x1" } },
      { it: "has no block", method: "eth_getBlockByNumber", reply: { kind: "result", value: null } },
      { it: "does not answer in time", method: "eth_call", reply: { kind: "fault", fault: "timeout" } },
      { it: "has no such contract", method: "eth_call", reply: { kind: "result", value: "0x" } },
      { it: "answers with too much", method: "eth_call", reply: { kind: "result", value: `0x${"00".repeat(64)}` } },
      { it: "shows no log of the use", method: "eth_getLogs", reply: { kind: "result", value: [] } },
      { it: "shows something else", method: "eth_getLogs", reply: { kind: "result", value: [null] } },
      { it: "refuses the logs", method: "eth_getLogs", reply: { kind: "error", code: -32000, message: "range" } },
      {
        it: "has no receipt",
        method: "eth_getTransactionReceipt",
        reply: { kind: "result", value: null },
      },
      {
        it: "has a receipt of a failure",
        method: "eth_getTransactionReceipt",
        reply: { kind: "result", value: { status: "0x0", logs: [] } },
      },
    ])("$it", async ({ method, reply }) => {
      const signed = await sign();
      const since = await unused(signed);
      await use(signed);
      const read = authorizationReader({ request: answering(method, reply) }, chain().chainId);
      const query = { asset: token, payer: lower(payer.address), payTo: PAY_TO, amount: 100n, since };
      expect(await read({ ...query, nonce: signed.nonce })).toEqual({ state: "unknown" });
    });
  });
});
