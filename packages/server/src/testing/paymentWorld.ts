import { createHash, randomBytes } from "node:crypto";
import { type Problem, problemOf } from "@countersign/api";
import {
  createMemoryStore,
  err,
  type JsonObject,
  type JsonValue,
  type Ledger,
  ok,
  type Result,
} from "@countersign/core";
import type { FacilitatorClient } from "@x402/core/server";
import type { SettleResponse } from "@x402/core/types";
import type { PaymentChain } from "../payment/chain.ts";
import { type PaymentConfig, readPaymentConfig } from "../payment/config.ts";
import type { Payment } from "../payment/payload.ts";
import { openTill, type Purchase, type Sale, type Till } from "../payment/till.ts";

export const START = 1_800_000_000_000;
const PAYER = "0x00000000000000000000000000000000000000f1";
export const PAY_TO = "0x00000000000000000000000000000000000000aa";
export const ASSET = "0x9a00000000000000000000000000000000000402";
const NETWORK = "eip155:4663";

export const CONFIG_TEXT = {
  price: { judge: "0.01" },
  network: NETWORK,
  asset: { address: ASSET, decimals: 6, name: "Pay Dollar", version: "1" },
  pay_to: PAY_TO,
  facilitator: "https://facilitator.example",
  rpc: ["https://rpc.example"],
  public_url: "https://gate.example",
} as const;

export function testConfig(change: { readonly [name: string]: JsonValue } = {}): PaymentConfig {
  const config = readPaymentConfig({ ...CONFIG_TEXT, ...change });
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  return config.value;
}

export const random = (length: number) => new Uint8Array(randomBytes(length));
export const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
export const hexSha256 = (input: Uint8Array | string) => createHash("sha256").update(input).digest("hex");

/**
 * How a facilitator behaves at one settlement. `lost`: it settles, and its answer never arrives. `late`: it does not
 * answer, and what it sent is on the chain when the test lets it land.
 */
export type Settling = "settles" | "refuses" | "throws" | "lost" | "late" | "pending" | "vague";

/**
 * A facilitator and a chain of a few lines, in one process with a clock of its own. `on` is called before and after
 * everything that a till does to the world: there a test may wait, or stop the till for good.
 */
export class PaymentWorld {
  now = START;
  settling: Settling = "settles";
  isChainKnown = true;
  isVerifying = true;
  readonly calls: string[] = [];
  /** What every nonce became; one that is not here is unused. */
  readonly used = new Map<string, "paid" | "spent">();
  readonly transfers: string[] = [];
  readonly #sent = new Set<string>();
  readonly runs: string[] = [];
  runFails = false;
  on: (point: string) => Promise<void> = async () => {};

  readonly memory = createMemoryStore({ clock: () => this.now, random, sha256 });

