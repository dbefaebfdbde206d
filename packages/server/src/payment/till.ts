import { type Problem, problemOf } from "@countersign/api";
import {
  type Change,
  type Committed,
  type ExactJson,
  err,
  type HexSha256,
  hex,
  type JsonObject,
  type Ledger,
  type LedgerError,
  NumberText,
  ok,
  type Result,
  type TenantId,
} from "@countersign/core";
import type { FacilitatorClient } from "@x402/core/server";
import type { PaymentRequired, SettleResponse } from "@x402/core/types";
import type { AuthorizationState, PaymentChain } from "./chain.ts";
import type { PaymentConfig } from "./config.ts";
import { challengeOf, type Exchange, type Offer, openExchange, shownReason } from "./offer.ts";
import type { Payment } from "./payload.ts";
import { type Bought, type Progress, readOutcome, readProgress, writeOutcome, writeProgress } from "./progress.ts";

/** A tool that may have a price: one whose input can be refused before it is paid for. */
export interface Sellable {
  readonly name: string;
  readonly description: string;
  /** Its address over HTTP, below the public URL. */
  readonly path: string;
}

export interface TillOptions {
  readonly config: PaymentConfig;
  readonly tools: readonly Sellable[];
  /** Where payments are reserved. It has to outlive the process. */
  readonly store: Ledger & { readonly durable: boolean };
  /** Whose the reservations are: one tenant for all callers, since a payment buys once wherever it is shown. */
  readonly tenant: TenantId;
  readonly facilitator: FacilitatorClient;
  readonly chain: PaymentChain;
  readonly random: (length: number) => Uint8Array;
  readonly sha256: HexSha256;
  readonly deadlines?: Deadlines;
}

/** Milliseconds that a facilitator and the chain are waited for. Together they stay well below `HELD_FOR`. */
export interface Deadlines {
  readonly facilitator: number;
  readonly chain: number;
}

const DEADLINES: Deadlines = { facilitator: 20_000, chain: 5_000 };

/**
 * How long one try has a payment for itself before another may go on from where it stands: longer than any step takes,
 * since two that run at once could answer twice, and no longer, since a payer whose gate died waits for it.
 */
const HELD_FOR = 30_000;

/** How long a payment is answered again. After that the answer is forgotten, and the payment stays used. */
const KEPT_FOR = 7 * 86_400_000;

export interface TillError {
  readonly code: "payment.store_volatile" | "payment.tool_unknown" | "payment.facilitator_unusable";
  readonly message: string;
}

/** A call of a tool that has a price. */
export interface Purchase {
  readonly tool: string;
  readonly way: "http" | "mcp";
  readonly input: ExactJson;
  /** As it came with the call; null when there was none. */
  readonly payment: Result<Payment, Problem> | null;
  /** What is wrong with the input. Whoever asks badly is told so, and pays nothing. */
  readonly refusal: () => Problem | null | Promise<Problem | null>;
  readonly run: () => Promise<Result<JsonObject, Problem>>;
}

export type Sale =
  | { readonly kind: "sold"; readonly answer: JsonObject; readonly settlement: SettleResponse }
  | {
      readonly kind: "refused";
      readonly problem: Problem;
      /** How to pay; null when paying again is not what helps. */
      readonly challenge: PaymentRequired | null;
      readonly settlement: SettleResponse | null;
    };

/** Sells answers. One payment buys one answer: it is reserved before anyone is asked, and settled before anything runs. */
export interface Till {
  sells(tool: string): boolean;
  /** Never throws. A refusal carries nothing of the answer. */
  sell(purchase: Purchase): Promise<Sale>;
}

/** Fails when payments could be lost or sold twice: on a store that forgets, without the facilitator, for no such tool. */
export async function openTill(options: TillOptions): Promise<Result<Till, TillError>> {
  const { config, tools, store, facilitator } = options;
  if (!store.durable) {
    const message = "answers are sold only on a store that outlives the process: in memory, a payment could buy twice";
    return err({ code: "payment.store_volatile", message });
  }
  const exchange = await openExchange(config, facilitator);
  if (!exchange.ok) return err({ code: "payment.facilitator_unusable", message: exchange.error });
  const offers = new Map<string, Offer>();
  for (const [name, amount] of config.prices) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) {
      const names = tools.map((one) => one.name).join(", ");
      return err({ code: "payment.tool_unknown", message: `a price is for one of these tools: ${names}` });
    }
    const { description } = tool;
    for (const [way, url] of [
      ["http", `${config.publicUrl}${tool.path}`],
      ["mcp", `mcp://tool/${name}`],
    ] as const) {
      const resource = { url, description, mimeType: "application/json" };
      offers.set(`${way} ${name}`, await exchange.value.offer(resource, amount));
    }
  }
  return ok(createTill(options, exchange.value, offers));
}

