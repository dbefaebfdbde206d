import { firewall, type Problem } from "@countersign/api";
import { instantFromMillis, type JsonObject } from "@countersign/core";
import { refuse, STATUS } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import type { LineAnswer, LineCommand } from "../jsonl.ts";
import { printJson } from "../output.ts";
import { printVerdict, reasonOfTool } from "../reasons.ts";
import { closed } from "./closed.ts";
import { answerLines, type LineOptions } from "./lines.ts";

const MEMBERS = ["data", "contract", "allow_extra"];

const line: LineCommand = {
  asks: MEMBERS,
  answer({ contract, ...rest }): LineAnswer {
    const input: JsonObject = { ...rest, ...(contract === undefined ? {} : { fields: contract }) };
    const answer = firewall.call("trust_validate_data", input, { now: instantFromMillis(Date.now()) });
    if (!answer.ok) return { error: renamed(answer.error) };
    const { verdict, reasons } = answer.value;
    return { value: { verdict: verdict === "ALLOW" ? "allow" : "block", reasons: reasons ?? [] } };
  },
};

/** The tool calls the contract `fields`. */
const renamed = ({ code, detail, path, expected }: Problem) => ({
  code,
  message: detail,
  path: path?.replace(/^[/]fields(?=[/]|$)/, "/contract"),
  expected,
});

/** Judges data by a contract. */
export async function fields(file: string | undefined, options: LineOptions): Promise<void> {
  if (options.jsonl === true) return answerLines(file, line);
  const answered = line.answer(closed(await readJson(file, "plain"), MEMBERS, nameOf(file)));
  if ("error" in answered) refuse(answered.error, nameOf(file));
  const verdict = answered.value["verdict"] === "allow" ? "allow" : "block";
  process.exitCode = STATUS[verdict];
  if (options.json === true) printJson(answered.value);
  else printVerdict(verdict, "", (answered.value["reasons"] as readonly JsonObject[]).map(reasonOfTool));
}
