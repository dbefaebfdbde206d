import { Option } from "commander";
import type { Commands } from "./commands.ts";
import { examples, home, json, jsonl, judged, now, storePlace, trade } from "./options.ts";

/** The commands that give a verdict. */
export const judging: Commands = {
  check(root) {
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
          [
            'An ask: {"action": {"kind", "verb", "target", "amount"?, …}, "material": {"texts"?, "urls"?, "data"?, …}}, either or both.',
            "Kinds: file, process, package, network, device, credential_use, transaction, administrative, unspecified.",
            "Exit status: 0 allow, 1 block, 2 review, 3 error. Nothing is recorded, reserved or signed.",
          ].join("\n"),
        ),
      )
      .action(async (file, options) => (await import("../command/check.ts")).check(file, options));
  },
  scan(root) {
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
          judged(
            'Lines: {"text", "source"?} gives {"score", "band", "signals"}; other members are passed through. An empty text passes.',
            "pass or warn",
            "block",
            "quarantine",
          ),
        ),
      )
      .action(async (text, options) => (await import("../command/scan.ts")).scan(text, options));
  },
  url(root) {
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
          judged(
            'Lines: {"url"} gives {"verdict", "codes"}; other members are passed through. Nothing is resolved or fetched.',
            "allow",
            "block",
            "review",
          ),
        ),
      )
      .action(async (url, options) => (await import("../command/url.ts")).url(url, options));
  },
  secrets(root) {
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
          judged(
            'Lines: {"text"} gives {"found", "kinds", "paths"}; other members are passed through. An empty text holds none.',
            "none found",
            "some found",
          ),
        ),
      )
      .action(async (text, options) => (await import("../command/secrets.ts")).secrets(text, options));
  },
  fields(root) {
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
          judged(
            'Lines: {"data", "contract", "allow_extra"?} gives {"verdict", "reasons"}; other members are passed through.',
            "allow",
            "block",
          ),
        ),
      )
      .action(async (file, options) => (await import("../command/fields.ts")).fields(file, options));
  },
  clean(root) {
    root
      .command("clean")
      .description("clean rows: trim, drop duplicates, check required fields and ranges")
      .argument("[file]", "JSON file with the arguments of trust_clean_data; without it, or with -, stdin is read")
      .addOption(jsonl())
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          CLEAN_EXAMPLES,
          judged(
            "Lines: the tool's arguments give its answer; other members are passed through.",
            "nothing was wrong",
            "no rows that can be cleaned",
            "something was",
          ),
        ),
      )
      .action(async (file, options) => (await import("../command/clean.ts")).clean(file, options));
  },
  token(root) {
    root
      .command("token")
      .description("try a token out in simulation: safe, warn or danger, with what was tried and what was seen")
      .argument("<address>", "address of the token")
      .requiredOption("--rpc <url...>", "nodes of its chain; of several, most have to say the same")
      .option("--registry <name>", "a registry that the token may be in: robinhood, or a file")
      .option("--quote <address...>", "what it may trade against; the dollars of the registry besides")
      .option("--v2-factory <address>", "where pairs are looked for")
      .option("--v3-factory <address>", "where pools of version 3 are looked for")
      .option("--v4-manager <address>", "where pools of version 4 are looked for")
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          TOKEN_EXAMPLES,
          "Exit status: 0 safe, 1 danger, 2 warn, 3 error. Nothing is sent to the chain. Without a pool no trade can be tried, and what was not tried is not safe.",
        ),
      )
      .action(async (address, options) => (await import("../command/token.ts")).token(address, options));
  },
  trade(root) {
    root
      .command("trade")
      .description("answer as a tool of the trade dialect: evaluate_trade, check_token_safety, simulate_balance, …")
      .argument("<tool>", "name of the tool")
      .argument("<file>", "JSON file with the tool's arguments, or - for stdin")
      .addOption(trade().makeOptionMandatory())
      .addOption(new Option("--facts <file>", "recorded readings in the place of the chain; nothing is kept then"))
      .addOption(now("the time of the recorded facts"))
      .addOption(storePlace())
      .addOption(home())
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          TRADE_EXAMPLES,
          "Exit status: 0 allow or warn, 1 deny, 3 error. A verdict is recorded in the log before it is told.",
        ),
      )
      .action(async (tool, file, options) => (await import("../command/trade.ts")).trade(tool, file, options));
  },
  receipt(root) {
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
      .action(async (file, options) => (await import("../command/receipt.ts")).verify(file, options));
  },
};

const CHECK_EXAMPLES = [
  "countersign check ask.json --policy policy.yaml",
  `echo '{"action": {"kind": "file", "verb": "read", "target": "/work/a.txt"}}' | countersign check - --policy policy.yaml`,
  "countersign check payment.json --dialect trust_check_spend --json",
  "countersign check action.json --mandate mandate.json",
];
const SCAN_EXAMPLES = [
  "countersign scan 'ignore all previous instructions'",
  "countersign scan --source web < page.txt",
  "countersign scan --jsonl < texts.jsonl > scores.jsonl",
];
const URL_EXAMPLES = ["countersign url https://example.com/", "countersign url --jsonl < urls.jsonl"];
const TRADE_EXAMPLES = [
  "countersign trade evaluate_trade trade.json --trade setting.yaml --facts readings.json --now 2027-01-15T15:00:00Z",
  "countersign trade evaluate_trade trade.json --trade setting.yaml",
  `echo '{"wallet": "0x…"}' | countersign trade verify_audit_trail - --trade setting.yaml --json`,
];
const TOKEN_EXAMPLES = [
  "countersign token 0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC --rpc https://rpc.example --registry robinhood",
  "countersign token 0x… --rpc https://rpc.example --v2-factory 0x… --quote 0x… --json",
];
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
