import { TOKEN_FACTOR_NAMES, TOKEN_FACTORS, TOKEN_STAGES, type TokenFactor } from "./factors.ts";
import type { StageReport, TokenFlag } from "./report.ts";

export type TokenSeverity = "safe" | "warn" | "danger";

export interface TokenJudgement {
  readonly severity: TokenSeverity;
  /** Factors that are there, heaviest first. */
  readonly factors: readonly TokenFactor[];
  /** Issuer powers of an official asset: told, and not weighed. */
  readonly advisories: readonly TokenFactor[];
  /** Factors that nobody could look at and that weigh because of it. */
  readonly unknown: readonly TokenFactor[];
}

const HEAVY = { danger: 2, warn: 1, note: 0 } as const;
const SEVERITY = ["safe", "warn", "danger"] as const;

/** Flags by the table. `official` only after an exact match of chain and address with the registry. */
export function judgeToken(
  facts: {
    readonly flags: Readonly<Partial<Record<TokenFactor, TokenFlag>>>;
    readonly stages: readonly Pick<StageReport, "stage" | "status">[];
  },
  standing: "official" | "unregistered",
): TokenJudgement {
  const known = (name: TokenFactor) => facts.flags[name]?.value ?? "unknown";
  const present = TOKEN_FACTOR_NAMES.filter((name) => known(name) === "yes");
  const excused = present.filter((name) => standing === "official" && TOKEN_FACTORS[name].issuer);
  const factors = present.filter((name) => !excused.includes(name));
  const unknown = TOKEN_FACTOR_NAMES.filter(
    (name) =>
      known(name) === "unknown" &&
      TOKEN_FACTORS[name].unknown === "warn" &&
      !(standing === "official" && TOKEN_FACTORS[name].issuer),
  );
  const ran = new Set(facts.stages.filter(({ status }) => status === "ran").map(({ stage }) => stage));
  const whole = TOKEN_STAGES.every((stage) => ran.has(stage));
  const weights = factors.map((name) => HEAVY[TOKEN_FACTORS[name].weight]);
  const worst = Math.max(0, ...weights, unknown.length > 0 || !whole ? HEAVY.warn : 0);
  return {
    severity: SEVERITY[worst] ?? "danger",
    factors: [...factors].sort((a, b) => HEAVY[TOKEN_FACTORS[b].weight] - HEAVY[TOKEN_FACTORS[a].weight]),
    advisories: excused,
    unknown,
  };
}
