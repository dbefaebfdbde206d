import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { decodeBase64url, type Signer } from "@countersign/core";

/**
 * Signs with a private Ed25519 key that this process holds. The KeyObject is kept: reading it from text at each
 * signature would cost more than signing.
 */
export function createNodeSigner(kid: string, key: KeyObject): Signer {
  if (key.type !== "private" || key.asymmetricKeyType !== "ed25519") throw new TypeError("not a private Ed25519 key");
  return { kid, sign: async (bytes) => sign(null, bytes, key) };
}

/** The 32 bytes of the public key. */
export function publicBytes(key: KeyObject): Uint8Array {
  const { x } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  const bytes = x === undefined ? undefined : decodeBase64url(x);
  if (bytes?.length !== 32) throw new TypeError("not an Ed25519 key");
  return bytes;
}

/** Follows from the key, so that one name never stands for two keys: its JWK thumbprint (RFC 7638), in part. */
export function keyId(purpose: string, key: KeyObject): string {
  const x = Buffer.from(publicBytes(key)).toString("base64url");
  const thumbprint = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
  return `${purpose}-${thumbprint.slice(0, 16)}`;
}
