import { err, ok, type Result } from "../result.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import type { Sha256 } from "./merkle.ts";
import { type NoteError, type NoteKey, openNote, type VerifyEd25519 } from "./note.ts";

/** What a log says of itself, as C2SP tlog-checkpoint spells it: the text of a signed note. */
export interface Checkpoint {
  /** Names the log: unique, and the same for all its life. */
  readonly origin: string;
  /** Records; up to 2^64 - 1 in the format. */
  readonly size: bigint;
  /** RFC 6962 root hash, 32 bytes. */
  readonly root: Uint8Array;
  /** Further lines, without a meaning of their own here. */
  readonly extensions: readonly string[];
}

export interface CheckpointError {
  readonly code: "checkpoint.malformed" | "checkpoint.other_log" | NoteError["code"];
  readonly message: string;
}

const largest = 2n ** 64n - 1n;

export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  return [origin, String(size), encodeBase64(root), ...extensions].map((line) => `${line}\n`).join("");
}

export function parseCheckpoint(text: string): Result<Checkpoint, CheckpointError> {
  if (!text.endsWith("\n")) return malformed("the checkpoint does not end in a newline");
  const [origin = "", digits = "", encoded = "", ...extensions] = text.slice(0, -1).split("\n");
  if (origin === "") return malformed("the checkpoint has no origin");
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(digits)) return malformed("the size of the checkpoint is not a number");
  const size = BigInt(digits);
  if (size > largest) return malformed("the size of the checkpoint is not a number");
  const root = decodeBase64(encoded);
  if (root?.length !== 32) return malformed("the root of the checkpoint is not 32 bytes in base64");
  if (extensions.some((line) => line === "")) return malformed("the checkpoint has an empty line");
  return ok({ origin, size, root, extensions });
}

/** Opens a signed checkpoint of this log: a good signature by the key of that name, and the origin as it must be. */
export function openCheckpoint(
  note: string,
  key: NoteKey,
  verify: VerifyEd25519,
  sha256: Sha256,
): Result<Checkpoint, CheckpointError> {
  const opened = openNote(note, [key], verify, sha256);
  if (!opened.ok) return opened;
  const parsed = parseCheckpoint(opened.value.text);
  if (parsed.ok && parsed.value.origin !== key.name)
    return err({ code: "checkpoint.other_log", message: "the checkpoint is that of another log" });
  return parsed;
}

const malformed = (message: string) => err<CheckpointError>({ code: "checkpoint.malformed", message });
