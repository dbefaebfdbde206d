import { createHash } from "node:crypto";

/** The runtime's own, which is faster than one in JavaScript. */
export const hexSha256 = (input: Uint8Array | string): string => createHash("sha256").update(input).digest("hex");
