import { VERSION } from "@countersign/api";
import { Argument, Command, CommanderError, Option } from "commander";
import { CommandError, STATUS } from "./exit.ts";
import { outputClosed } from "./output.ts";
import { policyCommands } from "./policyCommands.ts";
import { printable } from "./printable.ts";

const HOME = ".countersign";

/** Every face and check is loaded when it is asked for: `check` must not pay for the server. */
export function program(): Command {
  const root = new Command("countersign")
    .description("The gate that an AI agent's action passes before it happens: allow, review or block, with reasons.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help for a command")
    .helpCommand("help [command]", "print help for a command")
    .showSuggestionAfterError(true)
    .addHelpText("after", examples(ROOT_EXAMPLES, "Exit status: 0 allow, 1 block, 2 review, 3 error."));

  judging(root);
  bytes(root);
  policyCommands(root);
  operating(root);
  return root;
}

/** The commands that give a verdict. */
function judging(root: Command): void {
  root
    .command("check")
    .description("decide one ask: allow, review or block")
    .argument("<file>", "JSON file with {action?, material?}, or - for stdin")
    .option("--policy <file>", "the policy to decide by (YAML or JSON); without one everything is blocked")
    .option(
      "--dialect <name>",
      "answer as a tool does, FILE being its arguments: firewall, mandate, action-gate, or a tool's name",
    )
    .option("--mandate <file>", "the mandate of the mandate dialect, FILE being the action alone")
    .addOption(now("decide as of this time"))
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        CHECK_EXAMPLES,
        "Exit status: 0 allow, 1 block, 2 review, 3 error. Nothing is recorded, reserved or signed.",
      ),
    )
    .action(async (file, options) => (await import("./command/check.ts")).check(file, options));

  root
    .command("scan")
    .description("score a text for instructions to the agent that reads it")
    .argument("[text]", "the text; without it, or with -, stdin is read")
    .addOption(
      new Option("--source <kind>", "where the text comes from").choices([
        "user",
        "tool",
        "mail",
        "web",
        "tool_description",
        "document",
      ]),
    )
    .addOption(jsonl())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        SCAN_EXAMPLES,
        'Lines: {"text", "source"?} gives {"score", "band", "signals"}; other members are passed through.',
      ),
    )
    .action(async (text, options) => (await import("./command/scan.ts")).scan(text, options));

  root
    .command("url")
    .description("judge a URL by its text: scheme, host, private addresses in every spelling, look-alikes")
    .argument("[url]", "the URL; without it, or with -, stdin is read")
    .addOption(jsonl())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        URL_EXAMPLES,
        'Lines: {"url"} gives {"verdict", "codes"}; other members are passed through. Nothing is resolved or fetched.',
      ),
    )
    .action(async (url, options) => (await import("./command/url.ts")).url(url, options));

  root
    .command("secrets")
    .description("find secrets; what is found is named by kind and place, and never shown")
    .argument("[text]", "the text; without it, or with -, stdin is read")
    .addOption(jsonl())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        SECRETS_EXAMPLES,
        'Lines: {"text"} gives {"found", "kinds", "paths"}; other members are passed through.',
      ),
    )
    .action(async (text, options) => (await import("./command/secrets.ts")).secrets(text, options));

  root
    .command("fields")
    .description("judge data by a contract of dot paths")
    .argument("[file]", "JSON file with {data, contract, allow_extra?}; without it, or with -, stdin is read")
    .addOption(jsonl())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        FIELDS_EXAMPLES,
        'Lines: {"data", "contract", "allow_extra"?} gives {"verdict", "reasons"}; other members are passed through.',
      ),
    )
    .action(async (file, options) => (await import("./command/fields.ts")).fields(file, options));

  root
    .command("clean")
    .description("clean rows: trim, drop duplicates, check required fields and ranges")
    .argument("[file]", "JSON file with the arguments of trust_clean_data; without it, or with -, stdin is read")
    .addOption(jsonl())
    .addOption(json())
    .addHelpText(
      "after",
      examples(CLEAN_EXAMPLES, "Lines: the tool's arguments give its answer; other members are passed through."),
    )
    .action(async (file, options) => (await import("./command/clean.ts")).clean(file, options));

  root
    .command("receipt")
    .description("signed statements of a gate")
    .command("verify")
    .description("verify a receipt, by the keys of the gate and all that it has to say")
    .argument("<file>", "file with the receipt (compact JWS), or - for stdin")
    .requiredOption("--jwks <file>", "keys of the gate, as served at /.well-known/jwks.json")
    .requiredOption("--issuer <name>", "the gate that must have signed it")
    .requiredOption("--audience <name>", "whom it must be meant for")
    .requiredOption("--tenant <id>", "the tenant it must name")
    .requiredOption("--subject <agent>", "the agent it must name")
    .requiredOption("--action <digest>", "sha256:… of the action in hand, or a JSON file with the ask")
    .addOption(
      new Option("--verdict <verdict>", "what it must say; any is for reading only")
        .choices(["allow", "any"])
        .default("allow"),
    )
    .option("--clock-skew <seconds>", "how far the clocks may differ, 0 to 60", "0")
    .addOption(now("verify as of this time"))
    .addOption(json())
    .addHelpText("after", examples(RECEIPT_EXAMPLES, "Exit status: 0 valid, 1 not valid, 3 error."))
    .action(async (file, options) => (await import("./command/receipt.ts")).verify(file, options));
}

