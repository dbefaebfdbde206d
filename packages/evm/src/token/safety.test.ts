import { judgeToken } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import {
  type Artifact,
  chainSuite,
  deploy,
  deployFixture,
  deployV2,
  readArtifacts,
  readFixtures,
  send,
  setUp,
  TOKEN_ABI,
} from "../testing.ts";
import type { Venues } from "./pools.ts";
import { checkTokenSafety, type QuoteMemory } from "./safety.ts";

/** Bookkeeping of the check itself, not a property of the token. */
const UNTOLD: ReadonlySet<string> = new Set(["unproven_functions"]);
/** What is true of a fixture beyond its ground truth. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // mark(address[]) is a block list.
  HoneypotHolderFreeze: ["owner_can_blacklist"],
  // sync(address,uint256) also writes balances up.
  BalanceTamperToken: ["owner_can_mint"],
  // The pair refuses to pay out what it cannot spend.
  InflatedViewToken: ["buy_blocked"],
};

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const { supply, fixtures } = readFixtures(folder);

  chainSuite("a token's safety on a local chain", (chain) => {
    let reader: ChainReader;
    let venues: Venues;
    let v2: Awaited<ReturnType<typeof deployV2>>;
    let quote: Address;
    const memory: QuoteMemory = new Map();
    const costs: number[] = [];

    beforeAll(async () => {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
      v2 = await deployV2(chain());
      quote = await deploy(chain(), artifacts["UsdStable"] as Artifact, ["Test Dollar", "TUSD", "1", 10n ** 18n]);
      venues = { v2: { factory: v2.factory, feeBps: 30 }, quotes: [quote] };
    });

    test.each(fixtures)("$contract $args is $severity", async (fixture) => {
      const token = await deployFixture(chain(), artifacts, fixture, supply);
      const pair = await v2.open(token, quote);
      const holders = chain().accounts.slice(1, 8);
      const early = /setExempt|allow/.test(fixture.setup);
      if (early) await setUp(chain(), artifacts, fixture, token, pair, holders);
      for (const holder of holders) await send(chain(), token, TOKEN_ABI, "transfer", [holder, supply / 1_000_000n]);
      await v2.fill(pair, token, supply / 4n, quote, 10n ** 12n);
      if (!early) await setUp(chain(), artifacts, fixture, token, pair, holders);

      const report = await checkTokenSafety(reader, token, { venues, seed: "test", memory });
      if (!report.ok) throw new Error(report.error.message);
      costs.push(report.value.calls);
      const judged = judgeToken(report.value.facts, "unregistered");
      const told = judged.factors.filter((factor) => !UNTOLD.has(factor));
      expect({ severity: judged.severity, factors: told.sort() }).toEqual({
        severity: fixture.severity,
        factors: [...fixture.factors, ...(ALSO[fixture.contract] ?? [])].sort(),
      });
    });

    test("costs at most 120 requests for one token and 40 on average", () => {
      expect(costs.length).toBe(fixtures.length);
      expect(Math.max(...costs)).toBeLessThanOrEqual(120);
      expect(costs.reduce((a, b) => a + b, 0) / costs.length).toBeLessThanOrEqual(40);
    });
  });
});
