import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, defineChain, http, publicActions } from "viem";
import { mnemonicToAccount, nonceManager } from "viem/accounts";
import type { Chain } from "./anvil.ts";

/** What an answer of the facilitator becomes on its way; "hang up" ends the connection without one. */
export type Interference = (path: string, answer: () => Promise<object>) => Promise<object | "hang up">;

/** The facilitator of the x402 packages over HTTP on loopback, with an account of the chain that pays the gas. */
export interface TestFacilitator {
  readonly url: string;
  /** "/verify" and "/settle", as they were asked. */
  readonly asked: string[];
  /** Stands between facilitator and asker for as long as it is set. */
  interfere: Interference;
  close(): Promise<void>;
}

export async function startFacilitator(chain: Chain): Promise<TestFacilitator> {
  const own = new x402Facilitator().register(`eip155:${chain.chainId}`, new ExactEvmScheme(relayer(chain)));
  const asked: string[] = [];
  const answerTo = async (path: string, body: string): Promise<object> => {
    if (path === "/supported") return own.getSupported();
    const { paymentPayload, paymentRequirements } = JSON.parse(body);
    return path === "/settle"
      ? own.settle(paymentPayload, paymentRequirements)
      : own.verify(paymentPayload, paymentRequirements);
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (path !== "/supported") asked.push(path);
      void facilitator
        .interfere(path, () => answerTo(path, body))
        .then((given) => (given === "hang up" ? response.destroy() : response.end(JSON.stringify(given))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const facilitator: TestFacilitator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    interfere: (_path, answer) => answer(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return facilitator;
}

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
