import { canonicalize } from "../json/canonical.ts";
import { type HexSha256, sha256Hex } from "./hexSha256.ts";

/** What a digest is of. A tag is hashed with the value, so that a policy can never pass for an action. */
export type DigestTag =
  | "countersign-action-v1"
  | "countersign-policy-v1"
  | "countersign-facts-v1"
  | "countersign-record-v1";

declare const known: unique symbol;
/** `sha256:` and 64 lower-case hex digits. Made by `digest` and `parseDigest`. */
export type Digest = `sha256:${string}` & { readonly [known]: "Digest" };

/**
 * The digest of a JSON value: SHA-256 over tag, line feed and the value's canonical bytes (RFC 8785). Throws
 * `NotJsonError`, as `canonicalize` does, for what is not JSON.
 */
export function digest(tag: DigestTag, value: unknown, sha256: HexSha256 = sha256Hex): Digest {
  return `sha256:${sha256(`${tag}\n${canonicalize(value)}`)}` as Digest;
}

/** Reads a digest as it is written; undefined for anything else. There is one spelling, so text compares as bytes do. */
export function parseDigest(text: unknown): Digest | undefined {
  return typeof text === "string" && /^sha256:[0-9a-f]{64}$/.test(text) ? (text as Digest) : undefined;
}
