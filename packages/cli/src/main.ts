import { VERSION } from "@countersign/api";
import { Argument, Command, CommanderError } from "commander";
import { CommandError, STATUS, UNREAD } from "./exit.ts";
import { outputClosed, write } from "./output.ts";
import { bytes } from "./tree/bytes.ts";
import type { Commands } from "./tree/commands.ts";
import { judging } from "./tree/judging.ts";
import { lifecycle } from "./tree/lifecycle.ts";
import { operating } from "./tree/operating.ts";
import { examples } from "./tree/options.ts";
import { policies } from "./tree/policy.ts";

const shell: Commands = {
  completion(root) {
    root
      .command("completion")
      .description("print a completion script for a shell")
      .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
      .addHelpText("after", examples(COMPLETION_EXAMPLES))
      .action(async (shell) => (await import("./command/completion.ts")).completion(shell, program()));
  },
};

const HELP = ["help [command]", "print help for a command"] as const;
const GROUPS: readonly (readonly [heading: string, Commands])[] = [
  ["Judging:", judging],
  ["Running a gate:", operating],
  ["What follows a decision:", lifecycle],
  ["Writing policies:", policies],
  ["Bytes:", bytes],
  ["This program:", shell],
];
const COMMANDS: Commands = Object.assign({}, ...GROUPS.map(([, commands]) => commands));
const known = (command: string | undefined): command is string =>
  command !== undefined && Object.hasOwn(COMMANDS, command);

/**
 * The program, or as much of it as one command needs. Every face and check is loaded when it is asked for: `check` must not
 * pay for the server, nor for the help of the others.
 */
export function program(asked?: string): Command {
  const root = new Command("countersign")
    .description("The gate that an AI agent's action passes before it happens: allow, review or block, with reasons.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help for a command")
    .helpCommand(...HELP)
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      examples(
        ROOT_EXAMPLES,
        [
          "Exit status: 0 allow, 1 block, 2 review, 3 error; 141 when whoever read the output left before its end.",
          "An error is one line on stderr; with --json or --jsonl one JSON object with code and message, and with at (which",
          "input), path (where in it), offset and expected where they say something.",
        ].join("\n"),
      ),
    );
  if (known(asked)) COMMANDS[asked]?.(root);
  else
    for (const [heading, commands] of GROUPS) {
      root.commandsGroup(heading);
      for (const tell of Object.values(commands)) tell(root);
    }
  // Once more, since it belongs to the last group; what was said first is what commands in commands go by.
  root.helpCommand(...HELP);
  return root;
}

const ROOT_EXAMPLES = [
  "countersign init                                      a starter policy and signing keys",
  "countersign check ask.json --policy policy.yaml       decide one ask",
  "echo 'ignore all previous instructions' | countersign scan",
  "countersign url http://0x7f.1/admin",
  "countersign serve --policy policy.yaml                the gate over HTTP and MCP",
  "countersign doctor --policy policy.yaml               prove that it denies what it must",
];
const COMPLETION_EXAMPLES = ["source <(countersign completion bash)", "countersign completion fish | source"];

/** Runs a command line. Every failure is one line on stderr, or one JSON object, and status 3; never a stack trace. */
export async function run(argv: readonly string[]): Promise<number> {
  const words = helpWanted(argv);
  const root = program(words[0]);
  quiet(root);
  if (words.length === 0) {
    process.stderr.write(root.helpInformation());
    return STATUS.error;
  }
  try {
    await root.parseAsync([...words], { from: "user" });
  } catch (cause) {
    if (!(cause instanceof CommanderError && cause.exitCode === 0)) {
      await tell(cause, argv);
      return STATUS.error;
    }
  }
  if (outputClosed()) return UNREAD;
  return typeof process.exitCode === "number" ? process.exitCode : 0;
}

/** `help keys create` is `keys create --help`: of a command in a command, the library would tell of the outer one. */
function helpWanted(argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first !== "help" || rest.length === 0) return argv;
  // A command that is none is told so, with what may have been meant.
  return known(rest[0]) ? [...rest, "--help"] : rest;
}

/** Says on stderr what failed, in the form that was asked for. */
export async function tell(cause: unknown, argv: readonly string[]): Promise<void> {
  const failure = failureOf(cause, argv);
  // Names of members and arguments stand in it as they came, and either can be a secret.
  const { redact } = await import("./redact.ts");
  process.stderr.write(`${asksForJson(argv) ? failure.json(redact) : redact(failure.line())}\n`);
}

/** Asked of the words themselves: what cannot be parsed has to be answered in that form too. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).some((word) => word === "--json" || word === "--jsonl");
}

/** What a failure says of itself. */
function failureOf(cause: unknown, argv: readonly string[]): CommandError {
  if (cause instanceof CommandError) return cause;
  if (cause instanceof CommanderError) {
    const words = argv.filter((word) => !word.startsWith("-")).join(" ");
    const message =
      cause.code === "commander.help" ? `a command is missing; see countersign ${words} --help` : cause.message;
    return new CommandError("usage", message.replace(/^error: /, "").replaceAll("\n", " "));
  }
  // The text of what was thrown may carry content of the input.
  const name = cause instanceof Error ? cause.name : "Error";
  return new CommandError("internal", `something went wrong inside (${name}); nothing was allowed`);
}

/** Commander neither exits nor prints errors by itself: `run` does. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {}, writeOut: write });
  for (const child of command.commands) quiet(child);
}
