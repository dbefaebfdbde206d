import { type Scan, scanText, TEXT_SOURCES, type TextSource } from "@countersign/core";
import { STATUS } from "../exit.ts";
import { readText } from "../input.ts";
import type { LineCommand } from "../jsonl.ts";
import { printJson } from "../output.ts";
import { printVerdict } from "../reasons.ts";
import { answerLines, type LineOptions } from "./lines.ts";

/** What each band means for whoever goes on with the text. */
const VERDICTS = { pass: "allow", warn: "allow", quarantine: "review", block: "block" } as const satisfies Record<
  Scan["band"],
  keyof typeof STATUS
>;

const line: LineCommand = {
  asks: ["text", "source"],
  answer({ text, source }) {
    if (typeof text !== "string") return { error: { code: "line.malformed", message: "text has to be a string" } };
    if (source !== undefined && !isSource(source))
      return {
        error: {
          code: "line.malformed",
          message: "source is not known",
          path: "/source",
          expected: TEXT_SOURCES.join(", "),
        },
      };
    const { score, band, signals } = scanText(text, source === undefined ? {} : { source });
    return { value: { score, band, signals: signals.map((signal) => ({ ...signal })) } };
  },
};

const isSource = (source: unknown): source is TextSource => TEXT_SOURCES.includes(source as TextSource);

/** Scores a text for instructions to the agent that reads it. */
export async function scan(
  argument: string | undefined,
  options: LineOptions & { readonly source?: TextSource },
): Promise<void> {
  if (options.jsonl === true) return answerLines(argument, line);
  const found = scanText(await readText(argument), options.source === undefined ? {} : { source: options.source });
  const verdict = VERDICTS[found.band];
  process.exitCode = STATUS[verdict];
  if (options.json === true) return printJson(found);
  const reasons = found.signals.map(({ rule, view, start, end }) => ({
    code: rule,
    at: `at ${start}-${end}`,
    message: view === "text" ? undefined : `in ${view}`,
  }));
  printVerdict(verdict, `score ${found.score.toFixed(2)}, band ${found.band}`, reasons);
}
