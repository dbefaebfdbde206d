import { Argument, type Command, Option } from "commander";
import type { Commands } from "./commands.ts";
import { examples, home, issuer, json, storePlace } from "./options.ts";

/** The commands that follow a decision: at a running gate, or at its log. */
export const lifecycle: Commands = {
  holds(root) {
    const holds = root.command("holds").description("what waits for a person");
    atGate(holds.command("list").description("list holds, the riskiest first"))
      .addOption(
        new Option("--state <state>", "which holds")
          .choices(["open", "approved", "rejected", "expired", "released", "any"])
          .default("open"),
      )
      .addOption(new Option("--order <order>", "what comes first").choices(["risk", "age"]).default("risk"))
      .option("--agent <name>", "only of this agent")
      .action(async (options) => (await import("../command/holds.ts")).list(options));
    atGate(
      holds.command("show").description("show exactly what will run, and why it waits").argument("<hold>", "its id"),
    )
      .addHelpText("after", examples(HOLDS_EXAMPLES))
      .action(async (id, options) => (await import("../command/holds.ts")).show(id, options));
    for (const how of ["approve", "reject"] as const)
      atGate(
        holds
          .command(how)
          .description(how === "approve" ? "permit exactly this action, once" : "close a hold without a permission")
          .argument("<hold>", "its id"),
      )
        .requiredOption("--seen <version>", "the version that show showed")
        .requiredOption("--reason <text>", "why, for whoever reads the log later")
        .action(async (id, options) => (await import("../command/holds.ts"))[how](id, options));
    atGate(holds.command("revoke").description("take an approval back").argument("<grant>", "its id"))
      .requiredOption("--reason <text>", "why, for whoever reads the log later")
      .action(async (id, options) => (await import("../command/holds.ts")).revoke(id, options));
  },
  outcome(root) {
    atGate(
      root
        .command("outcome")
        .description("close a decision with what really happened")
        .argument("<decision>", "its id")
        .addArgument(new Argument("<result>", "how it ended").choices(["executed", "failed", "unknown"])),
    )
      .option("--unlike", "what ran is not what was approved: this stops the agent")
      .option("--action <digest>", "sha256:… of the action that ran")
      .option("--sent <digest>", "sha256:… of what was sent")
      .option("--received <digest>", "sha256:… of what came back")
      .action(async (id, result, options) => (await import("../command/outcome.ts")).outcome(id, result, options));
  },
  stop(root) {
    const stop = root.command("stop").description("stop agents, teams or everything");
    atGate(
      stop
        .command("put")
        .description("refuse every decision, redemption and approval in a scope from now on")
        .argument("<scope>", "tenant, org:…, team:… or agent:…"),
    )
      .requiredOption("--reason <text>", "why, for whoever reads the log later")
      .option("--until <time>", "when it lifts itself (RFC 3339)")
      .addHelpText("after", examples(STOP_EXAMPLES))
      .action(async (scope, options) => (await import("../command/stop.ts")).put(scope, options));
    atGate(stop.command("lift").description("let it go on").argument("<stop>", "its id"))
      .requiredOption("--reason <text>", "why, for whoever reads the log later")
      .action(async (id, options) => (await import("../command/stop.ts")).lift(id, options));
    atGate(stop.command("list").description("list what is stopped")).action(async (options) =>
      (await import("../command/stop.ts")).list(options),
    );
  },
  agents(root) {
    const agents = root.command("agents").description("the directory of agents");
    atGate(agents.command("list").description("list agents and their teams")).action(async (options) =>
      (await import("../command/agents.ts")).list(options),
    );
    atGate(agents.command("put").description("add an agent, or change it").argument("<agent>", "its id"))
      .option("--team <team...>", "the teams it is in")
      .option("--display <name>", "its name for people")
      .option("--disabled", "refuse its credentials")
      .option("--reason <text>", "why, for whoever reads the log later")
      .action(async (id, options) => (await import("../command/agents.ts")).put(id, options));
  },
  log(root) {
    const log = root.command("log").description("the log, and what proves it");
    atLog(log.command("verify").description("rebuild everything from the records, and name the first that is wrong"))
      .option("--since <file...>", "checkpoints that were kept elsewhere: signed notes, or a file of an anchor")
      .addOption(logKey())
      .addHelpText("after", examples(LOG_EXAMPLES, "Exit status: 0 all agrees, 1 something does not, 3 error."))
      .action(async (options) => (await import("../command/log.ts")).verify(options));
    atLog(
      log
        .command("proof")
        .description("prove one record to somebody who asks nobody, or check such a proof")
        .argument("<record>", "an index or the id of a decision; with --check the file of a proof"),
    )
      .option("--check", "check a proof instead")
      .addOption(logKey())
      .action(async (what, options) => (await import("../command/log.ts")).proof(what, options));
    atLog(log.command("checkpoint").description("sign the log as it is now, to be kept elsewhere")).action(
      async (options) => (await import("../command/log.ts")).checkpoint(options),
    );
    atLog(log.command("export").description("print every record and what is kept beside it, one JSON object a line"))
      .option("--from <index>", "the first record", "0")
      .action(async (options) => (await import("../command/log.ts")).exportRecords(options));
    atLog(log.command("erase").description("destroy what was kept about somebody; records and proofs stay"))
      .option("--subject <name>", "about whom: agent:…")
      .option("--decision <id>", "beside this decision")
      .requiredOption("--reason <text>", "why, for whoever reads the log later")
      .action(async (options) => (await import("../command/log.ts")).erase(options));
  },
};

