// A token's safety on a local chain: requests and milliseconds for each stage, and how much a remembered token saves.
// Needs the binary of the local chain.
import { readFileSync } from "node:fs";
import { judgeToken } from "@countersign/core";
import { checkTokenSafety, connectChain, recordTransport, replayTransport, safetyMemory } from "@countersign/evm";
import { compile, deploy, deployV2, send, startChain, TOKEN_ABI } from "@countersign/evm/testing";
import { compare, median } from "./harness.mjs";

const SUPPLY = 10n ** 27n;
const TOKENS = ["Ordinary", "SellOnce", "PersonalTax", "RoleMint", "LongCooldown", "Reflection", "LogFlood"];
const ROUNDS = 9;

const source = readFileSync(new URL("../packages/evm/src/testing/Hostile.sol", import.meta.url), "utf8");
const contracts = compile(source, "cancun");
const chain = await startChain();
try {
  const connected = await connectChain(chain.transport, chain.chainId);
  if (!connected.ok) throw new Error(connected.error.message);
  const reader = connected.value;
  const v2 = await deployV2(chain);
  const quote = await deploy(chain, contracts.Ordinary, [10n ** 30n]);
  const venues = { v2: { factory: v2.factory, feeBps: 30 }, quotes: [quote] };
  const quotes = new Map();

  async function open(name) {
    const token = await deploy(chain, contracts[name], [SUPPLY]);
    const pair = await v2.open(token, quote);
    for (const holder of chain.accounts.slice(1, 6))
      await send(chain, token, TOKEN_ABI, "transfer", [holder, 10n ** 21n]);
    await v2.fill(pair, token, SUPPLY / 4n, quote, 10n ** 24n);
    return token;
  }

  const rows = new Map();
  const totals = [];
  let ordinary;
  for (const name of TOKENS) {
    const token = await open(name);
    ordinary ??= token;
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const report = await checkTokenSafety(reader, token, { venues, seed: `bench ${round}`, memory: quotes });
      if (!report.ok) throw new Error(report.error.message);
      rounds.push(report.value);
    }
    const [last] = rounds.slice(-1);
    totals.push({
      name,
      calls: last.calls,
      ms: median(rounds.map(({ ms }) => ms)),
      severity: judgeToken(last.facts, "unregistered").severity,
    });
    for (const { stage, calls } of last.facts.stages) {
      const row = rows.get(stage) ?? { calls: [], ms: [] };
      row.calls.push(calls);
      row.ms.push(median(rounds.map(({ facts }) => facts.stages.find((one) => one.stage === stage)?.ms ?? 0)));
      rows.set(stage, row);
    }
  }
  const figure = (values) =>
    `${Math.min(...values).toFixed(0)}-${Math.max(...values).toFixed(0)}, median ${median(values).toFixed(1)}`;
  for (const { name, calls, ms, severity } of totals)
    console.log(
      `  ${name.padEnd(14)} ${String(calls).padStart(4)} requests ${ms.toFixed(1).padStart(8)} ms  ${severity}`,
    );
  for (const [stage, { calls, ms }] of rows)
    console.log(`  stage ${stage.padEnd(8)} requests ${figure(calls).padEnd(18)} ms ${figure(ms)}`);
  console.log(
    `  in all: requests ${figure(totals.map((one) => one.calls))}; ms ${figure(totals.map((one) => one.ms))}`,
  );

  const memory = safetyMemory({ fresh: 1e9, danger: 1e9, tokens: 10 });
  const at = { venues, seed: "bench", memory: quotes };
  // A view has a budget of requests, so each look has one of its own.
  const fresh = async () => {
    const pinned = await reader.pin();
    if (!pinned.ok) throw new Error(pinned.error.message);
    return pinned.value;
  };
  const warm = async () => {
    const found = await memory.check(await fresh(), ordinary, at, 1);
    if (!found.ok) throw new Error(found.error.message);
  };
  const cold = async () => {
    const found = await checkTokenSafety(reader, ordinary, at);
    if (!found.ok) throw new Error(found.error.message);
  };
  await warm();
  await compare({
    name: "token check, remembered beside anew",
    contenders: { remembered: warm, anew: cold },
    ratio: ["remembered", "anew"],
    rounds: 11,
    floor: 2,
  });

  const recorder = recordTransport(chain.transport);
  const check = async (transport) => {
    const reached = await connectChain(transport, chain.chainId);
    if (!reached.ok) throw new Error(reached.error.message);
    const found = await checkTokenSafety(reached.value, ordinary, { venues, seed: "tape" });
    if (!found.ok) throw new Error(found.error.message);
  };
  await check(recorder.transport);
  const tape = recorder.tape();
  await compare({
    name: "token check, from recorded traffic beside live",
    contenders: { recorded: () => check(replayTransport(tape)), live: () => check(chain.transport) },
    ratio: ["recorded", "live"],
    rounds: 11,
    floor: 0.8,
  });
} finally {
  await chain.close();
}
