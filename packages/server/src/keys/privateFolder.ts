import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeyError } from "./keyError.ts";

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Why a folder does not keep what is in it, or null when it does, and when there is none. Whoever may write to it may take a
 * file away, or put another one there: the gate would then sign with keys that nobody knows, or go back to keys that were
 * retired. Others may read it, since each file in it has to be its owner's alone.
 * `holds: "the keys"` is the folder of the files; `"their folder"` is the one above, where the sticky bit is enough: it
 * lets everybody move only what is theirs.
 * Fails with `keys.loose_permissions` or `keys.other_owner`.
 */
export async function judgeFolder(path: string, holds: "the keys" | "their folder"): Promise<KeyError | null> {
  // Windows has no such bits; its access lists are the operator's.
  if (process.platform === "win32") return null;
  // What cannot be looked at cannot be opened either, and opening says why.
  const stats = await stat(path).catch(() => null);
  if (stats === null) return null;
  const kept = holds === "their folder" && (stats.mode & STICKY) !== 0;
  if ((stats.mode & OTHERS_WRITE) !== 0 && !kept) {
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
    const message = `other users may write to the folder of the keys (mode ${mode}), and put other keys there; take that from them with chmod go-w, and look at what is in it`;
    return { code: "keys.loose_permissions", message, path, expected: "mode 0700" };
  }
  // An owner may change the mode at any time; root may do everything anyhow.
  if (stats.uid !== process.geteuid?.() && stats.uid !== 0) {
    const message = "the folder of the keys belongs to another user";
    return { code: "keys.other_owner", message, path, expected: "your own folder" };
  }
  return null;
}

/** Why a folder of keys does not keep them, be it by itself or by where it lies; null when it does. */
export const judgeKeyFolder = async (folder: string): Promise<KeyError | null> =>
  (await judgeFolder(dirname(folder), "their folder")) ?? judgeFolder(folder, "the keys");
