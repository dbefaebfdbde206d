import { hash } from "node:crypto";
import {
  asksFacts,
  type ContentKeeping,
  createGate,
  createMemoryStore,
  type Gate,
  type HoldRules,
  type Ledger,
  type PolicySource,
  type Rates,
  type Sessions,
  type Signer,
  type Store,
} from "@countersign/core";
import { addressFacts, createResolver } from "@countersign/server";
import { ENGINE } from "./engine.ts";
import { hexSha256 } from "./hexSha256.ts";
import { random } from "./random.ts";

export const sha256 = (bytes: Uint8Array): Uint8Array => hash("sha256", bytes, "buffer");

const LOOK_UP_MS = 2_000;
const FACTS_WITHIN_MS = 2_500;

export const createLocalStore = (clock: () => number = Date.now): Store => createMemoryStore({ clock, random, sha256 });

export interface LocalGate {
  readonly ledger: Ledger;
  /** Where asks are counted; what a policy limits is unknown without it, and blocks. */
  readonly rates?: Rates;
  readonly policies: PolicySource;
  readonly signer: () => Signer;
  readonly issuer: string;
  /** A review waits for nobody without them: asking again with another action is the only way on. */
  readonly holds?: HoldRules;
  readonly content?: ContentKeeping;
  readonly sessions?: Sessions;
}

/** A gate with everything that this machine lends it. */
export function createLocalGate({
  ledger,
  rates,
  policies,
  signer,
  issuer,
  holds,
  content,
  sessions,
}: LocalGate): Gate {
  return createGate({
    ledger,
    policies,
    sources: [
      addressFacts(createResolver({ ask: "system", deadlineMs: LOOK_UP_MS, now: () => new Date() })),
      ...(rates === undefined ? [] : [asksFacts(rates)]),
    ],
    deadline: () => new Promise((resolve) => setTimeout(resolve, FACTS_WITHIN_MS).unref()),
    signer,
    clock: Date.now,
    random,
    sha256,
    hexSha256,
    engine: ENGINE,
    issuer,
    holds: holds ?? null,
    content: content ?? "none",
    ...(sessions === undefined ? {} : { sessions }),
  });
}
