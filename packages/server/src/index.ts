export { addressFacts } from "./egress/addressFacts.ts";
export {
  createEgress,
  EGRESS_LIMITS,
  type Egress,
  type EgressAnswer,
  type EgressOptions,
  type EgressRequest,
  egressPolicy,
} from "./egress/egress.ts";
export type { EgressError } from "./egress/egressError.ts";
export { EgressFailure, egressFetch } from "./egress/egressFetch.ts";
export { type PinnedFetchOptions, pinnedFetch } from "./egress/pinnedFetch.ts";
export { createResolver, type ResolverOptions } from "./egress/resolveHost.ts";
export type { KeyError } from "./keys/keyError.ts";
export { KEY_PURPOSES, type KeyPurpose, type KeyRing, openKeyRing, rotateKeyRing } from "./keys/keyRing.ts";
export { createNodeSigner } from "./keys/nodeSigner.ts";
