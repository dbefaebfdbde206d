import type { ExactJson, JsonObject } from "@countersign/core";
import { refuseProblem } from "../ask.ts";
import { type DialectCall, dialectCall } from "../dialects.ts";
import { CommandError, STATUS } from "../exit.ts";
import { nameOf, readJson } from "../input.ts";
import { timeOf } from "../now.ts";
import { print, printJson } from "../output.ts";
import { printVerdict, type Reason, reasonOfTool } from "../reasons.ts";
import type { CheckOptions } from "./checkOptions.ts";

/** Answers as a tool of a dialect does. */
export async function checkDialect(file: string, options: CheckOptions): Promise<void> {
  const tool = dialectCall(options.dialect ?? "mandate");
  const answer = await tool.call(await argumentsOf(tool, file, options.mandate), timeOf(options.now));
  if (!answer.ok) return refuseProblem(answer.error, nameOf(file));
  const verdict = tool.verdictOf(answer.value) ?? "allow";
  process.exitCode = STATUS[verdict];
  if (options.json === true) return printJson(answer.value);
  if (verdict === "error")
    throw new CommandError(`${tool.name}.error`, String(answer.value["reason"] ?? "no verdict could be reached"), {
      at: nameOf(file),
    });
  if (tool.verdictOf(answer.value) === undefined) return print(JSON.stringify(answer.value, null, 2));
  printVerdict(verdict, headline(answer.value), reasonsOf(answer.value));
}

/** The arguments as they stand; with a mandate in a file of its own, FILE is the action alone. */
async function argumentsOf(tool: DialectCall, file: string, mandate: string | undefined): Promise<ExactJson> {
  if (mandate === undefined) return readJson(file, "exact");
  if (tool.name !== "check_action")
    throw new CommandError("usage", "only the tool check_action of the dialect mandate takes a --mandate");
  if (mandate === "-" && file === "-")
    throw new CommandError("usage", "the action and the mandate cannot both be read from stdin");
  return { mandate: await readJson(mandate, "exact"), action: await readJson(file, "exact") };
}

const headline = ({ reason, clause }: JsonObject): string =>
  typeof reason === "string" ? reason : typeof clause === "string" ? `clause ${clause}` : "";

function reasonsOf(answer: JsonObject): readonly Reason[] {
  const list = (answer["reasons"] ?? answer["issues"] ?? answer["reason_codes"] ?? []) as readonly (
    | JsonObject
    | string
  )[];
  return list.map((one) => (typeof one === "string" ? { code: one } : reasonOfTool(one)));
}
