import { formatDecimal } from "@countersign/core";
import { sharedSuite } from "@countersign/core/testing";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type ChainReader, connectChain } from "../chain/reader.ts";
import { chainSuite, deployFixture, type Fixture, readArtifacts, readFixtures } from "../testing.ts";
import { simulateBalance } from "./simulateBalance.ts";

const DECIMALS: Readonly<Record<string, number>> = { NoReturnToken: 6, UsdStable: 6 };

sharedSuite("fixtures/solidity", (folder) => {
  const artifacts = readArtifacts(folder);
  const { supply, fixtures } = readFixtures(folder);
  const wanted = fixtures.filter(
    ({ contract }, index) => fixtures.findIndex((one) => one.contract === contract) === index,
  );
  const named = (name: string) => wanted.find(({ contract }) => contract === name) as Fixture;

  chainSuite("simulated balances on a local chain", (chain) => {
    let reader: ChainReader;
    const token = (fixture: Fixture) => deployFixture(chain(), artifacts, fixture, supply);

    beforeAll(async () => {
      const connected = await connectChain(chain().transport, chain().chainId);
      if (!connected.ok) throw new Error(connected.error.message);
      reader = connected.value;
    });

    // A balance that is shown and cannot be spent is still what the token shows.
    test.each(wanted)("$contract shows the balance that was written", async (fixture) => {
      const decimals = DECIMALS[fixture.contract] ?? 18;
      const address = await token(fixture);
      for (const [holder, delta] of [
        [chain().accounts[0] as Address, "-12.5"],
        [chain().accounts[9] as Address, "0.000001"],
      ] as const) {
        const result = await simulateBalance(reader, { token: address, holder, delta, decimals }, "test");
        if (!result.ok) throw new Error(result.error.message);
        if (!result.value.exact) expect(["SharesToken", "InflatedViewToken"]).toContain(fixture.contract);
        else expect(formatDecimal(result.value.delta)).toBe(delta);
      }
    });

    test.each([
      { it: "more than the holder has", query: { delta: "-1" }, code: "balance.insufficient" },
      { it: "more digits than the token has", query: { delta: "0.0000000000000000001" }, code: "balance.malformed" },
      { it: "a delta with an exponent", query: { delta: "1e3" }, code: "balance.malformed" },
      { it: "decimals that are not the token's", query: { decimals: 6 }, code: "balance.decimals" },
      { it: "an address without a contract", query: { token: `0x${"12".repeat(20)}` }, code: "balance.no_token" },
      { it: "a holder that is no address", query: { holder: "me" }, code: "balance.malformed" },
      { it: "more than a token can hold", query: { delta: `1${"0".repeat(60)}` }, code: "balance.malformed" },
    ])("refuses $it", async ({ query, code }) => {
      const address = await token(named("PlainToken"));
      const whole = { token: address, holder: chain().accounts[9] as Address, delta: "1", decimals: 18, ...query };
      expect(await simulateBalance(reader, whole, "test")).toMatchObject({ ok: false, error: { code } });
    });
  });
});
