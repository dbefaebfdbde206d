import { Option } from "commander";

const HOME = ".countersign";

export const json = () => new Option("--json", "print JSON, for programs; an error too, on stderr");
export const jsonl = () =>
  new Option("--jsonl", "one JSON object a line on stdin, one on stdout, in the same order").conflicts("json");
export const now = (what: string) => new Option("--now <time>", `${what} (RFC 3339)`);
export const home = () => new Option("--home <folder>", "folder of the gate's own files").default(HOME);
export const storePlace = () =>
  new Option(
    "--store <place>",
    "where the log is: a file, postgres://…, or memory; gate.db in the home by default",
  ).env("COUNTERSIGN_STORE");
export const issuer = () => new Option("--issuer <name>", "the gate's name in what it signs").default("countersign");
export const trade = () =>
  new Option("--trade <file>", "the chain that trades are judged on, its nodes and limits (YAML or JSON)");

export const examples = (lines: readonly string[], note = ""): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}${note === "" ? "" : `\n\n${note}`}`;

/** The last lines of help of a command that judges one thing, or a stream of them. */
export const judged = (note: string, allow: string, block: string, review?: string): string =>
  `${note}\nExit status: 0 ${allow}, 1 ${block}${review === undefined ? "" : `, 2 ${review}`}, 3 error; with --jsonl 0 when every line was answered, else 3.`;
