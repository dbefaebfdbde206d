import {
  type ContentKeeping,
  createLifecycle,
  createSessions,
  type PolicySource,
  parseDuration,
  type Store,
} from "@countersign/core";
import {
  actionGateDialect,
  authzenEndpoints,
  cardDialect,
  cardEndpoints,
  type Dialect,
  firewallDialect,
  type KeyDocuments,
  LOCAL,
  type Logger,
  mandateDialect,
  nativeDialect,
  screenEndpoint,
  sessionsService,
} from "@countersign/server";
import { CommandError } from "./exit.ts";
import { hexSha256 } from "./hexSha256.ts";
import { openKeyRings } from "./keyRings.ts";
import { createLocalGate, sha256 } from "./localGate.ts";
import { openStore, type StoreOptions } from "./openStore.ts";
import { openPolicies } from "./policyInForce.ts";
import { random } from "./random.ts";
import { openServices, type ServiceOptions, type Services } from "./services.ts";

export interface FaceOptions extends StoreOptions, ServiceOptions {
  readonly policy?: string;
  /** How long what was asked is kept beside its record: `none`, or a duration. */
  readonly keep?: string;
  /** A file that says which chain trades are judged on; without it none are. */
  readonly trade?: string;
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
/** Unless told otherwise, what was asked is kept beside its record for a month, and destroyed then. */
const KEPT = "P30D";

export async function openFaces(options: FaceOptions, logger: Logger): Promise<Faces> {
  const content = contentKeeping(options.keep ?? KEPT);
  const rings = await openKeyRings(options.home, logger);
  const store = await openStore(options, "make");
  const inForce = await openPolicies(store, options.policy).catch(async (cause) => {
    rings.close();
    await store.close();
    throw cause;
  });
  const trade = await openTrade(options, store, inForce.policies).catch(async (cause) => {
    rings.close();
    await store.close();
    throw cause;
  });
  const { policies } = inForce;
  const { issuer } = options;
  const clock = Date.now;
  const sessions = createSessions({ store, clock, random });
  const gate = createLocalGate({
    ledger: store,
    rates: store,
    policies,
    signer: () => rings.signer("receipts"),
    issuer,
    holds: HOLDS,
    content,
    sessions,
  });
  const lifecycle = createLifecycle({ store, policies, clock, random, appealFor: HOLDS.expiresIn });
  const desk = { store, ...inForce, operator: LOCAL.tenant, clock, random };
  const services = openServices(store, lifecycle, rings, inForce, options, logger);
  const shared = { ledger: store, clock, random, sha256 };
  return {
    store,
    dialects: [
      nativeDialect(gate, store, lifecycle),
      firewallDialect(clock),
      cardDialect(desk),
      mandateDialect({ ...shared, signer: () => rings.signer("mandate") }),
      actionGateDialect({
        ...shared,
        signer: () => rings.signer("advice"),
        issuer,
        hexSha256,
        signals: "published-and-own",
      }),
      ...(trade === null ? [] : [trade.dialect]),
    ],
    ...services,
    services: [...services.services, sessionsService({ store, sessions }), ...(trade === null ? [] : [trade.outcomes])],
    endpoints: [
      ...services.endpoints,
      ...cardEndpoints(desk),
      screenEndpoint({ gate, store }),
      ...authzenEndpoints({ gate, store, policies, issuer }),
    ],
    documents: rings.documents,
    async close() {
      rings.close();
      await store.close();
    },
  };
}

/** Loaded when it is asked for: nobody who judges no trades waits for it. */
async function openTrade({ trade }: FaceOptions, store: Store, policies: PolicySource) {
  return trade === undefined
    ? null
    : (await import("./trade.ts")).openTradeFrom(trade, { store, policies, clock: Date.now });
}

function contentKeeping(text: string): ContentKeeping {
  if (text === "none") return "none";
  const duration = parseDuration(text);
  if (duration.ok) return { keep: "full", keepFor: duration.value * 1000 };
  throw new CommandError(duration.error.code, duration.error.message, {
    at: "--keep",
    expected: "none, or an ISO 8601 duration such as P30D",
  });
}
