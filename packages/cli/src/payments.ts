import {
  authorizationReader,
  HTTP_DEFAULTS,
  httpTransport,
  quorumTransport,
  type RpcTransport,
} from "@countersign/evm";
import {
  createEgress,
  createResolver,
  EGRESS_LIMITS,
  type Egress,
  egressFacilitator,
  egressFetch,
  egressPolicy,
  LOCAL,
  openTill,
  type PaymentConfig,
  readPaymentConfig,
  sellable,
  type Till,
} from "@countersign/server";
import { CommandError, refuse } from "./exit.ts";
import type { Faces } from "./faces.ts";
import { hexSha256 } from "./hexSha256.ts";
import { nameOf } from "./input.ts";
import { readDocument } from "./policyFile.ts";
import { random } from "./random.ts";

const LOOK_UP_MS = 2_000;

/** What a file says is sold, ready to be sold. Whatever is wrong with it ends the command with one line. */
export async function openTillFrom(
  file: string,
  { store, dialects }: Pick<Faces, "store" | "dialects">,
): Promise<Till> {
  const read = readPaymentConfig(await readDocument(file));
  if (!read.ok) {
    const [first, ...rest] = read.error;
    return refuse({ code: "payments.malformed", ...first }, nameOf(file), rest.length);
  }
  const config = read.value;
  const egress = createEgress({
    ...EGRESS_LIMITS,
    policy: egressPolicy(config.internal),
    resolver: createResolver({ ask: "system", deadlineMs: LOOK_UP_MS, now: () => new Date() }),
    ca: "system",
  });
  const till = await openTill({
    config,
    tools: sellable(dialects),
    store,
    tenant: LOCAL.tenant,
    facilitator: egressFacilitator(egress, config.facilitator),
    chain: authorizationReader(nodes(config, egress), config.chainId),
    random,
    sha256: hexSha256,
  });
  if (till.ok) return till.value;
  throw new CommandError(till.error.code, till.error.message, { at: nameOf(file) });
}

/** One node is believed; of several, most of them have to say the same. */
function nodes({ rpc }: PaymentConfig, egress: Egress): RpcTransport {
  const [first, ...rest] = rpc.map((url) => httpTransport(url, { ...HTTP_DEFAULTS, fetch: egressFetch(egress) }));
  if (first === undefined) throw new Error("a payment setting has no node");
  return rest.length === 0 ? first : quorumTransport([first, ...rest], Math.floor(rpc.length / 2) + 1);
}
