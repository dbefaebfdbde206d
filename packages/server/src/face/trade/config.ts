import { type Fault, type InputSchema, inputFaults } from "@countersign/api";
import {
  compareDecimals,
  type Decimal,
  err,
  formatDecimal,
  isObject,
  type JsonValue,
  ok,
  parseDecimal,
  type Result,
  TRADE_SETTINGS,
  type UrlPolicy,
} from "@countersign/core";
import { readInternal } from "../../egress/internalSetting.ts";
import type { Tier, TradeRules } from "./ports.ts";

/** Which chain trades are judged on, by whose word, and what the operator permits. */
export interface TradeConfig {
  /** A name that is built in, a file, or the registry itself. */
  readonly registry: JsonValue;
  /** Nodes of the chain. Of several, most have to say the same. */
  readonly rpc: readonly string[];
  /** Private addresses that nodes may have. */
  readonly internal: UrlPolicy["internal"];
  /** Where pools are looked for beyond what the registry names. */
  readonly venues: {
    readonly v2?: { readonly factory: `0x${string}`; readonly feeBps: number };
    readonly v3?: { readonly factory: `0x${string}` };
  };
  readonly rules: TradeRules;
}

const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" } as const satisfies InputSchema;
const texts = { type: "array", items: { type: "string" }, maxItems: 64 } as const satisfies InputSchema;
const closed = { type: "object", additionalProperties: false } as const;

const SCHEMA: InputSchema = {
  ...closed,
  required: ["registry", "rpc"],
  properties: {
    registry: { type: ["string", "object"] },
    rpc: {
      type: "array",
      items: { type: "string", pattern: "^https?://[!-~]+$", maxLength: 2048 },
      minItems: 1,
      maxItems: 8,
    },
    internal: { ...closed, properties: { addresses: texts, names: texts } },
    venues: {
      ...closed,
      properties: {
        v2: {
          ...closed,
          required: ["factory", "fee_bps"],
          properties: { factory: address, fee_bps: { type: "integer", minimum: 0, maximum: 1_000 } },
        },
        v3: { ...closed, required: ["factory"], properties: { factory: address } },
      },
    },
    ceilings_usd: { type: "array", items: { type: "string" }, minItems: 3, maxItems: 3 },
    max_loss_usd: { type: "string" },
    max_slippage_bps: { type: "integer", minimum: 0, maximum: TRADE_SETTINGS.maxSlippageBps },
    warn_trades_per_minute: { type: "integer", minimum: 0, maximum: TRADE_SETTINGS.warnTradesPerMinute },
    deny_trades_per_minute: { type: "integer", minimum: 0, maximum: TRADE_SETTINGS.denyTradesPerMinute },
    unregistered: { type: "string", enum: ["denied", "allowed_when_safe"] },
    tiers: { type: "object", additionalProperties: { type: "integer", minimum: 1, maximum: 3 } },
    blocked: { type: "array", items: address, maxItems: 10_000 },
    clusters: { type: "object", additionalProperties: { type: "array", items: address, maxItems: 10_000 } },
    shared_funders: { type: "array", items: address, maxItems: 10_000 },
  },
};

/** As the operator writes it. */
interface Written {
  readonly registry: JsonValue;
  readonly rpc: readonly string[];
  readonly internal?: Partial<UrlPolicy["internal"]>;
  readonly venues?: {
    readonly v2?: { readonly factory: `0x${string}`; readonly fee_bps: number };
    readonly v3?: { readonly factory: `0x${string}` };
  };
  readonly ceilings_usd?: readonly string[];
  readonly max_loss_usd?: string;
  readonly max_slippage_bps?: number;
  readonly warn_trades_per_minute?: number;
  readonly deny_trades_per_minute?: number;
  readonly unregistered?: "denied" | "allowed_when_safe";
  readonly tiers?: Readonly<Record<string, Tier>>;
  readonly blocked?: readonly string[];
  readonly clusters?: Readonly<Record<string, readonly string[]>>;
  readonly shared_funders?: readonly string[];
}

/**
 * Reads the start setting `trade`. Limits may only be lower than the published ones. Everything that is wrong is told,
 * each with its path; no value is repeated.
 */
export function readTradeConfig(input: JsonValue): Result<TradeConfig, readonly [Fault, ...Fault[]]> {
  const [first, ...rest] = inputFaults(SCHEMA, input);
  if (first !== undefined) return err([first, ...rest]);
  const written = input as unknown as Written;
  const { internal, faults: internalFaults } = readInternal(written.internal);
  const faults: Fault[] = [...internalFaults];
  for (const [index, url] of written.rpc.entries())
    if (!URL.canParse(url)) faults.push({ path: `/rpc/${index}`, message: "is not a URL" });

  const limit = (text: string | undefined, path: string, most: Decimal): Decimal => {
    if (text === undefined) return most;
    const read = parseDecimal(text);
    const expected = `dollars, at most ${formatDecimal(most)}`;
    if (read.ok && compareDecimals(read.value, most) <= 0) return read.value;
    faults.push({ path, message: read.ok ? "is above the published limit" : read.error.message, expected });
    return most;
  };
  const { ceilings, maxLoss } = TRADE_SETTINGS;
  const ceiling = (index: 0 | 1 | 2) => limit(written.ceilings_usd?.[index], `/ceilings_usd/${index}`, ceilings[index]);
  const settings = {
    ...TRADE_SETTINGS,
    ceilings: [ceiling(0), ceiling(1), ceiling(2)] as const,
    maxLoss: limit(written.max_loss_usd, "/max_loss_usd", maxLoss),
    maxSlippageBps: written.max_slippage_bps ?? TRADE_SETTINGS.maxSlippageBps,
    warnTradesPerMinute: written.warn_trades_per_minute ?? TRADE_SETTINGS.warnTradesPerMinute,
    denyTradesPerMinute: written.deny_trades_per_minute ?? TRADE_SETTINGS.denyTradesPerMinute,
    unregistered: written.unregistered ?? TRADE_SETTINGS.unregistered,
  };
  const clusters = new Map<string, string>();
  for (const [name, wallets] of Object.entries(written.clusters ?? {})) {
    for (const wallet of wallets.map((one) => one.toLowerCase())) {
      if (clusters.has(wallet)) faults.push({ path: "/clusters", message: "a wallet is in two clusters" });
      clusters.set(wallet, name);
    }
  }
  const [wrong, ...more] = faults;
  if (wrong !== undefined) return err([wrong, ...more]);
  const { v2, v3 } = written.venues ?? {};
  return ok({
    registry: isObject(written.registry) ? written.registry : String(written.registry),
    rpc: written.rpc,
    internal,
    venues: {
      ...(v2 === undefined ? {} : { v2: { factory: v2.factory, feeBps: v2.fee_bps } }),
      ...(v3 === undefined ? {} : { v3: { factory: v3.factory } }),
    },
    rules: {
      settings,
      tiers: new Map(Object.entries(written.tiers ?? {})),
      blocked: new Set((written.blocked ?? []).map((one) => one.toLowerCase())),
      clusters,
      sharedFunders: new Set((written.shared_funders ?? []).map((one) => one.toLowerCase())),
    },
  });
}
