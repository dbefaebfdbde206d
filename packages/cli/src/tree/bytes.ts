import { type Command, Option } from "commander";
import type { Commands } from "./commands.ts";
import { examples } from "./options.ts";

/** The commands that print bytes and digests. */
export const bytes: Commands = {
  canonical(root) {
    form(root, "canonical")
      .description("print the canonical bytes of JSON")
      .addHelpText("after", examples(CANONICAL_EXAMPLES))
      .action(async (file, options) => (await import("../command/canonical.ts")).canonical(file, options));
  },
  digest(root) {
    form(root, "digest")
      .description("print the SHA-256 of canonical JSON, in hex")
      .option("--tag <tag>", "hash this tag first; with jcs a line feed follows it")
      .addHelpText("after", examples(DIGEST_EXAMPLES))
      .action(async (file, options) => (await import("../command/canonical.ts")).digest(file, options));
  },
};

const form = (root: Command, name: string): Command =>
  root
    .command(name)
    .argument("[file]", "JSON file; without it, or with -, stdin is read")
    .addOption(
      new Option("--form <form>", "jcs: RFC 8785; mandate: that of the mandate dialect")
        .choices(["jcs", "mandate"])
        .default("jcs"),
    );

const CANONICAL_EXAMPLES = [
  `echo '{"b": 1.0, "a": 2}' | countersign canonical`,
  "countersign canonical --form mandate action.json | sha256sum",
];
const DIGEST_EXAMPLES = [
  "countersign digest document.json",
  "countersign digest --form mandate --tag hanria-action-v1 action.json",
];
