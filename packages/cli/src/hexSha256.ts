import { hash } from "node:crypto";

/** The runtime's own, which is faster than one in JavaScript. */
export const hexSha256 = (input: Uint8Array | string): string => hash("sha256", input, "hex");
