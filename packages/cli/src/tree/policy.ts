import { Option } from "commander";
import type { Commands } from "./commands.ts";
import { examples, home, json, now as nowOption, storePlace } from "./options.ts";

/** Tools for people who write policies. A POLICY is a file, or documents of several scopes. */
export const policies: Commands = {
  policy(root) {
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
      .action(async (file, options) => (await import("../command/policy/lint.ts")).lint(file, options));

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
      .action(async (before, after, options) =>
        (await import("../command/policy/diff.ts")).diff(before, after, options),
      );

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
      .action(async (file, options) => (await import("../command/policy/show.ts")).show(file, options));

    policy
      .command("explain")
      .description("say why an ask gets its verdict, clause by clause, and the smallest change that would pass")
      .argument("<file>", "JSON file with {action?, material?}, or - for stdin")
      .requiredOption("--policy <policy>", POLICY)
      .option("--spent <amount>", "what was spent of every budget before")
      .option("--all", "show clauses for other kinds of action too")
      .addOption(now())
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          ["countersign policy explain ask.json --policy policy.yaml"],
          "Exit status: 0 allow, 1 block, 2 review, 3 error.",
        ),
      )
      .action(async (file, options) => (await import("../command/policy/explain.ts")).explain(file, options));

    policy
      .command("test")
      .description("run the cases that stand beside a policy, and tell which clauses they reach")
      .argument("<cases...>", "files of cases (YAML or JSON); shop.test.yaml tests shop.yaml")
      .option("--policy <policy>", "test this policy instead")
      .option("--coverage <percent>", "fail when the cases reach fewer of the clauses")
      .option("--junit <file>", "write the results as JUnit XML too")
      .option("--watch", "run again whenever a file changes")
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          ["countersign policy test policy.test.yaml --coverage 100"],
          "Exit status: 0 all passed, 1 some failed, 3 error.",
        ),
      )
      .action(async (files, options) => (await import("../command/policy/test.ts")).test(files, options));

    policy
      .command("replay")
      .description("decide every kept decision again under a candidate: what would change, money and reviews counted")
      .argument("<candidate>", POLICY)
      .option("--export <file>", "an exported log, one entry a line, or - for stdin; without it the store is read")
      .option("--tenant <id>", "whose log", "local")
      .addOption(storePlace())
      .option("--list <number>", "list so many of the decisions that would change", "20")
      .addOption(home())
      .addOption(json())
      .addHelpText(
        "after",
        examples(
          ["countersign policy replay candidate.yaml", "countersign policy replay candidate.yaml --export log.jsonl"],
          "Exit status: 0 nothing would change, 1 some would, 2 none of those replayed and some were not, 3 error.",
        ),
      )
      .action(async (file, options) => (await import("../command/policy/replay.ts")).replay(file, options));
  },
};

const POLICY = "policy file (YAML or JSON), or SCOPE=FILE,SCOPE=FILE";
const SCOPED = "platform:default=base.yaml,org:acme=acme.yaml";

const now = () => nowOption("judge as of this time");
