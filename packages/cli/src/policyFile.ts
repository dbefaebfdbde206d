import {
  documentLimits,
  type EffectivePolicy,
  err,
  type JsonValue,
  ok,
  parseJson,
  type Result,
  readPolicy,
} from "@countersign/core";
import { type Refusal, refuse } from "./exit.ts";
import { nameOf, readInput } from "./input.ts";

/** Where a document given on a command line stands: the organisation of the agent `local`. */
export const LOCAL_SCOPE = "org:local";

/** A policy from a file, ready to decide by. Whatever is wrong with it ends the command with one line. */
export async function readPolicyFile(file: string): Promise<EffectivePolicy> {
  const document = await readDocument(file);
  const policy = readPolicy(document, LOCAL_SCOPE);
  if (policy.ok) return policy.value;
  const [first, ...rest] = policy.error;
  return refuse(first ?? { code: "policy.malformed", message: "the policy cannot be read" }, nameOf(file), rest.length);
}

/** YAML or JSON, read strictly: by the name of the file, else by how it begins. */
export const readDocument = async (file: string): Promise<JsonValue> => (await readSource(file)).document;

/** The same, with the text that it was read from. */
export async function readSource(file: string): Promise<{ readonly text: string; readonly document: JsonValue }> {
  const bytes = await readInput(file, documentLimits.bytes);
  const isJson = /[.]json$/i.test(file) || (!/[.]ya?ml$/i.test(file) && /^\s*\{/.test(bytes.toString("latin1", 0, 64)));
  const read: Result<JsonValue, Refusal> = isJson ? parseJson(bytes, documentLimits, "plain") : await readYaml(bytes);
  return read.ok ? { text: bytes.toString("utf8"), document: read.value } : refuse(read.error, nameOf(file));
}

async function readYaml(bytes: Buffer): Promise<Result<JsonValue, Refusal>> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return err({ code: "yaml.not_utf8", message: "the file is not text", expected: "UTF-8" });
  }
  const { parseYaml } = await import("./yaml.ts");
  const read = parseYaml(text);
  return read.ok ? ok(read.value) : read;
}
