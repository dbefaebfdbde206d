import { ok, type Result } from "@countersign/core";
import { type Address, type Hex, keccak256 } from "viem";
import type { ChainError } from "../../chain/error.ts";
import { addressOfWord, least, word } from "../../chain/hex.ts";
import { widestLogs } from "../../chain/logs.ts";
import type { ChainView } from "../../chain/view.ts";
import { NOBODY } from "../../probe/script.ts";
import { isAddressLike } from "../bytecode.ts";
import { PROXY_SLOTS, readSlots, type Subject } from "../subject.ts";

/** Who might hold powers, and where that was seen. */
export interface Candidate {
  readonly address: Address;
  readonly from: "owner" | "storage" | "code" | "role" | "log";
}

export interface Authorities {
  readonly candidates: readonly Candidate[];
  /** False when roles were granted in blocks that the node does not show. */
  readonly whole: boolean;
}

const ROLE_GRANTED: Hex = "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d";
/** Nobody has the keys of these. */
export const DEAD = new Set([
  NOBODY,
  "0x000000000000000000000000000000000000dead",
  "0x0000000000000000000000000000000000000001",
]);

/** Slots that the code reads by constant number, but for those that say what a proxy runs. */
export function constantSlots(subject: Subject): readonly bigint[] {
  const proxySlots = new Set<bigint>(Object.values(PROXY_SLOTS));
  const all = new Set(subject.layers.flatMap(({ facts }) => facts.slots));
  return [...all].filter((slot) => !proxySlots.has(slot)).slice(0, 128);
}

/** Slots that hold addresses: the code reads them by constant number, whatever it calls them. */
export async function findAuthorities(
  view: ChainView,
  subject: Subject,
  seen: readonly Address[],
  ignore: readonly Address[],
): Promise<Result<Authorities, ChainError>> {
  const facts = subject.layers.map((layer) => layer.facts);
  const plain = constantSlots(subject);
  const offsets = new Map<bigint, number[]>();
  for (const { slot, offset } of facts.flatMap(({ addressSlots }) => addressSlots)) {
    offsets.set(slot, [...(offsets.get(slot) ?? []), offset]);
  }
  const usesRoles = facts.some(({ functions }) => functions.some(({ selector }) => selector === GRANT_ROLE));
  const [values, granted] = await Promise.all([
    readSlots(view, subject.address, plain),
    usesRoles ? widestLogs(view, subject.address, [ROLE_GRANTED], "all") : ok({ logs: [], whole: true }),
  ]);
  if (!values.ok) return values;
  if (!granted.ok) return granted;
  const candidates: Candidate[] = [];
  if (subject.owner !== undefined) candidates.push({ address: subject.owner, from: "owner" });
  const mask = (1n << 160n) - 1n;
  for (const [index, slot] of plain.entries()) {
    const value = values.value[index] ?? 0n;
    for (const offset of new Set([0, ...(offsets.get(slot) ?? [])])) {
      const part = (value >> BigInt(8 * offset)) & mask;
      if (isAddressLike(part)) candidates.push({ address: addressOfWord(part), from: "storage" });
    }
  }
  const listed = await readSlots(view, subject.address, listSlots(plain, values.value));
  if (!listed.ok) return listed;
  for (const value of listed.value) {
    if (isAddressLike(value)) candidates.push({ address: addressOfWord(value), from: "storage" });
  }
  for (const log of granted.value.logs) {
    const account = log.topics[2];
    if (account !== undefined) candidates.push({ address: addressOfWord(BigInt(account)), from: "role" });
  }
  candidates.push(
    ...facts.flatMap(({ embedded }) => embedded.map((address): Candidate => ({ address, from: "code" }))),
  );
  // The first recipients are usually whoever deployed it.
  const oldest = [...seen].reverse();
  candidates.push(...oldest.slice(0, 2).map((address): Candidate => ({ address, from: "log" })));
  const skip = new Set<Address>([...ignore, ...subject.layers.map(({ address }) => address)]);
  const unique = [...new Map(candidates.reverse().map((one) => [one.address, one])).values()].reverse();
  const live = unique.filter(({ address }) => !DEAD.has(address) && !skip.has(address));
  return ok({ candidates: live, whole: granted.value.whole });
}

const MAX_LISTS = 8;
const MAX_MEMBERS = 8n;

/** Where the members of lists stand, if the small numbers in these slots are the lengths of lists. */
function listSlots(slots: readonly bigint[], values: readonly bigint[]): readonly bigint[] {
  const lists = slots.flatMap((slot, index) => {
    const length = values[index] ?? 0n;
    return length > 0n && length <= 64n ? [{ slot, length }] : [];
  });
  return lists.slice(0, MAX_LISTS).flatMap(({ slot, length }) => {
    const start = BigInt(keccak256(word(slot)));
    return Array.from({ length: Number(least(length, MAX_MEMBERS)) }, (_, index) => start + BigInt(index));
  });
}

const GRANT_ROLE: Hex = "0x2f2ff15d";
