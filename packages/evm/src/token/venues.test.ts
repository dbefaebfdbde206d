import { judgeToken } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Abi, Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { recordTransport, replayTransport } from "../rpc/record.ts";
import {
  type Artifact,
  chainSuite,
  deploy,
  deployFixture,
  deployV3,
  deployV4,
  type Fixture,
  readArtifacts,
  readFixtures,
  send,
  TOKEN_ABI,
} from "../testing.ts";
import type { Venues } from "./pools.ts";
import { checkTokenSafety } from "./safety.ts";

const NATIVE: Address = "0x0000000000000000000000000000000000000000";

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const { supply, fixtures } = readFixtures(folder);
  const named = (name: string) => fixtures.find(({ contract }) => contract === name) as Fixture;

  chainSuite("tokens in V3 and V4 pools", (chain) => {
    let reader: ChainReader;
    let quote: Address;
    let v3: Awaited<ReturnType<typeof deployV3>>;
    let v4: Awaited<ReturnType<typeof deployV4>>;

    beforeAll(async () => {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
      quote = await deploy(chain(), artifacts["UsdStable"] as Artifact, ["Test Dollar", "TUSD", "1", 10n ** 18n]);
      [v3, v4] = [await deployV3(chain()), await deployV4(chain())];
    });

    async function opened(
      fixture: Fixture,
      venue: "v3" | "v4" | "native",
    ): Promise<{ token: Address; venues: Venues }> {
      const token = await deployFixture(chain(), artifacts, fixture, supply);
      for (const holder of chain().accounts.slice(1, 5)) {
        await send(chain(), token, TOKEN_ABI, "transfer", [holder, supply / 1_000_000n]);
      }
      const goods = { token, amount: supply / 4n };
      const paid = venue === "native" ? { token: NATIVE, amount: 10n ** 21n } : { token: quote, amount: 10n ** 12n };
      await (venue === "v3" ? v3.fill(goods, paid) : v4.fill(goods, paid));
      const venues: Venues =
        venue === "v3"
          ? { v3: { factory: v3.factory }, quotes: [quote] }
          : { v4: { manager: v4.manager }, quotes: [paid.token] };
      return { token, venues };
    }

    test.each([
      { name: "PlainToken", venue: "v3", severity: "safe", has: [] },
      { name: "PlainToken", venue: "v4", severity: "safe", has: [] },
      { name: "PlainToken", venue: "native", severity: "safe", has: [] },
      { name: "SharesToken", venue: "v4", severity: "safe", has: ["rebasing_view"] },
      { name: "CooldownToken", venue: "v4", severity: "warn", has: ["cooldown"] },
      { name: "HoneypotApprovalGate", venue: "v3", severity: "danger", has: ["sell_blocked"] },
      { name: "HoneypotApprovalGate", venue: "native", severity: "danger", has: ["sell_blocked"] },
      { name: "HoneypotSilent", venue: "v4", severity: "danger", has: ["sell_blocked", "silent_transfer"] },
      { name: "HoneypotTimeBomb", venue: "v4", severity: "danger", has: ["sell_blocked_later"] },
      { name: "HoneypotSimAware", venue: "v3", severity: "danger", has: ["sell_blocked", "reads_gasprice"] },
    ] as const)("$name in a $venue pool is $severity", async ({ name, venue, severity, has }) => {
      const { token, venues } = await opened(named(name), venue);
      const report = await checkTokenSafety(reader, token, { venues, seed: "test" });
      if (!report.ok) throw new Error(report.error.message);
      const judged = judgeToken(report.value.facts, "unregistered");
      expect({ severity: judged.severity, missing: has.filter((factor) => !judged.factors.includes(factor)) }).toEqual({
        severity,
        missing: [],
      });
      expect(report.value.calls).toBeLessThanOrEqual(120);
    });

    test.each([
      { venue: "v3", sell: null, factor: "fee_token_incompatible_with_pool" },
      { venue: "v4", sell: true, factor: "sell_tax" },
    ] as const)("a fee on transfers in a $venue pool is no danger", async ({ venue, sell, factor }) => {
      const { token, venues } = await opened(named("FeeToken"), venue);
      // The fee is taken on what goes to and from the pool, whichever it is.
      const target = venue === "v4" ? v4.manager : await poolOf(token);
      await send(chain(), token, artifacts["FeeToken"]?.abi as Abi, "setPair", [target]);
      const report = await checkTokenSafety(reader, token, { venues, seed: "test" });
      if (!report.ok) throw new Error(report.error.message);
      const judged = judgeToken(report.value.facts, "unregistered");
      expect(judged.severity).toBe("warn");
      expect(judged.factors).toContain(factor);
      expect(report.value.facts.sellSimulationOk).toBe(sell);
      expect(report.value.facts.taxBps.buy).toBeGreaterThanOrEqual(499);
    });

    async function poolOf(token: Address): Promise<Address> {
      const { findPools } = await import("./pools.ts");
      const view = await reader.pin();
      const pools = view.ok
        ? await findPools(view.value, chain().accounts[9] as Address, token, {
            v3: { factory: v3.factory },
            quotes: [quote],
          })
        : view;
      if (!pools.ok || pools.value[0] === undefined) throw new Error("no pool");
      return pools.value[0].route.target;
    }

    test("the whole check replays from recorded traffic, without a chain", async () => {
      const { token, venues } = await opened(named("HoneypotHolderFreeze"), "v4");
      const recorder = recordTransport(chain().transport);
      const check = async (transport: typeof recorder.transport) => {
        const connected = await connectChain(transport, chain().chainId);
        if (!connected.ok) throw new Error(connected.error.message);
        const report = await checkTokenSafety(connected.value, token, { venues, seed: "recorded" });
        if (!report.ok) throw new Error(report.error.message);
        const { stages, ...facts } = report.value.facts;
        return { ...facts, stages: stages.map(({ stage, status, calls }) => ({ stage, status, calls })) };
      };
      const live = await check(recorder.transport);
      expect(await check(replayTransport(JSON.parse(JSON.stringify(recorder.tape()))))).toEqual(live);
    });

    test("without a pool nothing is sold, and what was not sold is not safe", async () => {
      const token = await deployFixture(chain(), artifacts, named("PlainToken"), supply);
      const report = await checkTokenSafety(reader, token, { venues: { quotes: [] }, seed: "test" });
      if (!report.ok) throw new Error(report.error.message);
      const judged = judgeToken(report.value.facts, "unregistered");
      expect(judged).toMatchObject({ severity: "warn", factors: ["sell_not_simulated"] });
      expect(report.value.facts.sellSimulationOk).toBeNull();
    });

    test("without a pool a closed door still shows", async () => {
      const token = await deployFixture(chain(), artifacts, named("HoneypotApprovalGate"), supply);
      const report = await checkTokenSafety(reader, token, { venues: { quotes: [] }, seed: "test" });
      expect(report.ok && judgeToken(report.value.facts, "unregistered").severity).toBe("danger");
    });

    test("an issuer's powers are advisories for an official asset, and only for it", async () => {
      const { token, venues } = await opened(named("StockToken"), "v4");
      const report = await checkTokenSafety(reader, token, { venues, seed: "test" });
      if (!report.ok) throw new Error(report.error.message);
      expect(judgeToken(report.value.facts, "unregistered").severity).toBe("warn");
      const official = judgeToken(report.value.facts, "official");
      expect(official.severity).toBe("safe");
      expect(official.advisories).toEqual(["owner_can_mint", "owner_can_blacklist"]);
    });

    test("an address without code is no token", async () => {
      const report = await checkTokenSafety(reader, `0x${"12".repeat(20)}`, { venues: { quotes: [] }, seed: "test" });
      expect(report.ok && judgeToken(report.value.facts, "unregistered")).toMatchObject({
        severity: "danger",
        factors: ["no_code"],
      });
    });
  });
});
