import type { JsonObject, JsonValue } from "../../json/value.ts";

/** EIP-712 data whose types and values fit together. */
export interface TypedData {
  readonly primaryType: string;
  /** `encodeType` of the primary type: two structs are the same only when this is. */
  readonly signature: string;
  readonly message: JsonObject;
  readonly chainId: bigint | undefined;
  readonly verifyingContract: string | undefined;
}

export type StructFault = "shape" | "types" | "value" | "domain";

interface Member {
  readonly name: string;
  readonly type: string;
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
const MAX_TYPES = 32;
const MAX_MEMBERS = 32;
const MAX_VALUES = 4_096;
const MAX_DEPTH = 8;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const own = (value: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/**
 * Reads `{domain, types, primaryType, message}`. What a wallet would sign is what the types say, so members that the
 * types do not name are refused: a person would read them, and the signature would not cover them.
 */
export function readTypedData(data: JsonObject): TypedData | StructFault {
  const [domain, types, primaryType, message] = ["domain", "types", "primaryType", "message"].map((key) =>
    own(data, key),
  );
  if (!isObject(domain) || !isObject(types) || typeof primaryType !== "string" || !isObject(message)) return "shape";
  if (Object.keys(data).length !== 4) return "shape";
  const structs = readTypes(types);
  const signature = structs === undefined ? undefined : encodeType(primaryType, structs);
  if (structs === undefined || signature === undefined) return "types";
  const work = { left: MAX_VALUES };
  if (!fits(primaryType, message, structs, work, 0)) return "value";
  const chain = own(domain, "chainId");
  const contract = own(domain, "verifyingContract");
  const chainId = chain === undefined ? undefined : readUint(chain, 256);
  if (chain !== undefined && chainId === undefined) return "domain";
  if (contract !== undefined && !isAddress(contract)) return "domain";
  const declared = structs.get("EIP712Domain");
  if (declared !== undefined && !fits("EIP712Domain", domain, structs, work, 0)) return "domain";
  return {
    primaryType,
    signature,
    message,
    chainId,
    verifyingContract: typeof contract === "string" ? contract.toLowerCase() : undefined,
  };
}

function readTypes(types: JsonObject): ReadonlyMap<string, readonly Member[]> | undefined {
  const names = Object.keys(types);
  if (names.length > MAX_TYPES) return undefined;
  const structs = new Map<string, readonly Member[]>();
  for (const name of names) {
    const members = types[name];
    if (!NAME.test(name) || !Array.isArray(members) || members.length > MAX_MEMBERS) return undefined;
    const read: Member[] = [];
    for (const member of members as readonly JsonValue[]) {
      if (!isObject(member) || Object.keys(member).length !== 2) return undefined;
      const [label, type] = [own(member, "name"), own(member, "type")];
      if (typeof label !== "string" || typeof type !== "string" || !NAME.test(label)) return undefined;
      if (read.some((one) => one.name === label)) return undefined;
      read.push({ name: label, type });
    }
    structs.set(name, read);
  }
  return structs;
}

/** The type of an element of a list, or of the value itself. */
const element = (type: string): string => type.replace(/(\[\d*\])+$/, "");

/** `Name(type name,…)` with the structs it uses behind it, in the order of their names. */
function encodeType(primary: string, structs: ReadonlyMap<string, readonly Member[]>): string | undefined {
  const used = new Set<string>();
  const queue = [primary];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (used.has(name)) continue;
    const members = structs.get(name);
    if (members === undefined) return undefined;
    used.add(name);
    for (const { type } of members) {
      const inner = element(type);
      if (structs.has(inner)) queue.push(inner);
      else if (!isBasic(inner)) return undefined;
    }
  }
  const others = [...used].filter((name) => name !== primary).sort();
  const written = [primary, ...others].map(
    (name) => `${name}(${(structs.get(name) ?? []).map(({ type, name: label }) => `${type} ${label}`).join(",")})`,
  );
  return written.join("");
}

const isBasic = (type: string): boolean => {
  const number = /^u?int(\d+)$/.exec(type);
  if (number !== null) return Number(number[1]) % 8 === 0 && Number(number[1]) >= 8 && Number(number[1]) <= 256;
  const fixed = /^bytes(\d+)$/.exec(type);
  if (fixed !== null) return Number(fixed[1]) >= 1 && Number(fixed[1]) <= 32;
  return ["address", "bool", "string", "bytes"].includes(type);
};

function fits(
  type: string,
  value: JsonValue | undefined,
  structs: ReadonlyMap<string, readonly Member[]>,
  work: { left: number },
  depth: number,
): boolean {
  work.left -= 1;
  if (work.left < 0 || depth > MAX_DEPTH || value === undefined) return false;
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list !== null) {
    if (!Array.isArray(value) || (list[2] !== "" && value.length !== Number(list[2]))) return false;
    return (value as readonly JsonValue[]).every((one) => fits(list[1] ?? "", one, structs, work, depth + 1));
  }
  const members = structs.get(type);
  if (members !== undefined) {
    if (!isObject(value) || Object.keys(value).length !== members.length) return false;
    return members.every((member) => fits(member.type, own(value, member.name), structs, work, depth + 1));
  }
  return fitsBasic(type, value);
}

function fitsBasic(type: string, value: JsonValue): boolean {
  if (type === "address") return isAddress(value);
  if (type === "bool") return typeof value === "boolean";
  if (type === "string") return typeof value === "string";
  const number = /^(u?)int(\d+)$/.exec(type);
  if (number !== null) {
    return number[1] === "u" ? readUint(value, Number(number[2])) !== undefined : isInt(value, Number(number[2]));
  }
  const fixed = /^bytes(\d*)$/.exec(type);
  if (fixed === null || typeof value !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(value)) return false;
  return fixed[1] === "" || value.length === 2 + 2 * Number(fixed[1]);
}

export const isAddress = (value: JsonValue): value is string =>
  typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);

/** Digits, `0x` hex, or a JSON number that is a safe integer: the forms in which wallets are given numbers. */
export function readUint(value: JsonValue | undefined, bits: number): bigint | undefined {
  let read: bigint | undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) read = BigInt(value);
  else if (typeof value === "string" && /^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/.test(value)) read = BigInt(value);
  return read === undefined || read >> BigInt(bits) !== 0n ? undefined : read;
}

function isInt(value: JsonValue, bits: number): boolean {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
  if (typeof value !== "string" || !/^-?(0|[1-9][0-9]{0,77})$/.test(value)) return false;
  return BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
}
