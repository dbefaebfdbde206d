import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import {
  type Asker,
  composeParts,
  type EffectivePolicy,
  type ExportedEntry,
  exportLog,
  isObject,
  isTenantId,
  type JsonValue,
  jsonLimits,
  type MoneyText,
  type NotReplayedReason,
  type PolicyPart,
  parseJson,
  type Replayed,
  type ReplaySummary,
  ReplayTally,
  replayEntry,
  settledBy,
  type Verdict,
  verdictAfter,
} from "@countersign/core";
import { ENGINE } from "../../engine.ts";
import { CommandError, STATUS } from "../../exit.ts";
import { nameOf, stdin } from "../../input.ts";
import { sha256 } from "../../localGate.ts";
import { openLog, type StoreOptions, storeName } from "../../openStore.ts";
import { paint, print, printJson } from "../../output.ts";
import { partsOf, readStack } from "../../policyStack.ts";
import { printable } from "../../printable.ts";
import { actionText } from "../../regionText.ts";
import { compiledPart } from "../../schemas.ts";

export interface ReplayOptions extends StoreOptions {
  /** An exported log, one entry a line; without it the store is read. */
  readonly export?: string;
  readonly tenant: string;
  readonly list: string;
  readonly json?: true;
}

interface Change {
  readonly id: string;
  readonly agent: string;
  readonly at: string;
  readonly from: Verdict;
  readonly to: Verdict;
  readonly codes: readonly string[];
  readonly codes_after: readonly string[];
  readonly action: string;
}

/** Decides every kept decision again under a candidate, and tells what would have been otherwise. */
export async function replay(candidate: string, options: ReplayOptions): Promise<void> {
  const most = listedOf(options.list);
  if (!isTenantId(options.tenant)) throw new CommandError("usage", "this is no tenant", { at: "--tenant" });
  const policyFor = composedFor(await Promise.all(partsOf(await readStack(candidate)).map(compiledPart)));
  const tally = new ReplayTally();
  const engines = new Set<string>();
  const changes: Change[] = [];
  const progress = new Progress();
  let changed = 0;
  for await (const entry of options.export === undefined ? storedEntries(options) : exportedEntries(options.export)) {
    const one = replayEntry(entry, policyFor, sha256);
    if (one === null) {
      const settled = settledBy(entry);
      if (settled !== null) tally.settle(settled);
      continue;
    }
    tally.add(one);
    progress.step();
    if (one.kind !== "replayed") continue;
    engines.add(one.engine);
    const change = changeOf(one);
    if (change === null) continue;
    changed += 1;
    if (changes.length < most) changes.push(change);
  }
  progress.end();
  const summary = tally.summary();
  const unsure = summary.decisions > summary.replayed;
  process.exitCode = changed > 0 ? STATUS.block : unsure ? STATUS.review : STATUS.allow;
  if (options.json === true) printJson({ ...summaryJson(summary), engines: [...engines].sort(), changed: changes });
  else printSummary(summary, changes, changed, [...engines].filter((engine) => engine !== ENGINE).sort());
}

function listedOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new CommandError("usage", "how many changes are listed is a whole number", { at: "--list" });
}

/**
 * The candidate as it is for each agent: documents of the platform and of the organisation for all, those of teams and
 * agents for theirs.
 */
function composedFor(parts: readonly PolicyPart[]): (asker: Asker) => EffectivePolicy | null {
  const orgs = parts.filter(({ scope }) => scope.startsWith("org:"));
  const applies = ({ scope }: PolicyPart, { tenant, agent, teams }: Asker): boolean => {
    const [kind = "", id = ""] = scope.split(/:(.*)/s);
    if (kind === "org") return orgs.length === 1 || id === tenant;
    if (kind === "team") return teams.includes(id);
    return kind === "platform" || id === agent;
  };
  const ready = new Map<string, EffectivePolicy>();
  return (asker) => {
    const some = parts.filter((part) => applies(part, asker));
    if (some.length === 0) return null;
    const name = some.map(({ scope }) => scope).join(" ");
    const known = ready.get(name) ?? composeParts(some);
    ready.set(name, known);
    return known;
  };
}

const PAGE = 500;

async function* storedEntries(options: ReplayOptions): AsyncIterable<ExportedEntry> {
  const name = storeName(options);
  const store = await openLog(options);
  try {
    for (let from = 0; ; ) {
      const page = await exportLog(options.tenant, store, from, PAGE);
      if (!page.ok) throw new CommandError(page.error.code, page.error.message, { at: name });
      yield* page.value;
      const last = page.value.at(-1);
      if (last === undefined) return;
      from = last.seq + 1;
    }
  } finally {
    await store.close();
  }
}

/** Content may be as large as an ask with its facts. */
const LINE = { bytes: 32 << 20, depth: jsonLimits.depth };

