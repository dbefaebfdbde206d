import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Address, Hex } from "viem";
import { afterAll, beforeAll, describe, test } from "vitest";
import { HTTP_DEFAULTS, httpTransport } from "../rpc/http.ts";
import type { RpcTransport } from "../rpc/transport.ts";

const CHAIN_ID = 4663;
/** The fixed origin of every test chain's clock: 2026-01-01T00:00:00Z. */
const GENESIS = 1_767_225_600;

/** A local chain in a process of its own, killed with this one. */
export interface Chain {
  readonly url: string;
  readonly chainId: number;
  /** Any method; throws what the node refuses. */
  rpc<T>(method: string, ...params: readonly unknown[]): Promise<T>;
  readonly transport: RpcTransport;
  /** Account 0 deploys; 1 to 9 are holders. All are funded and unlocked. */
  readonly accounts: readonly Address[];
  /** Sends from an unlocked account, mines, and throws when the transaction failed. */
  send(tx: { from?: Address; to?: Address; data?: Hex; value?: bigint }): Promise<{ contractAddress: Address }>;
  close(): Promise<void>;
}

/** Path of the platform's own binary: the wrapper in `.bin` starts slower and leaves the chain running when killed hard. */
function binary(): string | undefined {
  const platform = process.platform === "win32" ? "win32" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}-${arch}/package.json`);
    return manifest.replace(/package\.json$/, process.platform === "win32" ? "bin/anvil.exe" : "bin/anvil");
  } catch {
    return undefined;
  }
}

export async function startChain(): Promise<Chain> {
  const path = binary();
  if (path === undefined) throw new Error("no local chain for this platform");
  const args = ["--port", "0", "--chain-id", `${CHAIN_ID}`, "--hardfork", "cancun", "--timestamp", `${GENESIS}`];
  const child = spawn(path, [...args, "--block-base-fee-per-gas", "0", "--gas-price", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const url = await listening(child);
  const transport = httpTransport(url, { ...HTTP_DEFAULTS, timeoutMs: 30_000, fetch: globalThis.fetch });
  const rpc = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const reply = await transport.request(method, params);
    if (reply.kind === "result") return reply.value as T;
    throw new Error(`${method}: ${reply.kind === "error" ? reply.message : reply.fault}`);
  };
  // Without it the clock follows the machine's from the origin, and no two runs have the same blocks.
  await rpc("anvil_setBlockTimestampInterval", 1);
  const accounts = (await rpc<readonly Address[]>("eth_accounts")).map((one) => one.toLowerCase() as Address);
  const deployer = accounts[0] as Address;
  return {
    url,
    chainId: CHAIN_ID,
    rpc,
    transport,
    accounts,
    async send({ from = deployer, to, data, value }) {
      const receipt = await rpc<Receipt>("eth_sendTransactionSync", {
        from,
        gas: "0x1c9c380",
        ...(to === undefined ? {} : { to }),
        ...(data === undefined ? {} : { data }),
        ...(value === undefined ? {} : { value: `0x${value.toString(16)}` }),
      });
      if (receipt.status !== "0x1") throw new Error(`transaction to ${to ?? "a new contract"} failed`);
      return { contractAddress: (receipt.contractAddress ?? "0x").toLowerCase() as Address };
    },
    async close() {
      process.removeListener("exit", kill);
      const closed = new Promise((resolve) => child.once("close", resolve));
      kill();
      await closed;
    },
  };
}

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Address | null;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the local chain ended before it listened")));
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const match = /Listening on ([\d.:]+)/.exec(text);
      if (match !== null) resolve(`http://${match[1]}`);
    });
  });
}

/** A suite with a local chain of its own; skipped, and counted, on a platform without the binary. */
export function chainSuite(name: string, body: (chain: () => Chain) => void): void {
  if (binary() === undefined)
    return void describe.skip(`${name} (no local chain for this platform)`, () => void test("needs anvil", () => {}));
  describe(name, () => {
    let chain: Chain | undefined;
    beforeAll(async () => {
      chain = await startChain();
    });
    afterAll(() => chain?.close());
    body(() => {
      if (chain === undefined) throw new Error("the chain has not started");
      return chain;
    });
  });
}
