import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KEY_PURPOSES, openKeyRing } from "@countersign/server";
import { CommandError } from "../exit.ts";
import { keyFolder, purposesIn, refuseKeys } from "../keyFolder.ts";
import { print } from "../output.ts";
import { printable } from "../printable.ts";
import { self } from "../self.ts";
import { STARTER_POLICY } from "../starterPolicy.ts";
import { readTemplate, testsBeside } from "../templates.ts";

export interface InitOptions {
  readonly home: string;
  readonly policy: string;
  readonly template?: string;
}

/** Writes a policy to start with and signing keys. What is there already is kept as it is. */
export async function init({ home, policy, template }: InitOptions): Promise<void> {
  const folder = keyFolder(home);
  // Before anything is written into it, so that the umask has no say in who may write there.
  await makeFolder(home, { mode: 0o700 });
  const tests = testsBeside(policy);
  if (template === undefined) tell(policy, await writeNew(policy, STARTER_POLICY));
  else {
    const made = readTemplate(template);
    tell(policy, await writeNew(policy, made.policy));
    tell(tests, await writeNew(tests, made.tests));
  }
  // A copy of the home in a repository would hand the keys to everybody who reads it.
  tell(join(home, ".gitignore"), await writeNew(join(home, ".gitignore"), "*\n"));
  const before = new Set(purposesIn(folder));
  for (const purpose of KEY_PURPOSES) {
    const ring = await openKeyRing(folder, purpose, new Date());
    if (!ring.ok) return refuseKeys(ring.error);
    tell(join(folder, `${purpose}.json`), before.has(purpose) ? "kept" : "wrote");
  }
  print(
    "",
    "Next:",
    template === undefined
      ? `  echo '{"action":{"kind":"file","verb":"read","target":"/work/a.txt"}}' | ${self()} check - --policy ${printable(policy)}`
      : `  ${self()} policy test ${printable(tests)}`,
    `  ${self()} doctor --policy ${printable(policy)}`,
    `  ${self()} serve --policy ${printable(policy)}`,
  );
}

const tell = (file: string, done: "wrote" | "kept"): void => print(`${done}  ${printable(file)}`);

async function makeFolder(folder: string, mode: { readonly mode?: number } = {}): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, ...mode });
  } catch {
    throw new CommandError("init.unwritable", "the folder cannot be made", { at: folder });
  }
}

async function writeNew(file: string, text: string): Promise<"wrote" | "kept"> {
  await makeFolder(dirname(file));
  try {
    await writeFile(file, text, { flag: "wx" });
    return "wrote";
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return "kept";
    throw new CommandError("init.unwritable", "the file cannot be written", { at: file });
  }
}
