import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { encodeUtf8 } from "../json/utf8.ts";

/**
 * SHA-256 of bytes, or of the UTF-8 of a text without lone surrogates, as 64 lower-case hex digits. A port, so that a
 * server hands in its own: Node's `(input) => hash("sha256", input, "hex")` of `node:crypto` is several times as fast.
 */
export type HexSha256 = (input: Uint8Array | string) => string;

/** The pure one, which runs anywhere. */
export const sha256Hex: HexSha256 = (input) =>
  bytesToHex(sha256(typeof input === "string" ? encodeUtf8(input) : input));
