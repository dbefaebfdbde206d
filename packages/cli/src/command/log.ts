import { readFileSync } from "node:fs";
import {
  eraseSubject,
  exportLog,
  formatNoteKey,
  hex,
  isObject,
  issueCheckpoint,
  isTenantId,
  jsonLimits,
  type LedgerError,
  type Log,
  type LogVerdict,
  parseJson,
  proveRecord,
  type Result,
  type Store,
  verifyBundle,
  verifyLog,
} from "@countersign/core";
import { CommandError, STATUS } from "../exit.ts";
import { readInput } from "../input.ts";
import { sha256 } from "../localGate.ts";
import { type LogKeyOptions, logIdentity, logKeys, verifyEd25519 } from "../logKeys.ts";
import { openLog, type StoreOptions } from "../openStore.ts";
import { isTerminal, outputClosed, paint, print, printJson, write } from "../output.ts";
import { printable } from "../printable.ts";

interface Options extends StoreOptions, LogKeyOptions {
  readonly json?: boolean;
}

/** Rebuilds everything from the records. Status 0 when all agrees, 1 when something does not. */
export async function verify(options: Options & { readonly since?: readonly string[] }): Promise<void> {
  const keys = await logKeys(options);
  const since = (options.since ?? []).flatMap((file) => notesIn(file, options.tenant));
  const verdict = await withStore(options, async (store) =>
    unwrap(
      await verifyLog(options.tenant, watched(store, options), {
        trust: keys.length === 0 ? "figures-only" : { keys, verify: verifyEd25519 },
        since,
        sha256,
      }),
    ),
  );
  process.exitCode = verdict.healthy ? STATUS.allow : STATUS.block;
  const { root, ...rest } = verdict;
  const checked = keys.length === 0 ? "figures-only" : "signatures";
  if (options.json === true) return printJson({ ...rest, root: hex(root), checkpoints: checked });
  printVerdict(verdict, keys[0]?.name ?? null, since.length);
}

function printVerdict(
  { healthy, size, firstBad, problems, problemCount, root }: LogVerdict,
  name: string | null,
  kept: number,
): void {
  print(
    healthy
      ? `${paint("the log agrees", "allow")}: ${size} records, root ${hex(root).slice(0, 16)}…`
      : `${paint("the log does not agree", "block")}: ${problemCount} problem${problemCount === 1 ? "" : "s"}${firstBad === null ? "" : `, from record ${firstBad} on`}`,
  );
  for (const { seq, code, message } of problems.slice(0, 20)) print(`  ${seq ?? "-"}  ${code}  ${printable(message)}`);
  if (name !== null && problems.some(({ code }) => code === "checkpoint.signature"))
    print(
      paint(
        `checkpoints were looked at as those of ${printable(name)}; --issuer and --tenant name another log`,
        "review",
      ),
    );
  if (name === null)
    print(paint("checkpoints were checked by their figures only: there is no key of this log here", "review"));
  if (kept === 0)
    print(paint("a log that was rewritten as a whole is noticed with --since, by a checkpoint kept elsewhere", "dim"));
}

/** Tells how far it is, where a person looks. */
function watched(store: Store, { json }: Options): Log {
  if (json === true || !isTerminal()) return store;
  const tell = (text: string): void => void process.stderr.write(`\r\u001b[K${text}`);
  return {
    ...store,
    snapshot: (tenant, read) =>
      store.snapshot(tenant, async (log) => {
        const head = await log.head(tenant);
        const size = head.ok ? head.value.size : 0;
        const seen = await read({
          ...log,
          entries: (of, from, limit) => {
            tell(`${from} of ${size} records`);
            return log.entries(of, from, limit);
          },
          money: (of, query) => {
            tell("reservations");
            return log.money(of, query);
          },
        });
        tell("");
        return seen;
      }),
  };
}

/** A signed note as it is, or the lines that an anchor wrote. */
function notesIn(file: string, tenant: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandError("input.unreadable", "the file cannot be read", { at: file });
  }
  if (!text.startsWith("{")) return [text];
  const notes = text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const parsed = parseJson(Buffer.from(line), jsonLimits, "plain");
      if (!parsed.ok || !isObject(parsed.value) || typeof parsed.value["note"] !== "string")
        throw new CommandError("input.malformed", "this is neither a signed note nor a file of an anchor", {
          at: file,
        });
      return parsed.value["tenant"] === tenant ? [parsed.value["note"]] : [];
    });
  // Checked against nothing, a log would seem to agree.
  if (notes.length === 0)
    throw new CommandError("input.malformed", "this file holds no checkpoint of this tenant's log", { at: file });
  return notes;
}

