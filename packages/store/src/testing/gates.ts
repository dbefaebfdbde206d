import { type ChildProcess, spawn } from "node:child_process";
import { type LogVerdict, type Store, verifyLog } from "@countersign/core";
import { nodeSha256 } from "@countersign/core/testing";
import type { Fault } from "../faults.ts";

export interface GateRun {
  readonly engine: "sqlite" | "postgres";
  /** The file, or the URL. */
  readonly where: string;
  readonly tenant: string;
  readonly limit: string;
  readonly callers: number;
  readonly rounds: number;
  readonly fault?: Fault;
  readonly name: string;
}

/** What a gate said before it ended. */
export interface Told {
  readonly decided: ReadonlyMap<string, number>;
  readonly redeemed: readonly string[];
  readonly closed: ReadonlyMap<string, string>;
  readonly refused: readonly string[];
  readonly errors: readonly string[];
  readonly done: boolean;
  readonly signal: NodeJS.Signals | null;
}

const program = new URL("gateProcess.mjs", import.meta.url).pathname;

/** Starts a gate. It can be killed from outside, after it has said something. */
export function startGate(run: GateRun): { process: ChildProcess; spoke: Promise<void>; told: Promise<Told> } {
  const child = spawn(process.execPath, [program, JSON.stringify(run)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let heard: () => void = () => {};
  const spoke = new Promise<void>((resolve) => {
    heard = resolve;
  });
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (output.includes('"decided"')) heard();
  });
  const told = new Promise<Told>((resolve) => {
    child.on("close", (_, signal) => {
      heard();
      resolve(read(output, signal));
    });
  });
  return { process: child, spoke, told };
}

function read(output: string, signal: NodeJS.Signals | null): Told {
  // The last line may be cut off: then nobody was told.
  const lines = output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return {
    decided: new Map(lines.filter((line) => line.decided).map((line) => [line.decided, Number(line.amount)])),
    redeemed: lines.filter((line) => line.redeemed).map((line) => line.redeemed),
    closed: new Map(lines.filter((line) => line.closed).map((line) => [line.closed, line.money])),
    refused: lines.filter((line) => line.refused).map((line) => line.refused),
    errors: lines.filter((line) => line.error).map((line) => line.error),
    done: lines.some((line) => line.done),
    signal,
  };
}

/** What must hold after any end of any gates. Gives what was wrong; nothing is the answer wanted. */
export async function wrongAfter(store: Store, tenant: string, limit: number, all: readonly Told[]): Promise<string[]> {
  const wrong: string[] = [];
  const verdict = await got<LogVerdict>(
    verifyLog(tenant, store, { trust: "figures-only", since: [], sha256: nodeSha256 }),
  );
  for (const problem of verdict.problems) wrong.push(`log verify: ${problem.code} at ${problem.seq}`);
  const facts = await got(
    store.facts(tenant, {
      agent: "a",
      credential: "key_a",
      scopes: [],
      spent: [{ series: "agent:a", currency: "USD", window: { rolling: 86_400_000 } }],
      actionDigest: null,
    }),
  );
  if (Number(facts.spent[0]) > limit) wrong.push(`${facts.spent[0]} is counted against a limit of ${limit}`);
  for (const told of all) {
    for (const [id] of told.decided) {
      const decision = await got(store.decision(tenant, id));
      if (decision === null) wrong.push(`${id} was told and is lost`);
      if (told.redeemed.includes(id) && decision?.redeemedAt == null) wrong.push(`the redemption of ${id} is lost`);
      const money = told.closed.get(id);
      if (money !== undefined && decision?.money !== money)
        wrong.push(`${id} is ${decision?.money}, was told ${money}`);
    }
  }
  const redeemed = all.flatMap((told) => told.redeemed);
  if (new Set(redeemed).size !== redeemed.length) wrong.push("a decision was redeemed twice");
  return wrong;
}

async function got<T>(reading: Promise<{ ok: true; value: T } | { ok: false; error: { code: string } }>): Promise<T> {
  const result = await reading;
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
