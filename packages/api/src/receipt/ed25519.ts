/**
 * Ed25519 as a receipt needs it (RFC 8032, narrowed): one spelling of every key and signature, and no key under which a
 * signature says nothing. Libraries differ in what they let through here; so the encodings are judged in plain code,
 * the same on every runtime, and only the equation is left to the platform.
 */

/** Of the field. */
const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Of the group that the base point spans: 2²⁵² + 27742317777372353535851937790883648493, from its lowest byte on. */
const L = Uint8Array.from([
  ...[0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14],
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10],
]);

/** Whether these are the bytes of a key that can vouch for something: canonical, and not one of the eight of low order. */
export const isStrictKey = (key: Uint8Array): boolean => isCanonicalPoint(key) && !isLowOrder(yOf(key));

/**
 * Whether these 64 bytes spell a signature in the one way there is: a canonical R, and S below the group order. An R of low
 * order comes from no honest signer, and some platforms take it while others do not.
 */
export function isStrictSignature(signature: Uint8Array): boolean {
  if (signature.length !== 64 || !isBelowOrder(signature.subarray(32))) return false;
  const point = signature.subarray(0, 32);
  return isCanonicalPoint(point) && !isLowOrder(yOf(point));
}

/**
 * Whether a point is encoded as its own encoder would: y below the field's prime, which ends in ed and has ff above it,
 * and no sign on the two points with x = 0 (y is 1 or -1), which have no negative.
 */
function isCanonicalPoint(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const lowest = bytes[0] as number;
  const highest = bytes[31] as number;
  const middle = bytes.subarray(1, 31);
  if ((highest & 0x7f) === 0x7f && middle.every((byte) => byte === 0xff)) {
    // P - 1 is the last y there is, and its sign has to be 0.
    return lowest < 0xec || (lowest === 0xec && highest === 0x7f);
  }
  return !(highest === 0x80 && lowest === 1 && middle.every((byte) => byte === 0));
}

function isBelowOrder(scalar: Uint8Array): boolean {
  for (let i = 31; i >= 0; i -= 1) {
    if (scalar[i] !== L[i]) return (scalar[i] as number) < (L[i] as number);
  }
  return false;
}

/**
 * Whether the point's order divides eight. Order 1 and 2 have y = 1 and -1, order 4 has y = 0. A point of order 8 doubles
 * to y = 0, which the doubling formula gives exactly when x² = -y²; put into the curve -x² + y² = 1 + d x² y², that is
 * d y⁴ + 2 y² - 1 = 0.
 */
function isLowOrder(y: bigint): boolean {
  const y2 = (y * y) % P;
  return y === 0n || y2 === 1n || (D * y2 * y2 + 2n * y2 - 1n) % P === 0n;
}

/** Without the sign of x, which is the highest bit. */
function yOf(bytes: Uint8Array): bigint {
  let y = 0n;
  for (let i = 31; i >= 0; i -= 1)
    y = (y << 8n) | BigInt(i === 31 ? (bytes[i] as number) & 0x7f : (bytes[i] as number));
  return y;
}

/** A public key, ready to verify with. */
export interface Ed25519Key {
  /** False for every signature that is not a strict one over exactly these bytes by this key. */
  verify(message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

/** Which of the platform's implementations checks the equation. */
export type Ed25519Platform = (key: Uint8Array) => (message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** Undefined when the bytes are no key that this verifier takes: see `isStrictKey`. */
export function ed25519Key(bytes: Uint8Array, platform: Ed25519Platform = ownPlatform()): Ed25519Key | undefined {
  if (!isStrictKey(bytes)) return undefined;
  const equation = platform(bytes.slice());
  return {
    verify: async (message, signature) => isStrictSignature(signature) && (await equation(message, signature)),
  };
}

/** node:crypto where the runtime has it, else WebCrypto: looked up when used, so that no bundle for another runtime names it. */
function ownPlatform(): Ed25519Platform {
  const node = globalThis.process?.getBuiltinModule?.("node:crypto");
  return node === undefined ? webCrypto() : nodeCrypto(node);
}

export function nodeCrypto(crypto: typeof import("node:crypto")): Ed25519Platform {
  return (bytes) => {
    const x = Buffer.from(bytes).toString("base64url");
    let key: import("node:crypto").KeyObject | undefined;
    try {
      key = crypto.createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    } catch {
      // Not a point of the curve, says this version: then it verifies nothing.
    }
    return async (message, signature) => key !== undefined && crypto.verify(null, message, key, signature);
  };
}

/** What is used of WebCrypto. Spelled out, as the runtimes' own declarations differ. */
interface Subtle {
  importKey(format: "raw", key: Owned, name: "Ed25519", extractable: false, usages: ["verify"]): Promise<unknown>;
  verify(name: "Ed25519", key: unknown, signature: Owned, message: Owned): Promise<boolean>;
}

type Owned = Uint8Array<ArrayBuffer>;

/** Rejects where there is no WebCrypto, or none with Ed25519: no answer is not a refusal of the signature. */
export function webCrypto(subtle = globalThis.crypto?.subtle as unknown as Subtle | undefined): Ed25519Platform {
  return (bytes) => {
    let imported: Promise<unknown> | undefined;
    return async (message, signature) => {
      if (subtle === undefined) throw new Error("this runtime has no WebCrypto");
      imported ??= subtle.importKey("raw", copy(bytes), "Ed25519", false, ["verify"]);
      try {
        return await subtle.verify("Ed25519", await imported, copy(signature), copy(message));
      } catch (cause) {
        // DataError: not a point of the curve, says this runtime.
        if (cause instanceof Error && cause.name === "DataError") return false;
        throw cause;
      }
    };
  };
}

/** WebCrypto does not take memory that other threads may write to. */
const copy = (bytes: Uint8Array): Owned => new Uint8Array(bytes);
