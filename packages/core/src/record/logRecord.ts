import { canonicalize } from "../json/canonical.ts";
import { parseJson } from "../json/parseJson.ts";
import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { err, ok, type Result } from "../result.ts";
import { CHAIN_START, type ChainLink } from "./hashChain.ts";

/**
 * One leaf of the log, as JCS text. The index, the time and the hash of the leaf before are in the bytes, so that a
 * record that was dropped, moved, repeated or edited shows at its own place and not only in the root.
 */
export interface LogRecord {
  readonly v: 1;
  readonly tenant: string;
  /** Leaf index, from 0. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds: the ledger's time of the commit. */
  readonly at: string;
  /** What happened: `decide`, `redeem`, `hold.approve`, … */
  readonly kind: string;
  /** The id it is about. */
  readonly ref: string;
  readonly agent: string | null;
  readonly codes: readonly string[];
  /** Hex leaf hash of the record before; 64 zeros in the first. */
  readonly prev: string;
  /** The place in its subject's chain, where it is in one. */
  readonly chain: ChainLink | null;
  readonly body: JsonObject;
}

/** A record before it has a body that is an object: `body` is canonical JSON text. */
export type DraftRecord = Omit<LogRecord, "v" | "body"> & { readonly body: string };

/** `prev` of the first record. */
export const LOG_START = CHAIN_START;

/** The canonical text. Members are written in order, so that no parsing and sorting is needed to append. */
export function recordText(draft: DraftRecord): string {
  const { agent, at, body, chain, codes, kind, prev, ref, seq, tenant } = draft;
  const link = chain === null ? "null" : `{"hash":"${chain.hash}","prev":"${chain.prev}","seq":${chain.seq}}`;
  return (
    `{"agent":${JSON.stringify(agent)},"at":"${at}","body":${body},"chain":${link},"codes":${JSON.stringify(codes)},` +
    `"kind":${JSON.stringify(kind)},"prev":"${prev}","ref":${JSON.stringify(ref)},"seq":${seq},` +
    `"tenant":${JSON.stringify(tenant)},"v":1}`
  );
}

export interface RecordError {
  readonly code: "record.malformed";
  readonly message: string;
}

/** Far above what a face accepts, as a record holds less than the ask it is about. */
const limits = { bytes: 4 << 20, depth: 256 };

/** Reads a record, and refuses text that is not in canonical form. */
export function parseRecord(text: string): Result<LogRecord, RecordError> {
  const parsed = parseJson(text, limits, "rounded");
  if (!parsed.ok) return malformed("the record is not JSON");
  const value = parsed.value;
  if (!isObject(value) || canonicalize(value) !== text) return malformed("the record is not in canonical form");
  if (!isRecord(value)) return malformed("the record lacks a member or has one of the wrong type");
  return ok(value);
}

const malformed = (message: string) => err<RecordError>({ code: "record.malformed", message });

function isRecord(value: JsonObject): value is JsonObject & LogRecord {
  const { v, tenant, seq, at, kind, ref, agent, codes, prev, chain, body } = value;
  return (
    Object.keys(value).length === 11 &&
    v === 1 &&
    [tenant, at, kind, ref, prev].every((member) => typeof member === "string") &&
    (typeof agent === "string" || agent === null) &&
    Number.isSafeInteger(seq) &&
    Array.isArray(codes) &&
    codes.every((code) => typeof code === "string") &&
    isObject(body) &&
    (chain === null || isLink(chain))
  );
}

const isLink = (chain: JsonValue | undefined): boolean =>
  isObject(chain) &&
  typeof chain["hash"] === "string" &&
  typeof chain["prev"] === "string" &&
  Number.isSafeInteger(chain["seq"]);
