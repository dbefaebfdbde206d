import { isIP } from "node:net";
import { hex, judgeToken, type RegistryChain } from "@countersign/core";
import { checkTokenSafety, describeSafety, type RpcTransport, venuesOf } from "@countersign/evm";
import { CommandError, STATUS } from "../exit.ts";
import { print, printJson } from "../output.ts";
import { printable } from "../printable.ts";
import { random } from "../random.ts";
import { connected, registryOf, transportOf } from "../trade.ts";

export interface TokenOptions {
  readonly rpc: readonly string[];
  /** A registry's name or file. */
  readonly registry?: string;
  /** What the token may trade against; the registry's dollars besides. */
  readonly quote?: readonly string[];
  readonly v2Factory?: string;
  readonly v3Factory?: string;
  readonly v4Manager?: string;
  readonly json?: boolean;
}

const SEVERITY = { safe: STATUS.allow, warn: STATUS.review, danger: STATUS.block } as const;

/** Fee of a pair in basis points, where a factory's pairs have the usual one. */
const V2_FEE = 30;

/** Tries a token out in simulation, and says what was tried and what was seen. Nothing is sent to the chain. */
export async function token(written: string, options: TokenOptions): Promise<void> {
  const address = addressOf(written, "<address>");
  const transport = transportOf(options.rpc, namedBy(options.rpc));
  const registry = options.registry === undefined ? undefined : await registryOf(options.registry);
  const chainId = registry?.chainId ?? (await chainIdOf(transport));
  const reader = await connected(transport, chainId, "--rpc");
  const official = registry?.tokens.find((one) => one.address === address);
  const seed = hex(random(16));
  const report = await checkTokenSafety(reader, address, {
    venues: venues(options, registry, official),
    seed,
  });
  if (!report.ok) throw new CommandError(report.error.code, report.error.message, { at: written });
  const standing = official === undefined ? "unregistered" : "official";
  const judged = judgeToken(report.value.facts, standing);
  process.exitCode = SEVERITY[judged.severity];
  if (options.json === true) {
    const { facts, calls, ms } = report.value;
    printJson({ ...judged, standing, facts, calls, ms: Math.round(ms) });
  } else print(...describeSafety(report.value, standing).map(printable));
}

function venues(
  options: TokenOptions,
  registry: RegistryChain | undefined,
  official: RegistryChain["tokens"][number] | undefined,
) {
  const { v2Factory, v3Factory, v4Manager, quote = [] } = options;
  const own = {
    ...(v2Factory === undefined ? {} : { v2: { factory: addressOf(v2Factory, "--v2-factory"), feeBps: V2_FEE } }),
    ...(v3Factory === undefined ? {} : { v3: { factory: addressOf(v3Factory, "--v3-factory") } }),
  };
  const named = registry === undefined ? { ...own, quotes: [] } : venuesOf({ registry, venues: own }, official);
  return {
    ...named,
    ...(v4Manager === undefined ? {} : { v4: { ...named.v4, manager: addressOf(v4Manager, "--v4-manager") } }),
    quotes: [...named.quotes, ...quote.map((one) => addressOf(one, "--quote"))],
  };
}

function addressOf(text: string, at: string): `0x${string}` {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as `0x${string}`;
  throw new CommandError("usage", "this is no address", { at: `${at} ${text}`, expected: "0x and 40 hex digits" });
}

/** Whoever names a node on the command line has named its host too, be it an internal one. */
function namedBy(rpc: readonly string[]) {
  const hosts = rpc.map((url) => {
    if (URL.canParse(url)) return new URL(url).hostname.replace(/^\[|\]$/g, "");
    throw new CommandError("usage", "this is no URL", { at: "--rpc" });
  });
  return { addresses: hosts.filter((host) => isIP(host) !== 0), names: hosts.filter((host) => isIP(host) === 0) };
}

async function chainIdOf(transport: RpcTransport): Promise<number> {
  const reply = await transport.request("eth_chainId", []);
  const said = reply.kind === "result" && /^0x[0-9a-f]{1,13}$/i.test(String(reply.value)) ? Number(reply.value) : 0;
  if (said > 0) return said;
  throw new CommandError("chain.unreachable", "the node does not say which chain it serves", { at: "--rpc" });
}