  readonly facilitator: FacilitatorClient = {
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }],
      extensions: [],
      signers: {},
    }),
    verify: (payload) =>
      this.#at("verify", async () => {
        if (!this.isVerifying) throw new Error("the facilitator is away");
        const { nonce, validBefore } = (payload.payload as { authorization: Record<string, string> }).authorization;
        if (this.used.has(nonce ?? "")) return { isValid: false, invalidReason: "nonce_used" };
        if (Number(validBefore) * 1000 <= this.now) return { isValid: false, invalidReason: "expired" };
        return { isValid: true, payer: PAYER };
      }),
    settle: (payload) =>
      this.#at("settle", async (): Promise<SettleResponse> => {
        const { nonce = "", validBefore } = (payload.payload as { authorization: Record<string, string> })
          .authorization;
        const refused = (errorReason: string, transaction = "") =>
          ({ success: false, errorReason, transaction, network: NETWORK, payer: PAYER }) as const;
        if (this.settling === "throws") throw new Error("the facilitator is away");
        if (this.settling === "refuses") return refused("insufficient_funds");
        if (this.settling === "vague") return refused("unexpected_settle_error");
        if (this.used.has(nonce) || Number(validBefore) * 1000 <= this.now) return refused("nonce_used");
        this.#sent.add(nonce);
        if (this.settling === "late") throw new Error("no answer in time");
        this.land();
        if (this.settling === "lost") throw new Error("the answer was lost");
        if (this.settling === "pending") return refused("settlement_pending", transactionOf(nonce));
        return { success: true, transaction: transactionOf(nonce), network: NETWORK, payer: PAYER };
      }),
  };

  readonly chain: PaymentChain = ({ nonce, since }) =>
    this.#at("chain", async () => {
      if (!this.isChainKnown) return { state: "unknown" };
      const state = this.used.get(nonce);
      if (state === undefined) return { state: "unused", block: 7, time: Math.floor(this.now / 1000) };
      if (since === null) return { state: "used" };
      return state === "paid" ? { state, transaction: transactionOf(nonce) } : { state };
    });

  open(store: Ledger & { readonly durable: boolean } = this.durableMemory()): Promise<Result<Till, { code: string }>> {
    return openTill({
      config: testConfig(),
      tools: [{ name: "judge", description: "Judges.", path: "/api/judge" }],
      store: {
        durable: store.durable,
        facts: (tenant, query) => store.facts(tenant, query),
        commit: (tenant, change) => this.#at(change.kind, () => store.commit(tenant, change)),
      },
      tenant: "local",
      facilitator: this.facilitator,
      chain: this.chain,
      random,
      sha256: hexSha256,
    });
  }

  /** What was sent to the chain is on it; a second transaction for the same authorization fails there. */
  land(): void {
    for (const nonce of this.#sent) {
      if (!this.used.has(nonce)) this.transfers.push(nonce);
      if (!this.used.has(nonce)) this.used.set(nonce, "paid");
    }
    this.#sent.clear();
  }

  /** The memory store, taken for one that outlives the process. */
  durableMemory(): Ledger & { readonly durable: boolean } {
    const { commit, facts } = this.memory;
    return { durable: true, commit, facts };
  }

  async till(): Promise<Till> {
    const till = await this.open();
    if (!till.ok) throw new Error(till.error.code);
    return till.value;
  }

  /** A call that answers with its own input. */
  purchase(payment: Purchase["payment"] | Payment, input: JsonValue = { q: 1 }): Purchase {
    const shown = payment === null || "ok" in payment ? payment : ok(payment);
    return {
      tool: "judge",
      way: "http",
      input,
      payment: shown,
      refusal: () => null,
      run: () =>
        this.#at("run", async (): Promise<Result<JsonObject, Problem>> => {
          if (this.runFails) return err(problemOf("store.unavailable"));
          this.runs.push(shown?.ok === true ? shown.value.authorization.nonce : "free");
          return ok({ answered: input });
        }),
    };
  }

  payment(change: Partial<Payment["authorization"]> & { resource?: string } = {}): Payment {
    const { resource = "https://gate.example/api/judge", ...authorization } = change;
    return {
      resource,
      accepted: {
        scheme: "exact",
        network: NETWORK,
        asset: ASSET,
        amount: "10000",
        payTo: PAY_TO,
        maxTimeoutSeconds: 60,
        extra: { name: "Pay Dollar", version: "1" },
      },
      authorization: {
        from: PAYER,
        to: PAY_TO,
        value: "10000",
        validAfter: "0",
        validBefore: String(Math.floor(this.now / 1000) + 60),
        nonce: `0x${randomBytes(32).toString("hex")}`,
        ...authorization,
      },
      signature: `0x${"11".repeat(65)}`,
    };
  }

  async #at<T>(point: string, work: () => Promise<T>): Promise<T> {
    this.calls.push(point);
    await this.on(`before ${point}`);
    const done = await work();
    await this.on(`after ${point}`);
    return done;
  }
}

export const codeOf = (sale: Sale): string => (sale.kind === "sold" ? "sold" : sale.problem.code);

const transactionOf = (nonce: string): string => `0x${hexSha256(nonce)}`;
