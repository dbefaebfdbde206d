import { type Command, Option } from "commander";

/** Tools for people who write policies. A POLICY is a file, or documents of several scopes. */
export function policyCommands(root: Command): void {
  const policy = root.command("policy").description("tools for people who write policies");

  policy
    .command("lint")
    .description("say what cannot match, is not reached, reaches too far or changes nothing, with lines")
    .argument("<policy>", POLICY)
    .option("--strict", "fail on warnings too")
    .addOption(now())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        ["countersign policy lint policy.yaml", `countersign policy lint ${SCOPED}`],
        "Exit status: 0 no errors, 1 errors, 3 the policy cannot be read.",
      ),
    )
    .action(async (file, options) => (await import("./command/policy/lint.ts")).lint(file, options));

  policy
    .command("diff")
    .description("compare two policies: mandates exactly, with an action for each difference; all else as written")
    .argument("<before>", POLICY)
    .argument("<after>", POLICY)
    .addOption(now())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        ["countersign policy diff policy.yaml candidate.yaml"],
        "Exit status: 0 the same, 1 they differ, 2 undecided, 3 error.",
      ),
    )
    .action(async (before, after, options) => (await import("./command/policy/diff.ts")).diff(before, after, options));

  policy
    .command("show")
    .description("show what is in force where documents of several scopes are, or whether it ever gives a verdict")
    .argument("<policy>", POLICY)
    .addOption(
      new Option("--ever <verdict>", "whether the mandates ever give this verdict").choices([
        "allow",
        "review",
        "block",
      ]),
    )
    .option("--action <file>", "JSON file with the part of the action that is given, for --ever")
    .addOption(now())
    .addOption(json())
    .addHelpText(
      "after",
      examples(
        [
          `countersign policy show ${SCOPED}`,
          `echo '{"target_prefix": "/etc/"}' | countersign policy show policy.yaml --ever allow --action -`,
        ],
        "Exit status with --ever: 0 yes, 1 no, 2 undecided, 3 error.",
      ),
    )
    .action(async (file, options) => (await import("./command/policy/show.ts")).show(file, options));
}

const POLICY = "policy file (YAML or JSON), or SCOPE=FILE,SCOPE=FILE";
const SCOPED = "platform:default=base.yaml,org:acme=acme.yaml";

const json = () => new Option("--json", "print JSON, for programs");
const now = () => new Option("--now <time>", "judge as of this time (RFC 3339)");

const examples = (lines: readonly string[], note: string): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}\n\n${note}`;
