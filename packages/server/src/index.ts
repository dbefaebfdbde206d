export type { KeyError } from "./keys/keyError.ts";
export { KEY_PURPOSES, type KeyPurpose, type KeyRing, openKeyRing, rotateKeyRing } from "./keys/keyRing.ts";
export { createNodeSigner } from "./keys/nodeSigner.ts";
