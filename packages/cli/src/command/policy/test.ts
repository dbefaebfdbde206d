import { existsSync, watch, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError, STATUS } from "../../exit.ts";
import { nameOf } from "../../input.ts";
import { paint, print, printJson } from "../../output.ts";
import { readDocument } from "../../policyFile.ts";
import { policyOf, readStack } from "../../policyStack.ts";
import { junit } from "../../policyTest/junit.ts";
import { readSuite } from "../../policyTest/readSuite.ts";
import { type CaseResult, type Covered, runSuite } from "../../policyTest/runSuite.ts";
import { printable } from "../../printable.ts";
import { compiledPolicy } from "../../schemas.ts";

export interface TestOptions {
  readonly policy?: string;
  readonly coverage?: string;
  readonly junit?: string;
  readonly watch?: true;
  readonly json?: true;
}

/** Runs the cases that stand beside a policy. */
export async function test(files: readonly string[], options: TestOptions): Promise<void> {
  const least = coverageOf(options.coverage);
  if (options.watch === true) await watchAll(files, options, least);
  else await runAll(files, options, least);
}

function coverageOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new CommandError("usage", "a share of clauses is a whole number of percent", {
    at: "--coverage",
    expected: "0 to 100",
  });
}

/** @returns the files that the outcome rests on. */
async function runAll(files: readonly string[], options: TestOptions, least: number): Promise<readonly string[]> {
  const seen: string[] = [];
  const runs = [];
  for (const file of files) {
    const suite = readSuite(await readDocument(file), nameOf(file));
    const named = options.policy ?? (suite.policy === undefined ? beside(file) : fromFolderOf(file, suite.policy));
    const documents = await readStack(named);
    seen.push(file, ...documents.map((one) => one.file));
    const { results, coverage } = runSuite(suite.cases, await compiledPolicy(policyOf(documents)));
    runs.push({ file, results, coverage });
  }
  const failed = runs.flatMap(({ results }) => results).filter(({ failures }) => failures.length > 0).length;
  const short = runs.some(({ coverage }) => percentOf(coverage) < least);
  process.exitCode = failed > 0 || short ? STATUS.block : STATUS.allow;
  const [first] = runs;
  if (options.junit !== undefined && first !== undefined) {
    const results = runs.flatMap((run) => run.results);
    writeReport(options.junit, junit(runs.length === 1 ? first.file : "policy", results));
  }
  if (options.json === true) printJson({ suites: runs.map(suiteJson), failed });
  else for (const run of runs) printRun(run.file, run.results, run.coverage, least);
  return seen;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    throw new CommandError("output.unwritable", "the file cannot be written", { at: file });
  }
}

const suiteJson = ({
  file,
  results,
  coverage,
}: {
  readonly file: string;
  readonly results: readonly CaseResult[];
  readonly coverage: readonly Covered[];
}) => ({
  file,
  cases: results.map(({ test: { name, want }, got, failures }) => ({
    name,
    want,
    got,
    passed: failures.length === 0,
    failures,
  })),
  coverage: { percent: percentOf(coverage), clauses: coverage.map(({ place: _, ...rest }) => rest) },
});

/** `shop.test.yaml` tests `shop.yaml`. */
function beside(file: string): string {
  const match = /^(.+)[.]test([.]ya?ml|[.]json)$/.exec(file);
  const found =
    match === null
      ? undefined
      : [match[2], ".yaml", ".yml", ".json"].map((end) => `${match[1]}${end}`).find(existsSync);
  if (found !== undefined) return found;
  throw new CommandError("usage", "no policy stands beside these cases", {
    at: file,
    expected: "--policy, or the member policy",
  });
}

/** Every file of the policy, seen from the folder of the cases. */
const fromFolderOf = (file: string, policy: string): string => {
  const folder = dirname(file);
  const at = (path: string) => (path.startsWith("/") ? path : join(folder, path));
  if (!/^[a-z]+:[^=,]*=/.test(policy)) return at(policy);
  return policy
    .split(",")
    .map((one) => one.replace(/=(.*)$/, (_, path: string) => `=${at(path)}`))
    .join(",");
};

/** Of a policy without clauses everything is covered. */
const percentOf = (coverage: readonly Covered[]): number =>
  coverage.length === 0 ? 100 : Math.floor((100 * coverage.filter(({ cases }) => cases > 0).length) / coverage.length);

function printRun(file: string, results: readonly CaseResult[], coverage: readonly Covered[], least: number): void {
  const failed = results.filter(({ failures }) => failures.length > 0);
  for (const {
    test: { name },
    failures,
  } of failed)
    print(`${paint("failed", "block")}  ${printable(name)}`, ...failures.map((one) => `        ${printable(one)}`));
  const uncovered = coverage.filter(({ cases }) => cases === 0);
  const counts = `${results.length - failed.length} passed, ${failed.length} failed`;
  const covered = `${coverage.length - uncovered.length} of ${coverage.length} clauses covered (${percentOf(coverage)} %)`;
  print(
    `${paint(failed.length === 0 ? "passed" : "failed", failed.length === 0 ? "allow" : "block")}  ${printable(basename(file))}: ${counts}; ${covered}`,
  );
  for (const { scope, clause } of uncovered)
    print(`        no case reaches ${printable(clause)} of ${printable(scope)}`);
  if (percentOf(coverage) < least)
    print(`        ${paint(`less than ${least} % of the clauses are covered`, "block")}`);
}

const SETTLE_MS = 100;

/** Runs again whenever a file changes, until the command is ended. Folders are watched, as editors replace files. */
async function watchAll(files: readonly string[], options: TestOptions, least: number): Promise<never> {
  const watched = new Set<string>();
  let waiting: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      print("");
      watchFolders(await runAndTell(files, options, least));
    }, SETTLE_MS);
  };
  const watchFolders = (seen: readonly string[]): void => {
    for (const folder of seen.map((file) => dirname(file))) {
      if (!watched.has(folder)) watch(folder, later);
      watched.add(folder);
    }
  };
  // Before the first run, so that what changes meanwhile is not missed.
  watchFolders(files);
  watchFolders(await runAndTell(files, options, least));
  return new Promise(() => {});
}

/** A file that is half written is no reason to stop watching it. */
async function runAndTell(files: readonly string[], options: TestOptions, least: number): Promise<readonly string[]> {
  try {
    return await runAll(files, options, least);
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    process.stderr.write(`${cause.line()}\n`);
    return files;
  }
}
