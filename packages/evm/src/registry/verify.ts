import { err, ok, type RegistryChain, type Result } from "@countersign/core";
import { type Address, decodeAbiParameters, encodeFunctionData, parseAbi } from "viem";
import { type ChainError, chainError } from "../chain/error.ts";
import { derivedAddress } from "../chain/hex.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { ChainView } from "../chain/view.ts";
import { decoded, outcomeWord, read, runScript, type Step, type StepOutcome } from "../probe/script.ts";
import { codeSizes } from "../token/subject.ts";

export interface RegistryMismatch {
  /** JSON Pointer into the registry. */
  readonly path: string;
  readonly message: string;
}

export type RegistryError =
  | ChainError
  | { readonly code: "registry.mismatch"; readonly message: string; readonly mismatches: readonly RegistryMismatch[] };

const ABI = parseAbi([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function description() view returns (string)",
  "function oraclePaused() view returns (bool)",
]);

type Question = {
  readonly path: string;
  readonly step: Step;
  readonly wrong: (outcome: StepOutcome | undefined) => string | undefined;
};

const CHUNK = 60;

/**
 * Asks the chain about every entry: code at each address, symbol and decimals of each token, decimals and description
 * of each feed, an answer from each switch. Whoever starts with a registry must refuse to run on an error.
 */
export async function verifyRegistry(
  reader: ChainReader,
  registry: RegistryChain,
): Promise<Result<void, RegistryError>> {
  if (registry.chainId !== reader.chainId)
    return err(chainError("chain.wrong_id", "the registry is for another chain"));
  const pinned = await reader.pin();
  if (!pinned.ok) return pinned;
  const view = pinned.value;
  const conductor = derivedAddress("countersign", "registry");
  const mismatches: RegistryMismatch[] = [];

  const places = placesOf(registry);
  const sizes = await codeSizes(
    view,
    conductor,
    places.map(({ address }) => address as Address),
  );
  if (!sizes.ok) return sizes;
  for (const [index, { path }] of places.entries()) {
    if (sizes.value[index] === 0n) mismatches.push({ path, message: "there is no contract at this address" });
  }
  const asked = await askAll(view, conductor, questionsOf(registry));
  if (!asked.ok) return asked;
  mismatches.push(...asked.value);
  const confirmed = await view.confirm();
  if (!confirmed.ok) return confirmed;
  if (mismatches.length === 0) return ok(undefined);
  const message = `the chain does not answer as the registry says, first at ${mismatches[0]?.path ?? ""}`;
  return err({ code: "registry.mismatch", message, mismatches });
}

function placesOf({ tokens, v4Manager, sequencerFeed }: RegistryChain): readonly { path: string; address: string }[] {
  const places = tokens.flatMap(({ address, feed }, index) => [
    { path: `/tokens/${index}/address`, address },
    ...(feed === undefined ? [] : [{ path: `/tokens/${index}/feed/address`, address: feed.address }]),
  ]);
  if (v4Manager !== undefined) places.push({ path: "/v4Manager/address", address: v4Manager.address });
  if (sequencerFeed !== undefined) places.push({ path: "/sequencerFeed/address", address: sequencerFeed.address });
  return places;
}

function questionsOf({ tokens }: RegistryChain): readonly Question[] {
  const ask = (to: string, functionName: "symbol" | "decimals" | "description" | "oraclePaused"): Step =>
    read(to as Address, encodeFunctionData({ abi: ABI, functionName }));
  const number = (want: number) => (outcome: StepOutcome | undefined) =>
    outcomeWord(outcome) === BigInt(want) ? undefined : `the chain does not say ${want} decimals`;
  const text = (want: string) => (outcome: StepOutcome | undefined) =>
    textOf(outcome) === want ? undefined : `the chain does not say "${want}"`;
  return tokens.flatMap((token, index): Question[] => {
    const { address, symbol, decimals, feed, oracleSwitch } = token;
    const path = `/tokens/${index}`;
    const questions: Question[] = [
      { path: `${path}/symbol`, step: ask(address, "symbol"), wrong: text(symbol) },
      { path: `${path}/decimals`, step: ask(address, "decimals"), wrong: number(decimals) },
    ];
    if (feed !== undefined) {
      questions.push({
        path: `${path}/feed/decimals`,
        step: ask(feed.address, "decimals"),
        wrong: number(feed.decimals),
      });
      questions.push({
        path: `${path}/feed/description`,
        step: ask(feed.address, "description"),
        wrong: text(feed.description),
      });
    }
    if (oracleSwitch === "asked") {
      const wrong = (outcome: StepOutcome | undefined) => {
        const said = outcomeWord(outcome);
        return said === 0n || said === 1n ? undefined : "the token has no switch for its price";
      };
      questions.push({ path: `${path}/oracleSwitch`, step: ask(address, "oraclePaused"), wrong });
    }
    return questions;
  });
}

function textOf(outcome: StepOutcome | undefined): string | undefined {
  if (outcome?.ok !== true) return undefined;
  return decoded(() => decodeAbiParameters([{ type: "string" }], outcome.data)[0]);
}

async function askAll(
  view: ChainView,
  conductor: Address,
  questions: readonly Question[],
): Promise<Result<readonly RegistryMismatch[], ChainError>> {
  const mismatches: RegistryMismatch[] = [];
  for (let start = 0; start < questions.length; start += CHUNK) {
    const part = questions.slice(start, start + CHUNK);
    const outcomes = await runScript(
      view,
      conductor,
      part.map(({ step }) => step),
    );
    if (!outcomes.ok) return outcomes;
    for (const [index, { path, wrong }] of part.entries()) {
      const message = wrong(outcomes.value[index]);
      if (message !== undefined) mismatches.push({ path, message });
    }
  }
  return ok(mismatches);
}
