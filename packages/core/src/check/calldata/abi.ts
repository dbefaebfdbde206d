/** A type of the contract ABI, as far as calls that move money use it. */
export type AbiType =
  | { readonly kind: "uint"; readonly bits: number }
  | { readonly kind: "int"; readonly bits: number }
  | { readonly kind: "address" }
  | { readonly kind: "bool" }
  | { readonly kind: "fixed"; readonly size: number }
  | { readonly kind: "bytes" }
  | { readonly kind: "list"; readonly of: AbiType; readonly count?: number }
  | { readonly kind: "tuple"; readonly members: readonly AbiType[] };

/** Numbers as bigint, addresses and bytes as hex (`0x…`, lower case), lists and tuples as arrays. */
export type AbiValue = bigint | boolean | string | readonly AbiValue[];

/**
 * What decoding may cost in all: an offset may point anywhere, so a few hundred bytes can describe lists of lists
 * without end.
 */
export interface Work {
  left: number;
}

const cache = new Map<string, readonly AbiType[]>();

/** Reads "address,(uint256,bytes)[],uint8" once. Our own tables only: a mistake in them is a broken invariant. */
export function abiTypes(text: string): readonly AbiType[] {
  const kept = cache.get(text);
  if (kept !== undefined) return kept;
  const read = splitTop(text).map(abiType);
  cache.set(text, read);
  return read;
}

function splitTop(text: string): readonly string[] {
  if (text === "") return [];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (char === undefined || (char === "," && depth === 0)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}

function abiType(text: string): AbiType {
  const list = /^(.*)\[(\d*)\]$/.exec(text);
  if (list !== null) {
    const of = abiType(list[1] ?? "");
    return list[2] === "" ? { kind: "list", of } : { kind: "list", of, count: Number(list[2]) };
  }
  if (text.startsWith("(")) return { kind: "tuple", members: abiTypes(text.slice(1, -1)) };
  const number = /^(u?)int(\d+)$/.exec(text);
  if (number !== null) return { kind: number[1] === "u" ? "uint" : "int", bits: Number(number[2]) };
  const fixed = /^bytes(\d+)$/.exec(text);
  if (fixed !== null) return { kind: "fixed", size: Number(fixed[1]) };
  if (text === "string") return { kind: "bytes" };
  if (text === "address" || text === "bool" || text === "bytes") return { kind: text };
  throw new Error(`"${text}" is no type of the ABI tables`);
}

const isDynamic = (type: AbiType): boolean =>
  type.kind === "bytes" ||
  (type.kind === "list" && (type.count === undefined || isDynamic(type.of))) ||
  (type.kind === "tuple" && type.members.some(isDynamic));

/** Bytes that a type takes where it stands. */
const headSize = (type: AbiType): number => {
  if (isDynamic(type)) return 32;
  if (type.kind === "list") return (type.count ?? 0) * headSize(type.of);
  return type.kind === "tuple" ? type.members.reduce((sum, member) => sum + headSize(member), 0) : 32;
};

/**
 * The arguments that `digits` (hex without prefix) encode; undefined when they do not encode these types.
 * As strict as contracts of today: dirty upper bits, truncated data and offsets out of range are refused. Older
 * contracts forgive some of it, so what is refused here may still run, and callers must not take it for harmless.
 */
export function decodeAbi(types: readonly AbiType[], digits: string, work: Work): readonly AbiValue[] | undefined {
  return readMembers(types, digits, 0, work);
}

function readMembers(
  types: readonly AbiType[],
  digits: string,
  base: number,
  work: Work,
): readonly AbiValue[] | undefined {
  const values: AbiValue[] = [];
  let at = base;
  for (const type of types) {
    const value = readAt(type, digits, base, at, work);
    if (value === undefined) return undefined;
    values.push(value);
    at += headSize(type);
  }
  return values;
}

/** `at` is where the type stands; offsets count from `base`, the start of what encloses it. */
function readAt(type: AbiType, digits: string, base: number, at: number, work: Work): AbiValue | undefined {
  work.left -= 1;
  if (work.left < 0) return undefined;
  if (!isDynamic(type)) return readStatic(type, digits, at, work);
  const offset = readLength(digits, at);
  return offset === undefined ? undefined : readDynamic(type, digits, base + offset, work);
}

function readStatic(type: AbiType, digits: string, at: number, work: Work): AbiValue | undefined {
  if (type.kind === "tuple") return readMembers(type.members, digits, at, work);
  if (type.kind === "list") {
    return readMembers(
      Array.from({ length: type.count ?? 0 }, () => type.of),
      digits,
      at,
      work,
    );
  }
  const word = digits.slice(at * 2, at * 2 + 64);
  if (word.length !== 64) return undefined;
  switch (type.kind) {
    case "uint": {
      const value = BigInt(`0x${word}`);
      return value >> BigInt(type.bits) === 0n ? value : undefined;
    }
    case "int": {
      const value = BigInt.asIntN(256, BigInt(`0x${word}`));
      return BigInt.asIntN(type.bits, value) === value ? value : undefined;
    }
    case "address":
      return word.startsWith("0".repeat(24)) ? `0x${word.slice(24)}` : undefined;
    case "bool":
      return /^0{63}[01]$/.test(word) ? word.endsWith("1") : undefined;
    case "fixed":
      return /^0*$/.test(word.slice(type.size * 2)) ? `0x${word.slice(0, type.size * 2)}` : undefined;
    case "bytes":
      return undefined;
  }
}

function readDynamic(type: AbiType, digits: string, at: number, work: Work): AbiValue | undefined {
  if (type.kind === "tuple") return readMembers(type.members, digits, at, work);
  if (type.kind === "list" && type.count !== undefined) {
    return readMembers(
      Array.from({ length: type.count }, () => type.of),
      digits,
      at,
      work,
    );
  }
  const length = readLength(digits, at);
  if (length === undefined) return undefined;
  if (type.kind === "bytes") {
    const bytes = digits.slice((at + 32) * 2, (at + 32 + length) * 2);
    return bytes.length === length * 2 ? `0x${bytes}` : undefined;
  }
  if (type.kind !== "list" || length > work.left) return undefined;
  return readMembers(
    Array.from({ length }, () => type.of),
    digits,
    at + 32,
    work,
  );
}

/** An offset or a length: anything above four thousand million cannot be in range. */
function readLength(digits: string, at: number): number | undefined {
  const word = digits.slice(at * 2, at * 2 + 64);
  return /^0{56}[0-9a-f]{8}$/.test(word) ? Number.parseInt(word.slice(56), 16) : undefined;
}
