import type { JsonObject, JsonValue } from "../../json/value.ts";
import { err, ok, type Result } from "../../result.ts";
import { address, listOf, Malformed, members, one, text, whole } from "./members.ts";
import type { RegistryChain, RegistryFeed, RegistryPool, RegistryToken } from "./registry.ts";

export interface RegistryFault {
  readonly code: "registry.malformed";
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

const MAX_TOKENS = 2_000;
const MAX_POOLS = 16;

/**
 * Reads the registry of one chain: tokens, feeds, pools, calendars, each with its source. Strict, since a member that
 * is not understood could have been a limit, and every address without a source is a rumour.
 */
export function readRegistry(value: JsonValue): Result<RegistryChain, RegistryFault> {
  try {
    return ok(chainOf(value));
  } catch (thrown) {
    if (!(thrown instanceof Malformed)) throw thrown;
    return err({ code: "registry.malformed", path: thrown.path, message: thrown.message });
  }
}

const place = (value: JsonValue | undefined, path: string) => {
  const given = members(value, path, ["address", "source"]);
  return { address: address(given["address"], `${path}/address`), source: text(given["source"], `${path}/source`) };
};

function chainOf(value: JsonValue): RegistryChain {
  const given = members(value, "", ["chainId", "name", "tokens", "source"], ["v4Manager", "sequencerFeed"]);
  const tokens = listOf(given["tokens"], "/tokens", MAX_TOKENS, tokenOf);
  for (const key of ["address", "symbol"] as const) {
    const seen = new Set<string>();
    for (const [index, token] of tokens.entries()) {
      const name = token[key].toLowerCase();
      if (seen.has(name)) throw new Malformed(`/tokens/${index}/${key}`, "is there twice");
      seen.add(name);
    }
  }
  return {
    chainId: whole(given["chainId"], "/chainId", 1, Number.MAX_SAFE_INTEGER),
    name: text(given["name"], "/name"),
    source: text(given["source"], "/source"),
    tokens,
    ...(given["v4Manager"] === undefined ? {} : { v4Manager: place(given["v4Manager"], "/v4Manager") }),
    ...(given["sequencerFeed"] === undefined ? {} : { sequencerFeed: place(given["sequencerFeed"], "/sequencerFeed") }),
  };
}

function tokenOf(value: JsonValue, path: string): RegistryToken {
  const keys = ["symbol", "address", "decimals", "kind", "calendar", "pools", "oracleSwitch", "pegged", "source"];
  const given = members(value, path, keys, ["feed"]);
  if (typeof given["pegged"] !== "boolean") throw new Malformed(`${path}/pegged`, "true or false is expected");
  return {
    symbol: text(given["symbol"], `${path}/symbol`),
    address: address(given["address"], `${path}/address`),
    decimals: whole(given["decimals"], `${path}/decimals`, 0, 77),
    kind: one(given["kind"], `${path}/kind`, ["stock", "etf", "stable", "wrapped"]),
    calendar: one(given["calendar"], `${path}/calendar`, ["nyse", "always"]),
    pools: listOf(given["pools"], `${path}/pools`, MAX_POOLS, poolOf),
    oracleSwitch: one(given["oracleSwitch"], `${path}/oracleSwitch`, ["asked", "absent"]),
    pegged: given["pegged"],
    source: text(given["source"], `${path}/source`),
    ...(given["feed"] === undefined ? {} : { feed: feedOf(given["feed"], `${path}/feed`) }),
  };
}

function feedOf(value: JsonValue | undefined, path: string): RegistryFeed {
  const given = members(value, path, ["address", "decimals", "description", "source"], ["maxAge"]);
  const ages = given["maxAge"];
  const read = (from: JsonObject, key: string) => whole(from[key], `${path}/maxAge/${key}`, 1, 30 * 86_400);
  const maxAge = ages === undefined ? undefined : members(ages, `${path}/maxAge`, ["open", "closed"]);
  return {
    address: address(given["address"], `${path}/address`),
    decimals: whole(given["decimals"], `${path}/decimals`, 0, 36),
    description: text(given["description"], `${path}/description`),
    source: text(given["source"], `${path}/source`),
    ...(maxAge === undefined ? {} : { maxAge: { open: read(maxAge, "open"), closed: read(maxAge, "closed") } }),
  };
}

function poolOf(value: JsonValue, path: string): RegistryPool {
  const given = members(value, path, ["currency0", "currency1", "fee", "tickSpacing", "hooks", "source"]);
  const [currency0, currency1] = [
    address(given["currency0"], `${path}/currency0`),
    address(given["currency1"], `${path}/currency1`),
  ];
  if (BigInt(currency0) >= BigInt(currency1)) throw new Malformed(`${path}/currency1`, "must be above currency0");
  return {
    currency0,
    currency1,
    fee: whole(given["fee"], `${path}/fee`, 0, 0xffffff),
    tickSpacing: whole(given["tickSpacing"], `${path}/tickSpacing`, 1, 32_767),
    hooks: address(given["hooks"], `${path}/hooks`),
    source: text(given["source"], `${path}/source`),
  };
}
