import { findSecrets, findSecretsIn, jsonLimits, parseJson } from "@countersign/core";
import { STATUS } from "../exit.ts";
import { readText } from "../input.ts";
import type { LineCommand } from "../jsonl.ts";
import { printJson } from "../output.ts";
import { printVerdict } from "../reasons.ts";
import { answerLines, type LineOptions } from "./lines.ts";

interface Found {
  readonly found: boolean;
  readonly kinds: readonly string[];
  /** JSON Pointers into a text that is JSON; "" is the text as a whole. Never what was found. */
  readonly paths: readonly string[];
}

/** As text and, where it is JSON, also by its members: a name such as `password` says what its value is. */
function search(text: string): Found {
  const kinds = new Set(findSecrets(text).map(({ kind }) => kind));
  const paths = new Set<string>();
  for (const { kind, path } of membersOf(text)) {
    kinds.add(kind);
    paths.add(path);
  }
  if (kinds.size > 0 && paths.size === 0) paths.add("");
  return { found: kinds.size > 0, kinds: [...kinds].sort(), paths: [...paths] };
}

function membersOf(text: string): ReturnType<typeof findSecretsIn> {
  if (!/^\s*[[{"]/.test(text)) return [];
  const read = parseJson(text, jsonLimits, "rounded");
  return read.ok ? findSecretsIn(read.value) : [];
}

const line: LineCommand = {
  asks: ["text"],
  answer({ text }) {
    if (typeof text !== "string") return { error: { code: "line.malformed", message: "text has to be a string" } };
    return { value: { ...search(text) } };
  },
};

/** Finds secrets and names them by kind and place. The values appear nowhere. */
export async function secrets(argument: string | undefined, options: LineOptions): Promise<void> {
  if (options.jsonl === true) return answerLines(argument, line);
  const { found, kinds, paths } = search(await readText(argument));
  const verdict = found ? "block" : "allow";
  process.exitCode = STATUS[verdict];
  if (options.json === true) return printJson({ found, kinds, paths });
  const places = paths.filter((path) => path !== "").join(", ");
  printVerdict(
    verdict,
    found ? "secrets found" : "no secrets found",
    kinds.map((kind) => ({ code: kind, at: places })),
  );
}
