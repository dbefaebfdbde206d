import { createLifecycle, type EffectivePolicy, readPolicy, type Store, samePolicy } from "@countersign/core";
import {
  actionGateDialect,
  createStanding,
  createWaiting,
  type Dialect,
  decisionsService,
  firewallDialect,
  holdsService,
  type KeyDocuments,
  type Logger,
  mandateDialect,
  nativeDialect,
  startSweeper,
  stopsService,
} from "@countersign/server";
import { hexSha256 } from "./hexSha256.ts";
import { openKeyRings } from "./keyRings.ts";
import { createLocalGate, random, sha256 } from "./localGate.ts";
import { openStore, type StoreOptions } from "./openStore.ts";
import { LOCAL_SCOPE, readPolicyFile } from "./policyFile.ts";
import { STARTER_POLICY } from "./starterPolicy.ts";
import { parseYaml } from "./yaml.ts";

export interface FaceOptions extends StoreOptions {
  readonly policy?: string;
  readonly issuer: string;
}

/** What `serve` and `mcp` have in common: one gate and every interface to it. */
export interface Faces {
  readonly store: Store;
  readonly dialects: readonly Dialect[];
  readonly services: readonly Dialect[];
  readonly documents: KeyDocuments;
  close(): Promise<void>;
}

const HOUR = 3_600_000;
/** How long a person has to decide, and how long the approval may be used. */
const HOLDS = { expiresIn: 24 * HOUR, grantFor: HOUR };
/** What was asked is kept beside its record for a month, and destroyed then. */
const CONTENT = { keepFor: 30 * 24 * HOUR };

export async function openFaces(options: FaceOptions, logger: Logger): Promise<Faces> {
  const policy = options.policy === undefined ? starterPolicy() : await readPolicyFile(options.policy);
  const rings = await openKeyRings(options.home, logger);
  const store = await openStore(options);
  const { issuer } = options;
  const gate = createLocalGate({
    ledger: store,
    policy,
    signer: () => rings.signer("receipts"),
    issuer,
    holds: HOLDS,
    content: CONTENT,
  });
  const clock = Date.now;
  const lifecycle = createLifecycle({ store, policies: samePolicy(policy), clock, random, appealFor: HOLDS.expiresIn });
  const sweeper = startSweeper(store, logger);
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
    services: [
      decisionsService({ store, lifecycle }),
      holdsService({
        store,
        lifecycle,
        clock,
        keys: {
          signer: () => rings.signer("review"),
          known: () => rings.published("review").map(({ bytes }) => bytes),
        },
        waiting: createWaiting(store),
        standing: createStanding({ keys: store, clock }),
      }),
      stopsService({ store, clock, random }),
    ],
    documents: rings.documents,
    async close() {
      await sweeper.stop();
      rings.close();
      await store.close();
    },
  };
}

/** In force where none is given: small, and blocking what it does not name. */
function starterPolicy(): EffectivePolicy {
  const document = parseYaml(STARTER_POLICY);
  const policy = document.ok ? readPolicy(document.value, LOCAL_SCOPE) : document;
  if (!policy.ok) throw new Error("the starter policy cannot be read");
  return policy.value;
}
