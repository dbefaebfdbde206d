import { err, judgeToken, ok, type Result } from "@countersign/core";
import { type Address, concat, type Hex, keccak256 } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { derivedAddress, word } from "../chain/hex.ts";
import type { ChainView } from "../chain/view.ts";
import { isAddressLike } from "./bytecode.ts";
import { checkTokenAt, type SafetyOptions, type SafetyReport } from "./safety.ts";
import { codeHashes, PROXY_SLOTS, readSlots } from "./subject.ts";

export interface MemoryRules {
  /** Seconds for which an answer other than danger is given again: settings change without code changing. */
  readonly fresh: number;
  /** Seconds for which danger sticks while code and authorities are the same. */
  readonly danger: number;
  /** Tokens remembered; the one longest unused goes first. */
  readonly tokens: number;
}

export const MEMORY_RULES: MemoryRules = { fresh: 60, danger: 86_400, tokens: 1_000 };

export interface SafetyMemory {
  /** `remembered`: not checked again, since code, authorities and time allow it. */
  check(
    view: ChainView,
    address: Address,
    options: SafetyOptions,
    epochSeconds: number,
  ): Promise<Result<SafetyReport & { readonly remembered: boolean }, ChainError>>;
}

interface Entry {
  readonly report: SafetyReport;
  readonly fingerprint: Hex;
  readonly until: number;
}

/** Remembers reports by chain and address, and believes them only while the token is still the same token. */
export function safetyMemory(rules: MemoryRules = MEMORY_RULES): SafetyMemory {
  const entries = new Map<string, Entry>();
  return {
    async check(view, address, options, epochSeconds) {
      const key = `${view.chainId}:${address.toLowerCase()}`;
      const kept = entries.get(key);
      if (kept !== undefined && epochSeconds < kept.until) {
        const now = await fingerprint(view, kept.report, options.seed);
        if (!now.ok) return now;
        if (now.value === kept.fingerprint) {
          entries.delete(key);
          entries.set(key, kept);
          return ok({ ...kept.report, remembered: true });
        }
      }
      entries.delete(key);
      const report = await checkTokenAt(view, address, options);
      if (!report.ok) return report;
      const made = await fingerprint(view, report.value, options.seed);
      if (!made.ok) return made;
      const seconds = lifetime(report.value, rules);
      if (seconds > 0)
        entries.set(key, { report: report.value, fingerprint: made.value, until: epochSeconds + seconds });
      const oldest = entries.size > rules.tokens ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
      return ok({ ...report.value, remembered: false });
    },
  };
}

/** What a fault left open is asked again at once: neither its doubt nor its danger is the token's. */
function lifetime({ facts }: SafetyReport, rules: MemoryRules): number {
  if (facts.stages.some(({ status }) => status === "failed")) return 0;
  return judgeToken(facts, "unregistered").severity === "danger" ? rules.danger : rules.fresh;
}

/** Code, what a proxy runs, and the addresses in constant slots. Amounts that change with every transfer are not in it. */
async function fingerprint(
  view: ChainView,
  { facts, watch }: SafetyReport,
  seed: string,
): Promise<Result<Hex, ChainError>> {
  const at = derivedAddress(seed, "hasher");
  const [codes, slots] = await Promise.all([
    codeHashes(view, at, watch.contracts),
    readSlots(view, facts.address as Address, [...Object.values(PROXY_SLOTS), ...watch.slots]),
  ]);
  if (!codes.ok) return codes;
  if (!slots.ok) return slots;
  // What was run has a hash: a node that says zero did not look, and two of its zeros would be alike.
  if (facts.codeHash !== "0x" && codes.value.includes(0n))
    return err(chainError("chain.malformed", "the node says that a contract it ran has no code"));
  const mask = (1n << 160n) - 1n;
  const addresses = slots.value.map((value) => (isAddressLike(value & mask) ? value & mask : 0n));
  return ok(keccak256(concat([...codes.value, ...addresses].map(word))));
}