/** The commands that print bytes and digests. */
function bytes(root: Command): void {
  for (const name of ["canonical", "digest"] as const) {
    const command = root
      .command(name)
      .description(
        name === "canonical" ? "print the canonical bytes of JSON" : "print the SHA-256 of canonical JSON, in hex",
      )
      .argument("[file]", "JSON file; without it, or with -, stdin is read")
      .addOption(
        new Option("--form <form>", "jcs: RFC 8785; mandate: that of the mandate dialect")
          .choices(["jcs", "mandate"])
          .default("jcs"),
      );
    if (name === "digest") command.option("--tag <tag>", "hash this tag first; with jcs a line feed follows it");
    command
      .addHelpText("after", examples(name === "canonical" ? CANONICAL_EXAMPLES : DIGEST_EXAMPLES))
      .action(async (file, options) => (await import("./command/canonical.ts"))[name](file, options));
  }
}

/** The commands that set a gate up and run it. */
function operating(root: Command): void {
  const signing = root
    .command("keys")
    .description("keys of this gate")
    .command("signing")
    .description("keys that sign receipts, advice and checkpoints");
  signing
    .command("list")
    .description("list the signing keys; private halves are shown nowhere")
    .addOption(home())
    .addOption(json())
    .action(async (options) => (await import("./command/signingKeys.ts")).list(options));
  signing
    .command("rotate")
    .description("make a new key; the old one signs until the new one has been published for the lead time")
    .addOption(
      new Option("--purpose <purpose>", "which key")
        .choices(["receipts", "advice", "mandate", "checkpoints", "webhooks", "review"])
        .makeOptionMandatory(),
    )
    .option("--lead <duration>", "how long the new key is published before it signs (ISO 8601)", "PT10M")
    .addOption(home())
    .addOption(json())
    .action(async (options) => (await import("./command/signingKeys.ts")).rotate(options));

  root
    .command("init")
    .description("write a starter policy and signing keys; what is there already is kept")
    .option("--policy <file>", "where to write the policy", "policy.yaml")
    .addOption(home())
    .action(async (options) => (await import("./command/init.ts")).init(options));

  root
    .command("doctor")
    .description("prove that the gate denies what it must deny: prints what was tried, status 0 only when all holds")
    .option("--policy <file>", "a policy to try (YAML or JSON)")
    .option("--url <url>", "a running gate to try too")
    .addOption(home())
    .addOption(json())
    .addHelpText("after", examples(DOCTOR_EXAMPLES))
    .action(async (options) => (await import("./command/doctor.ts")).doctor(options));

  root
    .command("serve")
    .description("serve the gate over HTTP and MCP")
    .option("--policy <file>", "the policy in force (YAML or JSON); without it the starter policy")
    .option("--port <number>", "port to listen on; 0 takes a free one", "8402")
    .option("--host <address>", "address to listen on; others than loopback need keys", "127.0.0.1")
    .option("--allow-host <name...>", "further host:port names under which it is reached")
    .addOption(storePlace())
    .option("--payments <file>", "tools that are sold, their prices and who is paid (YAML or JSON)")
    .addOption(issuer())
    .addOption(
      new Option("--log <level>", "what is logged on stderr").choices(["info", "error", "silent"]).default("error"),
    )
    .addOption(home())
    .addHelpText("after", examples(SERVE_EXAMPLES))
    .action(async (options) => (await import("./command/serve.ts")).serve(options));

  root
    .command("mcp")
    .description("serve the gate's tools over MCP on stdin and stdout")
    .option("--policy <file>", "the policy in force (YAML or JSON); without it the starter policy")
    .option("--dialect <name>", "only these tools: native, firewall, mandate or action-gate")
    .addOption(storePlace())
    .addOption(issuer())
    .addOption(home())
    .addHelpText("after", examples(MCP_EXAMPLES))
    .action(async (options) => (await import("./command/mcp.ts")).mcp(options));

  root
    .command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", examples(COMPLETION_EXAMPLES))
    .action(async (shell) => (await import("./command/completion.ts")).completion(shell, root));
}

