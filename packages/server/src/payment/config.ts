import { type Fault, type InputSchema, inputFaults } from "@countersign/api";
import { err, type JsonValue, ok, parseDecimal, type Result, toAtomic, type UrlPolicy } from "@countersign/core";
import { readInternal } from "../egress/internalSetting.ts";

/** What is sold, for how much, and who is asked about the money. */
export interface PaymentConfig {
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly chainId: number;
  readonly asset: PaymentAsset;
  /** Who is paid. */
  readonly payTo: `0x${string}`;
  /** Base URL of the facilitator that verifies and settles. */
  readonly facilitator: string;
  /** Nodes of the chain: whether a payment was made is for the chain to say. */
  readonly rpc: readonly string[];
  /** Where this server is reached, without a slash at the end. The resource that is paid for is named by it, never by Host. */
  readonly publicUrl: string;
  /** How long a payer's authorization is good for. */
  readonly maxTimeoutSeconds: number;
  /** Private addresses that facilitator and nodes may have; without them, only public ones are asked. */
  readonly internal: UrlPolicy["internal"];
  /** Atomic units for one answer, by tool. */
  readonly prices: ReadonlyMap<string, bigint>;
}

/** A token with EIP-3009. Name and version are those of its EIP-712 domain, to the letter: payers sign them. */
export interface PaymentAsset {
  readonly address: `0x${string}`;
  readonly decimals: number;
  readonly name: string;
  readonly version: string;
}

const ADDRESS = "^0x[0-9a-fA-F]{40}$";
const URL_TEXT = { type: "string", pattern: "^https?://[!-~]+$", maxLength: 2048 } as const;

const SCHEMA: InputSchema = {
  type: "object",
  required: ["price", "network", "asset", "pay_to", "facilitator", "rpc", "public_url"],
  additionalProperties: false,
  properties: {
    price: { type: "object", additionalProperties: { type: "string" } },
    network: { type: "string", pattern: "^eip155:[1-9][0-9]{0,14}$" },
    asset: {
      type: "object",
      required: ["address", "decimals", "name", "version"],
      additionalProperties: false,
      properties: {
        address: { type: "string", pattern: ADDRESS },
        decimals: { type: "integer", minimum: 0, maximum: 36 },
        name: { type: "string", minLength: 1, maxLength: 100 },
        version: { type: "string", minLength: 1, maxLength: 20 },
      },
    },
    pay_to: { type: "string", pattern: ADDRESS },
    facilitator: URL_TEXT,
    rpc: { type: "array", items: URL_TEXT, minItems: 1, maxItems: 8 },
    public_url: URL_TEXT,
    internal: {
      type: "object",
      additionalProperties: false,
      properties: {
        addresses: { type: "array", items: { type: "string" }, maxItems: 64 },
        names: { type: "array", items: { type: "string" }, maxItems: 64 },
      },
    },
    max_timeout_seconds: { type: "integer", minimum: 10, maximum: 3600 },
  },
};

const DEFAULT_TIMEOUT_SECONDS = 60;

/** As the operator writes it. */
interface Written {
  readonly price: Readonly<Record<string, string>>;
  readonly network: `eip155:${number}`;
  readonly asset: PaymentAsset;
  readonly pay_to: string;
  readonly facilitator: string;
  readonly rpc: readonly string[];
  readonly public_url: string;
  readonly max_timeout_seconds?: number;
  readonly internal?: Partial<UrlPolicy["internal"]>;
}

/** Reads the start setting `payment`. Everything that is wrong is told, each with its path; no value is repeated. */
export function readPaymentConfig(input: JsonValue): Result<PaymentConfig, readonly [Fault, ...Fault[]]> {
  const [first, ...rest] = inputFaults(SCHEMA, input);
  if (first !== undefined) return err([first, ...rest]);
  const written = input as unknown as Written;
  const { internal, faults: internalFaults } = readInternal(written.internal);
  const faults: Fault[] = [...internalFaults];
  const prices = new Map<string, bigint>();
  for (const [tool, text] of Object.entries(written.price)) {
    const price = priceOf(text, written.asset.decimals);
    if (typeof price === "bigint") prices.set(tool, price);
    else faults.push({ path: `/price/${tool.replaceAll("~", "~0").replaceAll("/", "~1")}`, ...price });
  }
  if (Object.keys(written.price).length === 0)
    faults.push({ path: "/price", message: "nothing has a price", expected: "a tool and what it costs" });
  if (/^0x0{40}$/.test(written.pay_to))
    faults.push({ path: "/pay_to", message: "payments to the zero address are lost" });
  if (written.pay_to.toLowerCase() === written.asset.address.toLowerCase())
    faults.push({ path: "/pay_to", message: "payments to the token's own contract are lost" });
  for (const [path, url] of [
    ["/facilitator", written.facilitator],
    ["/public_url", written.public_url],
    ...written.rpc.map((url, index) => [`/rpc/${index}`, url] as const),
  ] as const)
    if (!URL.canParse(url)) faults.push({ path, message: "is not a URL" });
  if (URL.canParse(written.public_url) && !isBase(new URL(written.public_url)))
    faults.push({
      path: "/public_url",
      message: "has a user, a query or a fragment",
      expected: "scheme, host and path",
    });
  const [wrong, ...more] = faults;
  if (wrong !== undefined) return err([wrong, ...more]);
  return ok({
    network: written.network,
    chainId: Number(written.network.slice("eip155:".length)),
    asset: { ...written.asset, address: lower(written.asset.address) },
    payTo: lower(written.pay_to),
    facilitator: written.facilitator.replace(/\/+$/, ""),
    rpc: written.rpc,
    publicUrl: written.public_url.replace(/\/+$/, ""),
    maxTimeoutSeconds: written.max_timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    internal,
    prices,
  });
}

/** Never rounded: a price that the token cannot express is another price. */
function priceOf(text: string, decimals: number): bigint | Omit<Fault, "path"> {
  const amount = parseDecimal(text);
  if (!amount.ok) return { message: amount.error.message, expected: 'a decimal such as "0.01"' };
  const units = toAtomic(amount.value, decimals);
  if (!units.ok) return { message: units.error.message, expected: `at most ${decimals} fraction digits` };
  return units.value > 0n ? units.value : { message: "a price is more than nothing; a tool without a price is free" };
}

const isBase = (url: URL): boolean =>
  url.username === "" && url.password === "" && url.search === "" && url.hash === "";

const lower = (address: string): `0x${string}` => address.toLowerCase() as `0x${string}`;
