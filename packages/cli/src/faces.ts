import { createLifecycle, type Store } from "@countersign/core";
import {
  actionGateDialect,
  type Dialect,
  firewallDialect,
  type KeyDocuments,
  type Logger,
  mandateDialect,
  nativeDialect,
} from "@countersign/server";
import { hexSha256 } from "./hexSha256.ts";
import { openKeyRings } from "./keyRings.ts";
import { createLocalGate, random, sha256 } from "./localGate.ts";
import { openStore, type StoreOptions } from "./openStore.ts";
import { openPolicies } from "./policyInForce.ts";
import { openServices, type ServiceOptions, type Services } from "./services.ts";

export interface FaceOptions extends StoreOptions, ServiceOptions {
  readonly policy?: string;
}

/** What `serve` and `mcp` have in common: one gate and every interface to it. */
export interface Faces extends Services {
  readonly store: Store;
  readonly dialects: readonly Dialect[];
  readonly documents: KeyDocuments;
  close(): Promise<void>;
}

const HOUR = 3_600_000;
/** How long a person has to decide, and how long the approval may be used. */
const HOLDS = { expiresIn: 24 * HOUR, grantFor: HOUR };
/** What was asked is kept beside its record for a month, and destroyed then. */
const CONTENT = { keepFor: 30 * 24 * HOUR };

export async function openFaces(options: FaceOptions, logger: Logger): Promise<Faces> {
  const rings = await openKeyRings(options.home, logger);
  const store = await openStore(options);
  const inForce = await openPolicies(store, options.policy).catch(async (cause) => {
    rings.close();
    await store.close();
    throw cause;
  });
  const { policies } = inForce;
  const { issuer } = options;
  const gate = createLocalGate({
    ledger: store,
    policies,
    signer: () => rings.signer("receipts"),
    issuer,
    holds: HOLDS,
    content: CONTENT,
  });
  const clock = Date.now;
  const lifecycle = createLifecycle({ store, policies, clock, random, appealFor: HOLDS.expiresIn });
  const shared = { ledger: store, clock, random, sha256 };
  return {
    store,
    dialects: [
      nativeDialect(gate, store, lifecycle),
      firewallDialect(clock),
      mandateDialect({ ...shared, signer: () => rings.signer("mandate") }),
      actionGateDialect({
        ...shared,
        signer: () => rings.signer("advice"),
        issuer,
        hexSha256,
        signals: "published-and-own",
      }),
    ],
    ...openServices(store, lifecycle, rings, inForce, options, logger),
    documents: rings.documents,
    async close() {
      rings.close();
      await store.close();
    },
  };
}
