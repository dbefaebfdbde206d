import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemOf } from "@countersign/api";
import { err, type JsonValue, type Store } from "@countersign/core";
import { authorizationReader } from "@countersign/evm";
import {
  type Chain,
  deployPayToken,
  PAY_TOKEN,
  startFacilitator,
  type TestFacilitator,
} from "@countersign/evm/testing";
import { openSqliteStore } from "@countersign/store";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Authenticator } from "../auth/authenticator.ts";
import { LOCAL } from "../caller.ts";
import { createEgress, EGRESS_LIMITS, egressPolicy } from "../egress/egress.ts";
import { createResolver } from "../egress/resolveHost.ts";
import { actionGateDialect } from "../face/actionGate.ts";
import type { Dialect } from "../face/dialect.ts";
import { firewallDialect } from "../face/firewall.ts";
import { sellable } from "../face/purchase.ts";
import { createNodeSigner } from "../keys/nodeSigner.ts";
import { createLogger } from "../logger.ts";
import { readPaymentConfig } from "../payment/config.ts";
import { egressFacilitator } from "../payment/facilitator.ts";
import { openTill } from "../payment/till.ts";
import { createServer } from "../server.ts";
import { hexSha256, random, sha256 } from "./paymentWorld.ts";

/** A gate that sells, with everything real: chain, token, facilitator, HTTP between them, and a database file. */
export interface Shop {
  readonly url: string;
  readonly store: Store;
  readonly token: Address;
  readonly payTo: Address;
  readonly facilitator: TestFacilitator;
  /** A wallet with 1,000 dollars. */
  wallet(): Promise<PrivateKeyAccount>;
  balance(of: Address): Promise<bigint>;
  /** How many answers were recorded, and so made. */
  answers(): Promise<number>;
  close(): Promise<void>;
}

/** What is for sale, and who is let in without paying. */
export interface Goods {
  readonly dialects: readonly Dialect[];
  /** Dollars, by tool. */
  readonly price: Readonly<Record<string, string>>;
  readonly authenticator: Authenticator;
}

export const PRICE = 10_000n;

/** Nobody is known here: who is let in has paid. */
const NOBODY: Authenticator = async () => err(problemOf("credential.missing"));

function adviceGoods(store: Store): Goods {
  const advice = generateKeyPairSync("ed25519").privateKey;
  const actionGate = actionGateDialect({
    ledger: store,
    signer: () => createNodeSigner("a1", advice),
    issuer: "https://gate.example",
    clock: Date.now,
    random,
    sha256,
    hexSha256,
    signals: "published-and-own",
  });
  return {
    dialects: [actionGate, firewallDialect(Date.now)],
    price: { action_gate: "0.01", trust_check_spend: "0.01" },
    authenticator: NOBODY,
  };
}

export async function openShop(
  chain: Chain,
  stock: (store: Store, token: Address) => Goods | Promise<Goods> = adviceGoods,
): Promise<Shop> {
  const network = `eip155:${chain.chainId}` as const;
  const token = await deployPayToken(chain, []);
  const payTo = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Address;
  const folder = mkdtempSync(join(tmpdir(), "countersign-shop-"));
  const opened = await openSqliteStore({ path: join(folder, "gate.db") });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;

  const { dialects, price, authenticator } = await stock(store, token);
  const facilitator = await startFacilitator(chain);
  const config = readPaymentConfig({
    price,
    network,
    asset: { address: token, decimals: PAY_TOKEN.decimals, name: PAY_TOKEN.name, version: PAY_TOKEN.version },
    pay_to: payTo,
    facilitator: facilitator.url,
    rpc: [chain.url],
    public_url: "https://gate.example",
  });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
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
    authenticator,
    readiness: async () => null,
    logger: createLogger("silent"),
    hosts: [],
    origins: [],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });

  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    store,
    token,
    payTo,
    facilitator,
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
      await facilitator.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