/** Keys of callers: made at the log, also where no gate runs. */
export function apiKeyCommands(keys: Command): void {
  atStore(
    keys.command("create").description("make an API key; it is shown once").argument("<name>", "what people call it"),
  )
    .requiredOption(
      "--scope <scope...>",
      "what it may be used for: decide, enforce, outcome, review, policy, audit, admin",
    )
    .option("--agent <name>", "it is this agent's")
    .option("--person <name>", "it is this person's")
    .option("--enforcer <name>", "it is an enforcer's: a proxy, a hook, a service")
    .option("--speaks-for <agent...>", "the agents that the enforcer may name, or any")
    .option("--expires <time>", "until when it is good (RFC 3339)")
    .addHelpText("after", examples(KEY_EXAMPLES))
    .action(async (name, options) => (await import("../command/apiKeys.ts")).create(name, options));
  atStore(keys.command("list").description("list API keys; secrets are shown nowhere")).action(async (options) =>
    (await import("../command/apiKeys.ts")).list(options),
  );
  atStore(keys.command("revoke").description("refuse a key from now on").argument("<key>", "its id")).action(
    async (id, options) => (await import("../command/apiKeys.ts")).revoke(id, options),
  );
  atStore(keys.command("rotate").description("make a key with the rights of another").argument("<key>", "its id"))
    .option("--overlap <duration>", "how long both are good (ISO 8601)", "P1D")
    .action(async (id, options) => (await import("../command/apiKeys.ts")).rotate(id, options));
}

/** At a running gate, with a key. */
const atGate = (command: Command): Command =>
  command
    .addOption(new Option("--url <url>", "the gate").env("COUNTERSIGN_URL").default("http://127.0.0.1:8402"))
    .option("--key-file <file>", "file with the API key; else COUNTERSIGN_KEY, or the keys of the first start")
    .addOption(home())
    .addOption(json());

/** At the store itself. */
const atStore = (command: Command): Command =>
  command.option("--tenant <id>", "whose", "local").addOption(storePlace()).addOption(home()).addOption(json());

const atLog = (command: Command): Command => atStore(command).addOption(issuer());

const logKey = () => new Option("--log-key <key...>", "keys of the log that were kept; else those of the home");

const HOLDS_EXAMPLES = ["countersign holds list", "countersign holds show hold_01890a5d-ac96-774b-bcce-b302099a8057"];
const STOP_EXAMPLES = ['countersign stop put agent:shopper --reason "buys too much"', "countersign stop list"];
const LOG_EXAMPLES = [
  "countersign log verify",
  "countersign log checkpoint > elsewhere/checkpoint",
  "countersign log verify --since elsewhere/checkpoint",
];
const KEY_EXAMPLES = [
  "countersign keys create shopper --agent shopper --scope decide",
  "countersign keys create proxy --enforcer proxy --speaks-for shopper --scope decide enforce outcome",
  "countersign keys create alice --person alice --scope review audit",
];
