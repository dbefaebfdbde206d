import { readFileSync } from "node:fs";
import { type Client, createClient, type InputOf, type NativeOperation } from "@countersign/api";
import { isObject, type JsonObject, jsonLimits, parseJson } from "@countersign/core";
import { readPrivateFile } from "@countersign/server";
import { CommandError } from "./exit.ts";
import { firstKeysFile } from "./firstKeys.ts";

export interface RemoteOptions {
  readonly url: string;
  readonly keyFile?: string;
  readonly home: string;
}

/** Whose key of the first start a command takes, where it is given no other. */
export type Role = "admin" | "reviewer";

export interface Remote {
  /** What the gate answers; its refusal ends the command. */
  call<O extends NativeOperation>(operation: O, input: InputOf<O>): Promise<JsonObject>;
}

/**
 * A running gate. The key comes from a file or the environment, never from the command line, which every user of the
 * machine can read.
 */
export async function remote(options: RemoteOptions, role: Role): Promise<Remote> {
  const key = await keyOf(options, role);
  const client = connect(options.url, key);
  return {
    async call(operation, input) {
      const answer = await client.call(operation, input);
      if (answer.ok) return answer.value;
      const { code, message, path, expected } = answer.error;
      throw new CommandError(code, message, { at: options.url, path, expected: KEYLESS[code] ?? expected });
    },
  };
}

/** What a person can do about a key that is missing, or that is not this gate's. */
const KEYLESS: Readonly<Record<string, string>> = {
  "credential.missing": "--key-file, COUNTERSIGN_KEY, or --home with the keys of the gate's first start",
  "credential.unknown": "a key of this gate: is --home its own?",
};

function connect(baseUrl: string, key: string | undefined): Client {
  try {
    return createClient({ baseUrl, ...(key === undefined ? {} : { key }), timeout: 40_000 });
  } catch (cause) {
    throw new CommandError("usage", (cause as Error).message, { at: "--url" });
  }
}

async function keyOf({ keyFile, home }: RemoteOptions, role: Role): Promise<string | undefined> {
  if (keyFile !== undefined) return keyIn(read(keyFile), role, keyFile);
  const given = process.env["COUNTERSIGN_KEY"];
  if (given !== undefined && given !== "") return keyIn(given, role, "COUNTERSIGN_KEY");
  const file = firstKeysFile(home);
  const first = await readPrivateFile(file);
  if (!first.ok) throw new CommandError(first.error.code, first.error.message, { at: file });
  return first.value === null ? undefined : keyIn(first.value, role, file);
}

/** A key alone, or a file of the first start with one for each role. */
function keyIn(text: string, role: Role, at: string): string {
  const alone = text.trim();
  if (/^csk_[A-Za-z0-9_-]{1,250}$/.test(alone)) return alone;
  const parsed = parseJson(Buffer.from(text), jsonLimits, "plain");
  const key = parsed.ok && isObject(parsed.value) ? parsed.value[role] : undefined;
  if (typeof key === "string") return key;
  throw new CommandError("key.malformed", "this is not an API key", {
    at,
    expected: "csk_… alone, or the file of the first start",
  });
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CommandError("input.unreadable", "the key file cannot be read", { at: file });
  }
}
