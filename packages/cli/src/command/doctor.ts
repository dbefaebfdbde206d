import { stat } from "node:fs/promises";
import { join } from "node:path";
import { judgeKeyFolder } from "@countersign/server";
import type { Canary, Outcome } from "../doctor/canary.ts";
import { gateCanaries } from "../doctor/gateCanaries.ts";
import { httpCanaries } from "../doctor/httpCanaries.ts";
import { keyFolder, purposesIn } from "../keyFolder.ts";
import { paint, print, printJson } from "../output.ts";
import { readPolicyFile } from "../policyFile.ts";
import { printable } from "../printable.ts";

export interface DoctorOptions {
  readonly home: string;
  readonly policy?: string;
  readonly url?: string;
  readonly json?: boolean;
}

interface Row extends Outcome {
  readonly what: string;
}

/** Proves that the gate denies what it must deny. Status 0 only when everything held. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const policy = options.policy === undefined ? null : await readPolicyFile(options.policy);
  const canaries: readonly Canary[] = [
    ...gateCanaries(policy),
    ...keyFiles(options.home),
    ...(options.url === undefined ? [] : httpCanaries(options.url)),
  ];
  const rows: Row[] = [];
  for (const { what, flies } of canaries) {
    const outcome = await flies().catch((cause: unknown) => ({
      held: false,
      detail: `it could not be tried (${cause instanceof Error ? cause.name : "error"})`,
    }));
    rows.push({ what, ...outcome });
  }
  const failed = rows.filter(({ held }) => !held).length;
  process.exitCode = failed === 0 ? 0 : 1;
  if (options.json === true) return printJson({ held: failed === 0, checks: rows });
  const widest = Math.max(...rows.map(({ what }) => what.length));
  for (const row of rows) print(`${stateOf(row)}  ${row.what.padEnd(widest)}  ${paint(printable(row.detail), "dim")}`);
  const warned = rows.filter(({ warning }) => warning).length;
  const warnings = warned === 0 ? "" : `, ${warned} of them with a warning`;
  print("", failed === 0 ? `all ${rows.length} hold${warnings}` : `${failed} of ${rows.length} do not hold`);
  if (policy === null) print("Your own policy is tried with --policy FILE.");
  if (options.url === undefined) print("A running gate is tried with --url URL.");
}

const stateOf = ({ held, warning }: Outcome): string =>
  held ? (warning ? paint("warns", "review") : paint("holds", "allow")) : paint("FAILS", "block");

/** Whoever else may read a key may sign, and so may whatever runs as its owner. */
function keyFiles(home: string): readonly Canary[] {
  const folder = keyFolder(home);
  const files = purposesIn(folder).map((purpose) => join(folder, `${purpose}.json`));
  const modes = files.map((file) => ({
    what: `only its owner may touch ${printable(file)}`,
    async flies() {
      const { mode, uid } = await stat(file);
      const loose = (mode & 0o077) !== 0 || uid !== process.getuid?.();
      return { held: !loose, detail: loose ? `chmod 600 ${file}` : `mode ${(mode & 0o777).toString(8)}` };
    },
  }));
  const closed: Canary = {
    what: `nobody else may put other keys into ${printable(folder)}`,
    async flies() {
      const loose = await judgeKeyFolder(folder);
      return { held: loose === null, detail: loose === null ? "closed" : `chmod go-w ${loose.path}` };
    },
  };
  return files.length === 0
    ? []
    : [closed, ...modes, { what: "agents run as another user than the gate", flies: async () => sharedUser() }];
}

/** Who runs this program cannot know who runs the agents, only what follows if it is the same. */
const sharedUser = (): Outcome => ({
  held: true,
  warning: true,
  detail: `not to be seen from here: an agent that runs as user ${process.getuid?.() ?? "this"} can read the keys and change the policy`,
});