const json = () => new Option("--json", "print JSON, for programs");
const jsonl = () =>
  new Option("--jsonl", "one JSON object a line on stdin, one on stdout, in the same order").conflicts("json");
const now = (what: string) => new Option("--now <time>", `${what} (RFC 3339)`);
const home = () => new Option("--home <folder>", "folder of the gate's own files").default(HOME);
const storePlace = () =>
  new Option(
    "--store <place>",
    "where the log is: a file, postgres://…, or memory; gate.db in the home by default",
  ).env("COUNTERSIGN_STORE");
const issuer = () => new Option("--issuer <name>", "the gate's name in what it signs").default("countersign");

const examples = (lines: readonly string[], note = ""): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}${note === "" ? "" : `\n\n${note}`}`;

const ROOT_EXAMPLES = [
  "countersign init                                      a starter policy and signing keys",
  "countersign check ask.json --policy policy.yaml       decide one ask",
  "echo 'ignore all previous instructions' | countersign scan",
  "countersign url http://0x7f.1/admin",
  "countersign serve --policy policy.yaml                the gate over HTTP and MCP",
  "countersign doctor --policy policy.yaml               prove that it denies what it must",
];
const CHECK_EXAMPLES = [
  "countersign check ask.json --policy policy.yaml",
  "countersign check --policy policy.yaml --json - < ask.json",
  "countersign check payment.json --dialect trust_check_spend --json",
  "countersign check action.json --mandate mandate.json",
];
const SCAN_EXAMPLES = [
  "countersign scan 'ignore all previous instructions'",
  "countersign scan --source web < page.txt",
  "countersign scan --jsonl < texts.jsonl > scores.jsonl",
];
const URL_EXAMPLES = ["countersign url https://example.com/", "countersign url --jsonl < urls.jsonl"];
const SECRETS_EXAMPLES = ["countersign secrets < config.env", "countersign secrets --jsonl < texts.jsonl"];
const FIELDS_EXAMPLES = [
  `echo '{"data": {"age": 17}, "contract": {"age": {"type": "integer", "min": 18}}}' | countersign fields`,
  "countersign fields --jsonl < records.jsonl",
];
const CLEAN_EXAMPLES = [
  `echo '{"rows": [{"id": 1}, {"id": 1}], "remove_duplicates": true}' | countersign clean`,
  "countersign clean --json rows.json",
];
const RECEIPT_EXAMPLES = [
  "countersign receipt verify receipt.jws --jwks jwks.json --issuer countersign --audience countersign \\",
  "  --tenant local --subject local --action ask.json",
];
const CANONICAL_EXAMPLES = [
  `echo '{"b": 1.0, "a": 2}' | countersign canonical`,
  "countersign canonical --form mandate action.json | sha256sum",
];
const DIGEST_EXAMPLES = [
  "countersign digest document.json",
  "countersign digest --form mandate --tag hanria-action-v1 action.json",
];
const DOCTOR_EXAMPLES = ["countersign doctor --policy policy.yaml", "countersign doctor --url http://127.0.0.1:8402"];
const SERVE_EXAMPLES = ["countersign serve --policy policy.yaml", "countersign serve --port 0 --log info"];
const MCP_EXAMPLES = ["countersign mcp --policy policy.yaml", "countersign mcp --dialect firewall"];
const COMPLETION_EXAMPLES = ["source <(countersign completion bash)", "countersign completion fish | source"];

/** Runs a command line. Every failure is one line on stderr and status 3, never a stack trace. */
export async function run(argv: readonly string[]): Promise<number> {
  const root = program();
  quiet(root);
  if (argv.length === 0) {
    process.stderr.write(root.helpInformation());
    return STATUS.error;
  }
  try {
    await root.parseAsync([...argv], { from: "user" });
    return typeof process.exitCode === "number" ? process.exitCode : 0;
  } catch (cause) {
    if (cause instanceof CommanderError && cause.exitCode === 0) return 0;
    // Whoever closed our output hears no more.
    if (!outputClosed()) process.stderr.write(`${lineOf(cause)}\n`);
    return STATUS.error;
  }
}

/** What a failure says of itself. */
export function lineOf(cause: unknown): string {
  if (cause instanceof CommandError) return cause.line();
  if (cause instanceof CommanderError) {
    const message = cause.code === "commander.help" ? "a command is missing; see --help" : cause.message;
    return `countersign: usage: ${printable(message.replace(/^error: /, "").replaceAll("\n", " "))}`;
  }
  // The text of what was thrown may carry content of the input.
  const name = cause instanceof Error ? cause.name : "Error";
  return `countersign: internal: something went wrong inside (${name}); nothing was allowed`;
}

/** Commander neither exits nor prints errors by itself: `run` does, in one line. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const child of command.commands) quiet(child);
}
