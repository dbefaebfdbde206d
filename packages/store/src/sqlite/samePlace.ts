import { statSync } from "node:fs";

/** Looking at a file costs as much as a part of a commit, and nobody deletes one many times a second. */
const LOOK_EVERY_MS = 100;

/**
 * Tells whether the file that was opened still is the one at its place. SQLite goes on writing to one that was deleted or
 * moved away, and all of that would be gone with the process.
 */
export function samePlace(path: string): (look?: "now") => boolean {
  const opened = identity(path);
  let same = true;
  let looked = Date.now();
  return (look) => {
    const now = Date.now();
    // A clock that was set back looks as well.
    if (look === undefined && same && now >= looked && now - looked < LOOK_EVERY_MS) return true;
    looked = now;
    same = opened !== undefined && identity(path) === opened;
    return same;
  };
}

function identity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}/${ino}`;
  } catch {
    return undefined;
  }
}