/** Signs the log as it is now. */
export async function checkpoint(options: Options): Promise<void> {
  await withStore(options, async (store) => {
    const identity = await logIdentity(options);
    const { size, note } = unwrap(await issueCheckpoint(options.tenant, store, identity, sha256));
    if (options.json === true) printJson({ size, checkpoint: note, key: formatNoteKey(identity.key, sha256) });
    else write(note);
  });
}

/** Proves one record, or checks a proof that somebody gave. */
export async function proof(what: string, options: Options & { readonly check?: boolean }): Promise<void> {
  if (options.check === true) return check(what, options);
  await withStore(options, async (store) => {
    const identity = await logIdentity(options);
    const index = await indexOf(store, options.tenant, what);
    const bundle = unwrap(await proveRecord(options.tenant, store, index, identity, sha256));
    if (bundle === null) throw new CommandError("log.unknown", "the log has no such record", { at: what });
    printJson(bundle);
  });
}

async function check(file: string, options: Options): Promise<void> {
  const keys = await logKeys(options);
  if (keys.length === 0)
    throw new CommandError("keys.none", "a proof is checked with the key of its log", { expected: "--log-key KEY" });
  const bundle = parseJson(await readInput(file), jsonLimits, "plain");
  if (!bundle.ok) throw new CommandError(bundle.error.code, bundle.error.message, { at: file });
  const tries = keys.map((key) => verifyBundle(bundle.value, key, verifyEd25519, sha256));
  const proven = tries.find(({ ok }) => ok) ?? tries[0];
  process.exitCode = proven?.ok === true ? STATUS.allow : STATUS.block;
  if (proven?.ok === true) {
    const { seq, kind, ref, at } = proven.value;
    if (options.json === true) return printJson({ proven: true, record: proven.value });
    return print(`${paint("proven", "allow")}: record ${seq}, ${printable(kind)} ${printable(ref)}, ${at}`);
  }
  const error = proven?.error ?? { code: "proof.malformed", message: "this is not a proof bundle" };
  if (options.json === true) return printJson({ proven: false, error });
  print(`${paint("not proven", "block")}: ${error.message} (${error.code})`);
}

async function indexOf(store: Store, tenant: string, what: string): Promise<number> {
  if (/^\d{1,15}$/.test(what)) return Number(what);
  const found = unwrap(await store.entriesAbout(tenant, what)).find(({ kind }) => kind === "decide");
  if (found !== undefined) return found.seq;
  throw new CommandError("decision.unknown", "the log has no such record", {
    at: what,
    expected: "an index, or the id of a decision",
  });
}

const PAGE = 500;

/** Every record with what is still kept beside it, one JSON object a line. */
export async function exportRecords(options: Options & { readonly from: string }): Promise<void> {
  if (!/^\d{1,15}$/.test(options.from)) throw new CommandError("usage", "this is not an index", { at: "--from" });
  await withStore(options, async (store) => {
    for (let from = Number(options.from); ; ) {
      const entries = unwrap(await exportLog(options.tenant, store, from, PAGE));
      const last = entries.at(-1);
      if (last === undefined || outputClosed()) return;
      for (const entry of entries) printJson(entry);
      from = last.seq + 1;
    }
  });
}

/** Destroys what was kept about somebody, or about one decision. Records and proofs stay as they are. */
export async function erase(
  options: Options & { readonly subject?: string; readonly decision?: string; readonly reason: string },
): Promise<void> {
  const { subject, decision, reason } = options;
  if ((subject === undefined) === (decision === undefined))
    throw new CommandError("usage", "say what to erase", { expected: "--subject agent:NAME, or --decision ID" });
  await withStore(options, async (store) => {
    const by = { kind: "person", id: "operator" } as const;
    const done = unwrap(
      subject === undefined
        ? await store.commit(options.tenant, { kind: "erase", what: { decision: decision ?? "" }, reason, by })
        : await eraseSubject(options.tenant, store, { subject, reason, by }),
    );
    if (options.json === true) printJson({ erased: done.erased, record: done.seq });
    else print(`erased what was kept beside ${done.erased} record${done.erased === 1 ? "" : "s"}`);
  });
}

async function withStore<T>(options: Options, work: (store: Store) => Promise<T>): Promise<T> {
  if (!isTenantId(options.tenant))
    throw new CommandError("usage", "this is not the id of a tenant", { at: "--tenant", expected: "a-z, 0-9 and -" });
  const store = await openLog(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function unwrap<T>(result: Result<T, LedgerError>): T {
  if (result.ok) return result.value;
  throw new CommandError(result.error.code, result.error.message);
}
