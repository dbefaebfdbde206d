import { Option } from "commander";
import { TEMPLATES } from "../templates.ts";
import type { Commands } from "./commands.ts";
import { apiKeyCommands } from "./lifecycle.ts";
import { examples, home, issuer, json, storePlace, trade } from "./options.ts";

/** The commands that set a gate up and run it. */
export const operating: Commands = {
  init(root) {
    root
      .command("init")
      .description("write a starter policy and signing keys; what is there already is kept")
      .option("--policy <file>", "where to write the policy", "policy.yaml")
      .addOption(new Option("--template <name>", "a policy for this job, with its tests beside it").choices(TEMPLATES))
      .addOption(home())
      .action(async (options) => (await import("../command/init.ts")).init(options));
  },
  doctor(root) {
    root
      .command("doctor")
      .description("prove that the gate denies what it must deny: prints what was tried, status 0 only when all holds")
      .option("--policy <file>", "a policy to try (YAML or JSON)")
      .option("--url <url>", "a running gate to try too")
      .addOption(home())
      .addOption(json())
      .addHelpText("after", examples(DOCTOR_EXAMPLES))
      .action(async (options) => (await import("../command/doctor.ts")).doctor(options));
  },
  serve(root) {
    root
      .command("serve")
      .description("serve the gate over HTTP and MCP")
      .option(
        "--policy <file>",
        "the policy in force (YAML or JSON); without it what the log has, or the starter policy",
      )
      .option("--port <number>", "port to listen on; 0 takes a free one", "8402")
      .option("--host <address>", "address to listen on; others than loopback need keys", "127.0.0.1")
      .option("--allow-host <name...>", "further host:port names under which it is reached")
      .addOption(storePlace())
      .option(
        "--allow-internal <address...>",
        "internal addresses and names that events and checkpoints may be sent to",
      )
      .option("--keep <time>", "how long what was asked is kept: none, or an ISO 8601 duration (default: P30D)")
      .option("--anchor <place>", "a file or URL where signed checkpoints are kept besides")
      .option("--payments <file>", "tools that are sold, their prices and who is paid (YAML or JSON)")
      .addOption(trade())
      .addOption(issuer())
      .addOption(
        new Option("--log <level>", "what is logged on stderr").choices(["info", "error", "silent"]).default("error"),
      )
      .addOption(home())
      .addHelpText("after", examples(SERVE_EXAMPLES))
      .action(async (options) => (await import("../command/serve.ts")).serve(options));
  },
  mcp(root) {
    root
      .command("mcp")
      .description("serve the gate's tools over MCP on stdin and stdout")
      .option(
        "--policy <file>",
        "the policy in force (YAML or JSON); without it what the log has, or the starter policy",
      )
      .option("--dialect <name>", "only these tools: native, firewall, mandate, action-gate or trade")
      .addOption(trade())
      .addOption(storePlace())
      .addOption(issuer())
      .addOption(home())
      .addHelpText("after", examples(MCP_EXAMPLES))
      .action(async (options) => (await import("../command/mcp.ts")).mcp(options));
  },
  keys(root) {
    const keys = root.command("keys").description("API keys of callers, and the keys that this gate signs with");
    apiKeyCommands(keys);
    const signing = keys.command("signing").description("keys that sign receipts, advice and checkpoints");
    signing
      .command("list")
      .description("list the signing keys; private halves are shown nowhere")
      .addOption(home())
      .addOption(json())
      .action(async (options) => (await import("../command/signingKeys.ts")).list(options));
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
      .action(async (options) => (await import("../command/signingKeys.ts")).rotate(options));
  },
};

const DOCTOR_EXAMPLES = ["countersign doctor --policy policy.yaml", "countersign doctor --url http://127.0.0.1:8402"];
const SERVE_EXAMPLES = ["countersign serve --policy policy.yaml", "countersign serve --port 0 --log info"];
const MCP_EXAMPLES = ["countersign mcp --policy policy.yaml", "countersign mcp --dialect firewall"];
