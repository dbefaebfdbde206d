import { firewall } from "@countersign/api";
import { instantFromMillis, type JsonObject } from "@countersign/core";
import { refuse, STATUS } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import type { LineAnswer, LineCommand } from "../jsonl.ts";
import { print, printJson } from "../output.ts";
import { printVerdict, reasonOfTool } from "../reasons.ts";
import { closed } from "./closed.ts";
import { answerLines, type LineOptions } from "./lines.ts";

const MEMBERS = ["rows", "primary_key", "required_fields", "numeric_ranges", "trim_strings", "remove_duplicates"];

const VERDICTS = { ALLOW: "allow", REVIEW: "review", BLOCK: "block" } as const;

const line: LineCommand = {
  asks: MEMBERS,
  answer(input): LineAnswer {
    const answer = firewall.call("trust_clean_data", input, { now: instantFromMillis(Date.now()) });
    if (answer.ok) return { value: answer.value };
    const { code, detail, path, expected } = answer.error;
    return { error: { code, message: detail, path, expected } };
  },
};

/** Cleans rows: the tool's answer as JSON, or what was found and the cleaned rows, one a line. */
export async function clean(file: string | undefined, options: LineOptions): Promise<void> {
  if (options.jsonl === true) return answerLines(file, line);
  const answered = line.answer(closed(await readJson(file, "plain"), MEMBERS, nameOf(file)));
  if ("error" in answered) return refuse(answered.error, nameOf(file));
  const { verdict, issues, cleaned_rows: rows, input_count: before, output_count: after } = answered.value;
  const word = VERDICTS[verdict as keyof typeof VERDICTS];
  process.exitCode = STATUS[word];
  if (options.json === true) return printJson(answered.value);
  printVerdict(word, `${before} rows in, ${after} out`, (issues as readonly JsonObject[]).map(reasonOfTool));
  print(...(rows as readonly JsonObject[]).map((row) => JSON.stringify(row)));
}
