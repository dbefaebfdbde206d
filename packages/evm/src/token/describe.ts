import { judgeToken, TOKEN_FACTORS, type TokenFactor } from "@countersign/core";
import type { SafetyReport } from "./safety.ts";

/**
 * The report for a person: what was tried, what was seen, what nobody could look at. Lines of plain text; evidence
 * holds no text of a contract but what was stripped, cut and quoted when it was read.
 */
export function describeSafety(report: SafetyReport, standing: "official" | "unregistered"): readonly string[] {
  const { facts, calls, ms } = report;
  const { severity, factors, advisories, unknown } = judgeToken(facts, standing);
  const told = (factor: TokenFactor): string[] => [
    `  ${TOKEN_FACTORS[factor].weight.padEnd(7)} ${factor}: ${TOKEN_FACTORS[factor].meaning}`,
    ...facts.flags[factor].evidence.map((evidence) => `          ${evidence}`),
  ];
  const tax = (bps: number | null): string => (bps === null ? "not measured" : `${(bps / 100).toFixed(2)} %`);
  return [
    `${facts.address} on chain ${facts.chainId} at block ${facts.block.number}: ${severity}`,
    `taxes: buy ${tax(facts.taxBps.buy)}, sell ${tax(facts.taxBps.sell)}, transfer ${tax(facts.taxBps.transfer)}`,
    ...section("found", factors.flatMap(told)),
    ...section("powers of the issuer, as registered", advisories.flatMap(told)),
    ...section(
      "nobody could look at",
      unknown.map((factor) => `  ${factor}: ${TOKEN_FACTORS[factor].meaning}`),
    ),
    ...section(
      "tried",
      facts.stages.map(({ stage, status, reason, calls: own }) => {
        const why = reason === undefined ? "" : `, ${reason}`;
        return `  ${stage.padEnd(8)} ${status.padEnd(8)} ${own} requests${why}`;
      }),
    ),
    `${calls} requests, ${ms.toFixed(0)} ms`,
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines];
