import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result } from "@countersign/core";
import type { KeyError } from "./keyError.ts";
import { judgeFolder } from "./privateFolder.ts";

/** A list of keys is a few kilobytes; a file that is larger is another file. */
const largest = 1 << 20;

/**
 * The text of a file that only its owner may read, or null when there is none. Permissions are judged on the open file
 * and links are not followed, so that nobody swaps it between look and read; its folder is one that only its owner writes to.
 * Fails with `keys.loose_permissions`, `keys.other_owner`, `keys.not_a_file` or `keys.unreadable`.
 */
export async function readPrivateFile(path: string): Promise<Result<string | null, KeyError>> {
  const loose = await judgeFolder(dirname(path), "the keys");
  if (loose !== null) return err(loose);
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return ok(null);
    if (codeOf(cause) === "ELOOP") return notAFile(path);
    return err({ code: "keys.unreadable", message: `the key file cannot be opened (${codeOf(cause)})`, path });
  }
  try {
    const stats = await file.stat();
    const refusal = judge(path, stats);
    return refusal === null ? ok(await file.readFile("utf8")) : err(refusal);
  } catch (cause) {
    return err({ code: "keys.unreadable", message: `the key file cannot be read (${codeOf(cause)})`, path });
  } finally {
    await file.close();
  }
}

function judge(path: string, stats: Stats): KeyError | null {
  if (!stats.isFile() || stats.size > largest) return notAFile(path).error;
  // Windows has no such bits; its access lists are the operator's.
  if (process.platform === "win32") return null;
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
    const message = `the key file is open to other users (mode ${mode}); make it yours alone with chmod 600, and rotate its keys if others could read it`;
    return { code: "keys.loose_permissions", message, path, expected: "mode 0600" };
  }
  if (stats.uid !== process.geteuid?.()) {
    return {
      code: "keys.other_owner",
      message: "the key file belongs to another user",
      path,
      expected: "your own file",
    };
  }
  return null;
}

/**
 * Writes a file that only its owner may read: whole or not at all, and durably.
 * `create` fails with `keys.changed` when there is one already, `replace` takes its place. The folder is judged as for reading.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  mode: "create" | "replace",
): Promise<Result<null, KeyError>> {
  const folder = dirname(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const loose = await judgeFolder(folder, "the keys");
    if (loose !== null) return err(loose);
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      // A link, unlike a rename, is refused where another process was first.
      if (mode === "create") await link(draft, path);
      else await rename(draft, path);
    } finally {
      if (mode === "create") await unlink(draft);
    }
    await syncFolder(folder);
    return ok(null);
  } catch (cause) {
    if (mode === "create" && codeOf(cause) === "EEXIST") {
      return err({ code: "keys.changed", message: "another process wrote the key file first", path });
    }
    return err({ code: "keys.unwritable", message: `the key file cannot be written (${codeOf(cause)})`, path });
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | null)?.code ?? "unknown";

const notAFile = (path: string) =>
  err<KeyError>({
    code: "keys.not_a_file",
    message: "the key file is not a plain file",
    path,
    expected: "a plain file",
  });