async function* exportedEntries(file: string): AsyncIterable<ExportedEntry> {
  if (file !== "-" && !existsSync(file))
    throw new CommandError("input.unreadable", "there is no such file", { at: file });
  const lines = createInterface({
    input: file === "-" ? stdin() : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    const parsed = parseJson(line, LINE, "plain");
    const entry = parsed.ok ? entryOf(parsed.value) : undefined;
    if (entry === undefined)
      throw new CommandError("export.malformed", "this line is no entry of an exported log", {
        at: `${nameOf(file)}, line ${number}`,
      });
    yield entry;
  }
}

function entryOf(value: JsonValue): ExportedEntry | undefined {
  if (!isObject(value)) return undefined;
  const { seq, leaf_hash, record, content } = value;
  if (typeof seq !== "number" || typeof leaf_hash !== "string" || typeof record !== "string") return undefined;
  if (content === null || content === undefined) return { seq, leaf_hash, record, content: null };
  if (!isObject(content) || typeof content["fields"] !== "string" || typeof content["salts"] !== "string")
    return undefined;
  return { seq, leaf_hash, record, content: { fields: content["fields"], salts: content["salts"] } };
}

function changeOf(one: Replayed): Change | null {
  const to = verdictAfter(one);
  if (to === one.before) return null;
  const { id, agent, at, before: from, codes, ask, after } = one;
  const codesAfter = after.kind === "fault" ? [after.code] : [...new Set(after.findings.map(({ code }) => code))];
  const action = ask.action === undefined ? "material" : actionText(ask.action);
  return { id, agent, at, from, to, codes, codes_after: codesAfter, action };
}

const summaryJson = ({
  reviewsAdded,
  reviewsSaved,
  wouldHaveMoved,
  wouldNotHaveMoved,
  notReplayed,
  ...rest
}: ReplaySummary) => ({
  ...rest,
  reviews_added: reviewsAdded,
  reviews_saved: reviewsSaved,
  would_have_moved: wouldHaveMoved,
  would_not_have_moved: wouldNotHaveMoved,
  not_replayed: notReplayed,
});

const WHY = {
  content_not_kept: "their content was not kept, or was erased",
  content_redacted: "only a redacted form of their content was kept",
  content_altered: "their content is not what the log commits to",
  facts_not_kept: "the candidate needs facts that were not looked up then",
  unreadable: "their records cannot be read",
} as const satisfies Record<NotReplayedReason, string>;

function printSummary(
  summary: ReplaySummary,
  changes: readonly Change[],
  changed: number,
  otherEngines: readonly string[],
): void {
  const { decisions, replayed, notReplayed, faults } = summary;
  print(`${decisions} decisions, ${replayed} replayed, ${changed} would change`);
  for (const reason of Object.keys(WHY) as NotReplayedReason[])
    if (notReplayed[reason] > 0) print(`  ${notReplayed[reason]} not replayed: ${WHY[reason]}`);
  if (faults > 0) print(`  ${faults} would come to no verdict, which blocks`);
  for (const { from, to, decisions: count } of summary.changes)
    print(`  ${paint(from, from)} → ${paint(to, to)}  ${count}`);
  if (summary.reviewsAdded + summary.reviewsSaved > 0)
    print(`  reviews  ${summary.reviewsAdded} added, ${summary.reviewsSaved} saved`);
  if (summary.wouldHaveMoved.length > 0) print(`  would have moved  ${printable(moneyText(summary.wouldHaveMoved))}`);
  if (summary.wouldNotHaveMoved.length > 0)
    print(`  would not have moved  ${printable(moneyText(summary.wouldNotHaveMoved))}`);
  if (changes.length > 0) print("");
  for (const { id, from, to, action, agent, codes_after } of changes)
    print(
      `${id}  ${paint(from, from)} → ${paint(to, to)}  ${printable(agent)}: ${printable(action)}${codes_after.length === 0 ? "" : `  ${paint(printable(codes_after.join(", ")), "dim")}`}`,
    );
  if (changed > changes.length) print(`and ${changed - changes.length} more; --list says how many are listed`);
  print("", "Each decision was made alone: what was spent before it is what was spent then.");
  if (otherEngines.length > 0)
    print(`Some were first made by another engine, which may judge otherwise: ${printable(otherEngines.join(", "))}`);
}

const moneyText = (sums: readonly MoneyText[]): string =>
  sums.map(({ value, currency }) => `${value} ${currency}`).join(", ");

const TELL_MS = 500;

/** How far it has come, for a person who waits. */
class Progress {
  #decisions = 0;
  #told = Date.now();

  step(): void {
    this.#decisions += 1;
    if (this.#decisions % 64 !== 0 || !process.stderr.isTTY) return;
    const now = Date.now();
    if (now - this.#told < TELL_MS) return;
    this.#told = now;
    process.stderr.write(`\r${this.#decisions} decisions replayed`);
  }

  end(): void {
    if (process.stderr.isTTY && this.#decisions >= 64) process.stderr.write("\r\u001b[K");
  }
}
