import type { Lifecycle, LogIdentity, Store } from "@countersign/core";
import { encodeUtf8 } from "@countersign/core";
import {
  type Anchor,
  agentsService,
  anchorToFile,
  anchorToUrl,
  createEgress,
  createResolver,
  createStanding,
  createWaiting,
  type Dialect,
  decisionsService,
  EGRESS_LIMITS,
  type Endpoint,
  type EventsFace,
  egressPolicy,
  exemptionsService,
  holdsService,
  keysService,
  LOCAL,
  LOOK_EVERY_MS,
  type Logger,
  logOrigin,
  logService,
  policyEndpoints,
  startCheckpoints,
  startDeliveries,
  startSweeper,
  stopsService,
  webhooksService,
} from "@countersign/server";
import type { KeyRings } from "./keyRings.ts";
import { sha256 } from "./localGate.ts";
import type { PoliciesInForce } from "./policyInForce.ts";
import { random } from "./random.ts";

export interface ServiceOptions {
  readonly issuer: string;
  /** Internal addresses (CIDR) and names that events and checkpoints may be sent to. */
  readonly allowInternal?: readonly string[];
  /** Where checkpoints are kept besides: a file or a URL. */
  readonly anchor?: string;
}

/** What is served besides asking: the life of a decision after it was made, and the running of a gate. */
export interface Services {
  readonly services: readonly Dialect[];
  readonly endpoints: readonly Endpoint[];
  readonly events: EventsFace;
  /** Begins what is done when nobody asks; gives how to end it. */
  startUpkeep(): () => Promise<void>;
}

const LOOK_UP_MS = 2_000;
const CLOCK = Date.now;

export function openServices(
  store: Store,
  lifecycle: Lifecycle,
  rings: KeyRings,
  inForce: PoliciesInForce,
  options: ServiceOptions,
  logger: Logger,
): Services {
  const clock = CLOCK;
  const operator = LOCAL.tenant;
  const standing = createStanding({ keys: store, clock });
  const outgoing = egressPolicy(internalOf(options.allowInternal ?? []));
  const log = { store, identity: identityOf(rings, options.issuer), sha256 };
  const secrets = { key: () => webhookKey(rings), clock, sha256 };
  return {
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
        standing,
      }),
      stopsService({ store, clock, random }),
      agentsService({ store }),
      exemptionsService({ store, operator, clock, random }),
      logService(log),
      webhooksService({ store, policy: outgoing, random, ...secrets }),
      keysService({ store, clock, random, sha256 }),
    ],
    endpoints: policyEndpoints({ store, ...inForce, operator, clock, random }),
    events: { store, standing, lookEveryMs: LOOK_EVERY_MS },
    startUpkeep() {
      const egress = createEgress({
        ...EGRESS_LIMITS,
        policy: outgoing,
        resolver: createResolver({ ask: "system", deadlineMs: LOOK_UP_MS, now: () => new Date() }),
        ca: "system",
      });
      const anchor: Anchor | null =
        options.anchor === undefined
          ? null
          : /^https?:/.test(options.anchor)
            ? anchorToUrl(options.anchor, egress)
            : anchorToFile(options.anchor);
      const running = [
        startSweeper(store, logger),
        startDeliveries({ store, egress, logger, ...secrets }),
        startCheckpoints(log, anchor, logger),
      ];
      return async () => {
        await Promise.all(running.map((one) => one.stop()));
      };
    },
  };
}

/** A range or an address is one by its digits; everything else is a name. */
function internalOf(list: readonly string[]): { readonly addresses: string[]; readonly names: string[] } {
  const isAddress = (text: string) => /^[\d.]+(?:\/\d+)?$/.test(text) || text.includes(":");
  const whole = (text: string) => (text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
  return { addresses: list.filter(isAddress).map(whole), names: list.filter((text) => !isAddress(text)) };
}

/** A log is named after its gate, and signed by the key of checkpoints that is in force. */
export const identityOf =
  (rings: Pick<KeyRings, "signer" | "published">, issuer: string) =>
  (tenant: string): LogIdentity => {
    const signer = rings.signer("checkpoints");
    const key = rings.published("checkpoints").find(({ kid }) => kid === signer.kid);
    if (key === undefined) throw new Error("the key that signs checkpoints is not published");
    return { key: { name: logOrigin(issuer, tenant), publicKey: key.bytes }, signer };
  };

/** What secrets of endpoints are derived from: a signature that nobody else can make, and that is always the same. */
const webhookKey = async (rings: Pick<KeyRings, "signer">): Promise<Uint8Array> =>
  sha256(await rings.signer("webhooks").sign(encodeUtf8("countersign-webhook-key-v1")));
