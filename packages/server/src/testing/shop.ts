import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemOf } from "@countersign/api";
import type { JsonValue, Store } from "@countersign/core";
import { authorizationReader } from "@countersign/evm";
import { type Chain, deployPayToken, PAY_TOKEN } from "@countersign/evm/testing";
import { openSqliteStore } from "@countersign/store";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { pino } from "pino";
import { type Address, createWalletClient, defineChain, encodeFunctionData, type Hex, http, publicActions } from "viem";
import {
  generatePrivateKey,
  mnemonicToAccount,
  nonceManager,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from "viem/accounts";
import { LOCAL } from "../caller.ts";
import { createEgress, EGRESS_LIMITS, egressPolicy } from "../egress/egress.ts";
import { createResolver } from "../egress/resolveHost.ts";
import { actionGateDialect } from "../face/actionGate.ts";
import { firewallDialect } from "../face/firewall.ts";
import { sellable } from "../face/purchase.ts";
import { createNodeSigner } from "../keys/nodeSigner.ts";
import { readPaymentConfig } from "../payment/config.ts";
import { egressFacilitator } from "../payment/facilitator.ts";
import { openTill } from "../payment/till.ts";
import { createServer } from "../server.ts";
import { startHttp } from "./loopback.ts";
import { hexSha256, random, sha256 } from "./paymentWorld.ts";

/** What a facilitator's HTTP answer is allowed to become on its way. */
export type Interference = (path: string, answer: () => Promise<object>) => Promise<object | "hang up">;

/** A gate that sells, with everything real: chain, token, facilitator, HTTP between them, and a database file. */
export interface Shop {
  readonly url: string;
  readonly store: Store;
  readonly token: Address;
  readonly payTo: Address;
  /** "/verify" and "/settle", as the facilitator was asked. */
  readonly asked: string[];
  /** Stands between facilitator and gate for as long as it is set. */
  interfere: Interference;
  /** A wallet with 1,000 dollars. */
  wallet(): Promise<PrivateKeyAccount>;
  balance(of: Address): Promise<bigint>;
  /** How many answers were recorded, and so made. */
  answers(): Promise<number>;
  close(): Promise<void>;
}

export const PRICE = 10_000n;
const straight: Interference = (_path, answer) => answer();

export async function openShop(chain: Chain): Promise<Shop> {
  const network = `eip155:${chain.chainId}` as const;
  const token = await deployPayToken(chain, []);
  const payTo = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address;
  const folder = mkdtempSync(join(tmpdir(), "countersign-shop-"));
  const opened = await openSqliteStore({ path: join(folder, "gate.db") });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;

  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(relayer(chain)));
  const asked: string[] = [];
  const shop = { interfere: straight };
  const facade = await startHttp((request, response, body) => {
    const path = request.url ?? "";
    const answer = async (): Promise<object> => {
      if (path === "/supported") return facilitator.getSupported();
      const { paymentPayload, paymentRequirements } = JSON.parse(body);
      return path === "/settle"
        ? facilitator.settle(paymentPayload, paymentRequirements)
        : facilitator.verify(paymentPayload, paymentRequirements);
    };
    if (path !== "/supported") asked.push(path);
    void shop
      .interfere(path, answer)
      .then((given) => (given === "hang up" ? response.destroy() : response.end(JSON.stringify(given))));
  });

  const config = readPaymentConfig({
    price: { action_gate: "0.01", trust_check_spend: "0.01" },
    network,
    asset: { address: token, decimals: PAY_TOKEN.decimals, name: PAY_TOKEN.name, version: PAY_TOKEN.version },
    pay_to: payTo,
    facilitator: `http://127.0.0.1:${facade.port}`,
    rpc: [chain.url],
    public_url: "https://gate.example",
  });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const advice = generateKeyPairSync("ed25519").privateKey;
  const dialects = [
    actionGateDialect({
      ledger: store,
      signer: () => createNodeSigner("a1", advice),
      issuer: "https://gate.example",
      clock: Date.now,
      random,
      sha256,
      hexSha256,
      signals: "published-and-own",
    }),
    firewallDialect(Date.now),
  ];
  const egress = createEgress({
    ...EGRESS_LIMITS,
    policy: egressPolicy({ addresses: ["127.0.0.1"], names: [] }),
    resolver: createResolver({ ask: "system", deadlineMs: 1_000, now: () => new Date() }),
    ca: "system",
  });
  const till = await openTill({
    config: config.value,
    tools: sellable(dialects),
    store,
    tenant: LOCAL.tenant,
    facilitator: egressFacilitator(egress, config.value.facilitator),
    chain: authorizationReader(chain.transport, chain.chainId),
    random,
    sha256: hexSha256,
  });
  if (!till.ok) throw new Error(till.error.message);
  const noKeys = () => ({ keys: [] as JsonValue[] });
  const app = createServer({
    version: "0.0.0",
    dialects,
    till: till.value,
    keys: { jwks: noKeys, adviceJwks: noKeys, mandateKeys: noKeys },
    // Nobody is known here: who is let in has paid.
    authenticator: async () => ({ ok: false, error: problemOf("credential.missing") }),
    readiness: async () => null,
    logger: pino({ level: "silent" }),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });

  return Object.assign(shop, {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    store,
    token,
    payTo,
    asked,
    async wallet() {
      const account = privateKeyToAccount(generatePrivateKey());
      const { abi } = PAY_TOKEN;
      const data = encodeFunctionData({ abi, functionName: "mint", args: [account.address, 1_000_000_000n] });
      await chain.send({ to: token, data });
      return account;
    },
    async balance(of: Address) {
      const data = encodeFunctionData({ abi: PAY_TOKEN.abi, functionName: "balanceOf", args: [of] });
      return BigInt(await chain.rpc<Hex>("eth_call", { to: token, data }, "latest"));
    },
    async answers() {
      const head = await store.head(LOCAL.tenant);
      if (!head.ok) throw new Error(head.error.code);
      return head.value.size;
    },
    async close() {
      await app.close();
      await facade.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  });
}

/** The facilitator's own account, which pays the gas. */
function relayer({ url, chainId }: Chain) {
  const account = mnemonicToAccount("test test test test test test test test test test test junk", {
    addressIndex: 9,
    nonceManager,
  });
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({ id: chainId, name: "local", nativeCurrency, rpcUrls: { default: { http: [url] } } });
  const client = createWalletClient({ account, chain, transport: http(url) }).extend(publicActions);
  return toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => client.readContract(args as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    writeContract: (args) => client.writeContract(args as never),
    sendTransaction: (args) => client.sendTransaction(args as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt({ ...args, pollingInterval: 20 }) as never,
    getCode: (args) => client.getCode(args as never),
  });
}

export const newNonce = (): Hex => `0x${Buffer.from(random(32)).toString("hex")}`;
