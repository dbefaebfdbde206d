import { type EffectivePolicy, readPolicy, type Store } from "@countersign/core";
import type { Dialect, KeyDocuments, Logger } from "@countersign/server";
import { actionGateDialect, firewallDialect, mandateDialect, nativeDialect } from "@countersign/server";
import { hexSha256 } from "./hexSha256.ts";
import { openKeyRings } from "./keyRings.ts";
import { createLocalGate, createLocalStore, random, sha256 } from "./localGate.ts";
import { LOCAL_SCOPE, readPolicyFile } from "./policyFile.ts";
import { STARTER_POLICY } from "./starterPolicy.ts";
import { parseYaml } from "./yaml.ts";

export interface FaceOptions {
  readonly home: string;
  readonly policy?: string;
  readonly issuer: string;
}

/** What `serve` and `mcp` have in common: one gate and every interface to it. */
export interface Faces {
  readonly store: Store;
  readonly dialects: readonly Dialect[];
  readonly documents: KeyDocuments;
  close(): Promise<void>;
}

export async function openFaces(options: FaceOptions, logger: Logger): Promise<Faces> {
  const policy = options.policy === undefined ? starterPolicy() : await readPolicyFile(options.policy);
  const rings = await openKeyRings(options.home, logger);
  const store = createLocalStore();
  const { issuer } = options;
  const gate = createLocalGate({ ledger: store, policy, signer: () => rings.signer("receipts"), issuer });
  const shared = { ledger: store, clock: Date.now, random, sha256 };
  return {
    store,
    dialects: [
      nativeDialect(gate, store),
      firewallDialect(Date.now),
      mandateDialect({ ...shared, signer: () => rings.signer("mandate") }),
      actionGateDialect({
        ...shared,
        signer: () => rings.signer("advice"),
        issuer,
        hexSha256,
        signals: "published-and-own",
      }),
    ],
    documents: rings.documents,
    async close() {
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
