import { DEFAULT_URL_POLICY, judgeUrl, redact } from "@countersign/core";
import { STATUS } from "../exit.ts";
import { nameOf, nothingIn, readText } from "../input.ts";
import type { LineCommand } from "../jsonl.ts";
import { printJson } from "../output.ts";
import { printVerdict, reasonOf } from "../reasons.ts";
import { answerLines, type LineOptions } from "./lines.ts";

const line: LineCommand = {
  asks: ["url"],
  answer({ url: text }) {
    if (typeof text !== "string") return { error: { code: "line.malformed", message: "url has to be a string" } };
    const { verdict, findings } = judgeUrl(text, DEFAULT_URL_POLICY);
    return { value: { verdict, codes: findings.map(({ code }) => code) } };
  },
};

/** Judges a URL by its text alone: nothing is resolved or fetched. */
export async function url(argument: string | undefined, options: LineOptions): Promise<void> {
  if (options.jsonl === true) return answerLines(argument, line);
  // The line feed that ends a line of input is not part of a URL.
  const text = (await readText(argument)).replace(/\r?\n$/, "");
  if (text === "" && (argument === undefined || argument === "-")) throw nothingIn(nameOf(undefined), "a URL");
  const { verdict, findings, url: judged } = judgeUrl(text, DEFAULT_URL_POLICY);
  process.exitCode = STATUS[verdict];
  const normalised = judged === null ? null : redact(judged.normalised);
  if (options.json === true) printJson({ verdict, codes: findings.map(({ code }) => code), url: normalised, findings });
  else printVerdict(verdict, normalised ?? redact(text), findings.map(reasonOf));
}