/** One try at one sale: what is bought, and the claim that this try holds. */
interface Work {
  readonly purchase: Purchase;
  readonly offer: Offer;
  readonly payment: Payment;
  readonly claim: { readonly key: string; readonly holder: string };
  readonly bought: Bought;
}

function createTill(
  { config, store, tenant, chain, random, sha256, deadlines = DEADLINES }: TillOptions,
  exchange: Exchange,
  offers: ReadonlyMap<string, Offer>,
): Till {
  const commit = <C extends Change>(change: C): Promise<Result<Committed<C["kind"]>, LedgerError>> =>
    store.commit(tenant, change);
  const keep = ({ claim, bought }: Work, progress: Progress, holdFor: number) =>
    commit({ kind: "claim.keep", ...claim, progress: writeProgress(progress, bought), holdFor });
  const free = ({ claim }: Work) => commit({ kind: "claim.free", ...claim });

  async function sell(purchase: Purchase): Promise<Sale> {
    try {
      const wrong = await purchase.refusal();
      if (wrong !== null) return refused(wrong);
      const offer = offers.get(`${purchase.way} ${purchase.tool}`);
      if (offer === undefined) throw new Error("a tool is sold that has no price");
      if (purchase.payment === null) return demand(offer, problemOf("payment.required"));
      if (!purchase.payment.ok) return demand(offer, purchase.payment.error);
      const mismatch = exchange.mismatch(purchase.payment.value, offer);
      if (mismatch !== null) return demand(offer, mismatch);
      return await reserve(purchase, offer, purchase.payment.value);
    } catch {
      // Where it stopped is kept with the claim. The text of the error may carry content of the call.
      return refused(problemOf("internal"));
    }
  }

  /** The payment is this try's alone from here on, or another's, or has been answered. */
  async function reserve(purchase: Purchase, offer: Offer, payment: Payment): Promise<Sale> {
    const { authorization, signature } = payment;
    const bodyDigest = sha256(exactText(purchase.input));
    const { url } = offer.resource;
    const work: Work = {
      purchase,
      offer,
      payment,
      claim: {
        key: ["x402", config.network, config.asset.address, authorization.from, authorization.nonce].join("/"),
        holder: hex(random(16)),
      },
      bought: { resource: url, amount: authorization.value, payer: authorization.from, bodyDigest },
    };
    // The signature too: after settlement everything else of a payment can be read on the chain by anybody.
    const digest = `sha256:${sha256(JSON.stringify([url, offer.requirements, bodyDigest, authorization, signature]))}`;
    const progress = writeProgress({ step: "reserved" }, work.bought);
    const opened = await commit({ kind: "claim.open", ...work.claim, digest, progress, holdFor: HELD_FOR });
    if (!opened.ok) return refused(problemOfClaim(opened.error));
    const claim = opened.value;
    if (claim.state === "new") return pay(work);
    if (claim.state === "answered") return again(offer, claim.answer);
    const reached = readProgress(claim.progress);
    switch (reached.step) {
      case "reserved":
        return pay(work);
      case "settling":
        return resolve(work, reached);
      case "settled":
        return deliver(work, reached.settlement);
    }
  }

  /** Verifies and settles. Until it is durable that a settlement may be asked for, none is, and nothing is owed. */
  async function pay(work: Work): Promise<Sale> {
    const { offer, payment } = work;
    const [before, verified] = await Promise.all([
      ask(work, null),
      within(deadlines.facilitator, exchange.verify(payment, offer)).catch(() => null),
    ]);
    if (verified === null) return freed(work, refused(problemOf("payment.unavailable")));
    if (!verified.isValid) return freed(work, demand(offer, notPaid(verified.reason)));
    // What was used before this sale did not pay for it, even if it paid the same amount to the same seller.
    if (before.state !== "unused" && before.state !== "unknown")
      return freed(work, demand(offer, notPaid("the authorization was used before")));
    const since = before.state === "unused" ? before.block : null;
    const settling = await keep(work, { step: "settling", since, refused: null }, HELD_FOR);
    if (!settling.ok) return refused(problemOfClaim(settling.error));
    const result = await within(deadlines.facilitator, exchange.settle(payment, offer)).catch(() => null);
    if (result?.success === true) return settled(work, result.transaction);
    const isFinal = result !== null && !mayStillLand(result);
    return resolve(work, { step: "settling", since, refused: isFinal ? shownReason(result.errorReason) : null });
  }

  /** A settlement did not succeed, or nobody knows: what became of the payment is for the chain to say. */
  async function resolve(work: Work, progress: Extract<Progress, { step: "settling" }>): Promise<Sale> {
    const { offer, payment, claim } = work;
    const reason = progress.refused ?? "the authorization was not used in time";
    const state = await ask(work, progress.since);
    switch (state.state) {
      case "paid":
        return settled(work, state.transaction);
      case "spent": {
        const spent = "the authorization was used for something else";
        const settlement = failed(work, progress.refused ?? "authorization_spent");
        const answer = writeOutcome({ refused: spent, settlement });
        const stored = await commit({ kind: "claim.answer", ...claim, answer, keepFor: KEPT_FOR });
        return stored.ok ? demand(offer, notPaid(spent), settlement) : refused(problemOfClaim(stored.error));
      }
      case "unused":
        if (progress.refused !== null || BigInt(state.time) >= BigInt(payment.authorization.validBefore))
          return freed(work, demand(offer, notPaid(reason), failed(work, progress.refused ?? "authorization_expired")));
    }
    // Let go of, so that the next try asks the chain at once; the reservation stays.
    await keep(work, progress, 0);
    return progress.refused === null
      ? refused(problemOf("payment.unknown"))
      : demand(offer, notPaid(reason), failed(work, progress.refused));
  }

  async function settled(work: Work, transaction: string): Promise<Sale> {
    const { network } = config;
    const settlement = { success: true, transaction, network, payer: work.payment.authorization.from };
    const kept = await keep(work, { step: "settled", settlement }, HELD_FOR);
    // Whoever lost the claim meanwhile does not run: its next holder does.
    return kept.ok ? deliver(work, settlement) : refused(problemOfClaim(kept.error));
  }

  /** It is paid, and the answer is owed: a fault leaves the claim settled, and the same payment asks again. */
  async function deliver(work: Work, settlement: SettleResponse): Promise<Sale> {
    const answer = await work.purchase.run();
    if (!answer.ok) {
      await keep(work, { step: "settled", settlement }, 0);
      return { kind: "refused", problem: answer.error, challenge: null, settlement };
    }
    const stored = await commit({
      kind: "claim.answer",
      ...work.claim,
      answer: writeOutcome({ answer: answer.value, settlement }),
      keepFor: KEPT_FOR,
    });
    return stored.ok ? { kind: "sold", answer: answer.value, settlement } : refused(problemOfClaim(stored.error));
  }

  /** The same payment for the same call, once more. */
  function again(offer: Offer, stored: string): Sale {
    const outcome = readOutcome(stored);
    return "answer" in outcome
      ? { kind: "sold", answer: outcome.answer, settlement: outcome.settlement }
      : demand(offer, notPaid(outcome.refused), outcome.settlement);
  }

  /** Nothing was paid, and nothing will be: the reservation goes, whether or not that can be written now. */
  async function freed(work: Work, sale: Sale): Promise<Sale> {
    await free(work);
    return sale;
  }

  function ask({ payment }: Work, since: number | null): Promise<AuthorizationState> {
    const { from, nonce, value } = payment.authorization;
    const { asset, payTo } = config;
    const query = { asset: asset.address, payer: from, nonce, payTo, amount: BigInt(value), since };
    return within(deadlines.chain, chain(query)).catch(() => ({ state: "unknown" }));
  }

  const failed = ({ payment }: Work, errorReason: string): SettleResponse => ({
    success: false,
    errorReason,
    transaction: "",
    network: config.network,
    payer: payment.authorization.from,
  });

  return { sells: (tool) => config.prices.has(tool), sell };
}

