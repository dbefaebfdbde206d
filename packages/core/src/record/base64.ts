import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/** RFC 4648 section 4, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encodeBase64url(bytes).replaceAll("-", "+").replaceAll("_", "/");
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/** The bytes, or undefined for anything but the one spelling `encodeBase64` gives them. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(text);
  if (match === null || text.length % 4 !== 0) return undefined;
  return decodeBase64url((match[1] ?? "").replaceAll("+", "-").replaceAll("/", "_"));
}
