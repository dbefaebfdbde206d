import { join } from "node:path";
import { decodeBase64url, encodeBase64url, isObject, jsonLimits, parseJson } from "@countersign/core";
import { readPrivateFile, writePrivateFile } from "@countersign/server";
import { CommandError } from "./exit.ts";
import { keyFolder, refuseKeys } from "./keyFolder.ts";
import { random } from "./random.ts";

const LENGTH = 32;

/** The secret that a gate's store works under; what erasures leave in the database is read with it, and only with it. */
export const storeSecretFile = (home: string): string => join(keyFolder(home), "store.json");

/** Null where there is none, and none is to be made. */
export async function storeSecret(home: string, where: "make" | "if there"): Promise<Uint8Array | null> {
  const file = storeSecretFile(home);
  const found = await read(file);
  if (found !== null || where === "if there") return found;
  const text = `${JSON.stringify({ secret: encodeBase64url(random(LENGTH)) })}\n`;
  const written = await writePrivateFile(file, text, "create");
  // Another process that starts at the same time was first: then its secret is the one.
  if (!written.ok && written.error.code !== "keys.changed") return refuseKeys(written.error);
  return read(file);
}

async function read(file: string): Promise<Uint8Array | null> {
  const text = await readPrivateFile(file);
  if (!text.ok) return refuseKeys(text.error);
  if (text.value === null) return null;
  const parsed = parseJson(text.value, jsonLimits, "plain");
  const written = parsed.ok && isObject(parsed.value) ? parsed.value["secret"] : undefined;
  const secret = typeof written === "string" ? decodeBase64url(written) : undefined;
  if (secret?.length === LENGTH) return secret;
  throw new CommandError("keys.malformed", "the secret of the store cannot be read", { at: file });
}