const refused = (problem: Problem): Sale => ({ kind: "refused", problem, challenge: null, settlement: null });

const demand = (offer: Offer, problem: Problem, settlement: SettleResponse | null = null): Sale => ({
  kind: "refused",
  problem,
  challenge: challengeOf(offer, problem.detail),
  settlement,
});

const notPaid = (reason: string): Problem =>
  problemOf({ code: "payment.refused", message: `the payment was refused: ${reason}` });

/** A claim is how payments are kept; payers know payments. */
function problemOfClaim({ code }: LedgerError): Problem {
  switch (code) {
    case "claim.conflict":
      return problemOf("payment_already_used");
    case "claim.pending":
    case "claim.unknown":
      return problemOf("payment.in_progress");
    default:
      return problemOf(code);
  }
}

/** Refusals after which the transaction may be on its way all the same: it was sent, or nobody knows whether it was. */
function mayStillLand({ errorReason = "", transaction }: SettleResponse): boolean {
  if (errorReason === "settlement_pending") return true;
  const isVague = /^(?:unexpected_.*|invalid_transaction_state|invalid_exact_evm_transaction_failed)$/.test(
    errorReason,
  );
  return isVague && transaction === "";
}

/** JSON text with members in the order and numbers in the spelling they came in: both may matter to an answer. */
function exactText(value: ExactJson): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`)
    .join(",")}}`;
}

/** Rejects when it takes too long. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
