import { dirname, resolve } from "node:path";
import {
  hex,
  type JsonValue,
  type PolicySource,
  type RegistryChain,
  readReadings,
  readRegistry,
  recordedTradeChain,
  type Store,
  type TradeChain,
} from "@countersign/core";
import {
  type ChainReader,
  connectChain,
  funderMemory,
  HTTP_DEFAULTS,
  httpTransport,
  quorumTransport,
  ROBINHOOD,
  type RpcTransport,
  tradeChain,
  verifyRegistry,
} from "@countersign/evm";
import {
  createEgress,
  createResolver,
  type Dialect,
  EGRESS_LIMITS,
  egressFetch,
  egressPolicy,
  readTradeConfig,
  type TradeConfig,
  type TradeFace,
  tradeDialect,
  tradeOutcomes,
} from "@countersign/server";
import { CommandError, refuse } from "./exit.ts";
import { hexSha256 } from "./hexSha256.ts";
import { nameOf } from "./input.ts";
import { sha256 } from "./localGate.ts";
import { readDocument } from "./policyFile.ts";
import { random } from "./random.ts";

const LOOK_UP_MS = 2_000;

/** Registries that come with the program. None is believed: the chain is asked about each entry at start. */
const BUILT_IN: Readonly<Record<string, JsonValue>> = { robinhood: ROBINHOOD };

export interface TradeFaces {
  readonly dialect: Dialect;
  /** Where what trades realised is reported. */
  readonly outcomes: Dialect;
}

/** Where trades are judged: what is kept, by whose limits, by which clock, and from recorded readings or from the chain. */
export interface TradePlace {
  readonly store: Store;
  readonly policies: PolicySource;
  /** Milliseconds. */
  readonly clock: () => number;
  /** A file of readings, which stands in for the chain. */
  readonly recorded?: string;
}

/** What a file says of trades, ready to judge them. Whatever is wrong with it, or with the chain, ends the command. */
export async function openTradeFrom(file: string, place: TradePlace): Promise<TradeFaces> {
  const read = readTradeConfig(await readDocument(file));
  if (!read.ok) {
    const [first, ...rest] = read.error;
    return refuse({ code: "trade.malformed", ...first }, nameOf(file), rest.length);
  }
  const { recorded, ...kept } = place;
  const registry = await registryOf(read.value.registry, file);
  const source =
    recorded === undefined
      ? await fromChain(read.value, registry, place.clock, nameOf(file))
      : { chain: await fromRecord(recorded, registry), funderOf: null };
  const face = { ...source, ...kept, rules: read.value.rules, random, sha256, hexSha256 };
  return { dialect: tradeDialect(face), outcomes: tradeOutcomes(face) };
}

async function fromChain(
  { rpc, internal, venues }: TradeConfig,
  registry: RegistryChain,
  clock: () => number,
  at: string,
): Promise<Pick<TradeFace, "chain" | "funderOf">> {
  const transport = transportOf(rpc, internal);
  const { chainId } = registry;
  const reader = await connected(transport, chainId, at);
  const verified = await verifyRegistry(reader, registry);
  if (!verified.ok) throw new CommandError(verified.error.code, verified.error.message, { at });
  const chain = tradeChain(reader, { registry, venues, seed: hex(random(16)) });
  return { chain, funderOf: funderMemory({ transport, chainId, clock }) };
}

async function fromRecord(file: string, registry: RegistryChain): Promise<TradeChain> {
  const read = readReadings(await readDocument(file), registry.chainId);
  return read.ok ? recordedTradeChain(registry, read.value) : refuse(read.error, nameOf(file));
}

/** A registry by its name, from a file beside the one that names it, or as it stands. */
export async function registryOf(named: TradeConfig["registry"], from?: string): Promise<RegistryChain> {
  const isBuiltIn = typeof named === "string" && Object.hasOwn(BUILT_IN, named);
  const file = typeof named !== "string" || isBuiltIn ? undefined : from === undefined ? named : beside(named, from);
  const document = file !== undefined ? await readDocument(file) : isBuiltIn ? BUILT_IN[named] : named;
  const read = readRegistry(document ?? null);
  return read.ok ? read.value : refuse(read.error, file ?? nameOf(from));
}

const beside = (file: string, from: string): string => (from === "-" ? file : resolve(dirname(from), file));

export async function connected(transport: RpcTransport, chainId: number, at: string): Promise<ChainReader> {
  const reader = await connectChain(transport, chainId);
  if (reader.ok) return reader.value;
  throw new CommandError(reader.error.code, reader.error.message, { at });
}

/** One node is believed; of several, most of them have to say the same. */
export function transportOf(rpc: readonly string[], internal: TradeConfig["internal"]): RpcTransport {
  const egress = createEgress({
    ...EGRESS_LIMITS,
    // A batch of simulations is answered in one piece.
    maxBytes: HTTP_DEFAULTS.maxBytes,
    policy: egressPolicy(internal),
    resolver: createResolver({ ask: "system", deadlineMs: LOOK_UP_MS, now: () => new Date() }),
    ca: "system",
  });
  const [first, ...rest] = rpc.map((url) => httpTransport(url, { ...HTTP_DEFAULTS, fetch: egressFetch(egress) }));
  if (first === undefined) throw new Error("a chain has no node");
  return rest.length === 0 ? first : quorumTransport([first, ...rest], Math.floor(rpc.length / 2) + 1);
}
