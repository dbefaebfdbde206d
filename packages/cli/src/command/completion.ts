import type { Command, Option } from "commander";
import { print } from "../output.ts";

export type Shell = "bash" | "zsh" | "fish";

/** Prints a script that completes commands, options and the values of options that have a fixed choice. */
export async function completion(shell: Shell, root: Command): Promise<void> {
  const nodes = tree(root, []);
  print({ bash, zsh, fish }[shell](nodes));
}

/** One command: the words that lead to it, and what may follow. */
interface Node {
  readonly words: readonly string[];
  readonly about: string;
  readonly children: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly about: string;
    readonly choices: readonly string[];
    readonly takesValue: boolean;
  }[];
  /** Choices of its first argument; files otherwise. */
  readonly choices: readonly string[];
}

function tree(command: Command, words: readonly string[]): readonly Node[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== "help");
  const node: Node = {
    words,
    about: command.description(),
    children: children.map((child) => ({ name: child.name(), about: child.description() })),
    options: help.visibleOptions(command).map((option: Option) => ({
      flag: option.long ?? option.short ?? option.flags,
      about: option.description,
      choices: option.argChoices ?? [],
      takesValue: option.required || option.optional,
    })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [node, ...children.flatMap((child) => tree(child, [...words, child.name()]))];
}

const plain = (text: string): string => text.replace(/[^\w .,;:()/-]/g, "");
const following = ({ children, choices, options }: Node): string =>
  [...children.map(({ name }) => name), ...choices, ...options.map(({ flag }) => flag)].join(" ");

function bash(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ words }) => words.length > 0).map(({ words }) => words.join(" "));
  return `# countersign completion for bash:  source <(countersign completion bash)
_countersign() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${paths.map((path) => `"${path}"`).join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $prev" in
${nodes
  .flatMap(({ words, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ flag, choices }) =>
          `    "${words.join(" ")} ${flag}") mapfile -t COMPREPLY < <(compgen -W "${choices.join(" ")}" -- "$cur"); return ;;`,
      ),
  )
  .join("\n")}
  esac
  case "$at" in
${nodes.map((node) => `    "${node.words.join(" ")}") mapfile -t COMPREPLY < <(compgen -W "${following(node)}" -- "$cur") ;;`).join("\n")}
  esac
  if [[ \${#COMPREPLY[@]} -eq 0 && $cur != -* ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi
}
complete -o filenames -F _countersign countersign`;
}

function zsh(nodes: readonly Node[]): string {
  const described = (pairs: readonly { readonly name: string; readonly about: string }[]): string =>
    pairs.map(({ name, about }) => `"${name}:${plain(about)}"`).join(" ");
  return `#compdef countersign
# countersign completion for zsh:  source <(countersign completion zsh)
_countersign() {
  local at="" word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${nodes
        .filter(({ words }) => words.length > 0)
        .map(({ words }) => `"${words.join(" ")}"`)
        .join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${nodes
  .flatMap(({ words, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    "${words.join(" ")} ${flag}") compadd -- ${choices.join(" ")}; return ;;`),
  )
  .join("\n")}
  esac
  case "$at" in
${nodes
  .map(
    ({ words, children, choices, options }) =>
      `    "${words.join(" ")}") found=(${described([
        ...children,
        ...choices.map((name) => ({ name, about: "" })),
        ...options.map(({ flag, about }) => ({ name: flag, about })),
      ])}) ;;`,
  )
  .join("\n")}
  esac
  _describe "countersign" found
  [[ $words[CURRENT] != -* ]] && _files
}
compdef _countersign countersign`;
}

function fish(nodes: readonly Node[]): string {
  const lines = [
    "# countersign completion for fish:  countersign completion fish | source",
    "complete -c countersign -f",
  ];
  for (const { words, children, options, choices } of nodes) {
    const here = condition(
      words,
      children.map(({ name }) => name),
    );
    for (const { name, about } of children)
      lines.push(`complete -c countersign -n '${here}' -a ${name} -d '${plain(about)}'`);
    if (choices.length > 0) lines.push(`complete -c countersign -n '${here}' -a '${choices.join(" ")}'`);
    else if (children.length === 0) lines.push(`complete -c countersign -n '${here}' -F`);
    for (const { flag, about, choices: values, takesValue } of options) {
      const value = values.length > 0 ? ` -x -a '${values.join(" ")}'` : takesValue ? " -r" : "";
      lines.push(`complete -c countersign -n '${here}' -l ${flag.replace(/^--/, "")}${value} -d '${plain(about)}'`);
    }
  }
  return lines.join("\n");
}

/** All words of the command were seen, and none of what could come next. */
const condition = (words: readonly string[], next: readonly string[]): string =>
  words.length === 0
    ? "__fish_use_subcommand"
    : [
        ...words.map((word) => `__fish_seen_subcommand_from ${word}`),
        ...(next.length === 0 ? [] : [`not __fish_seen_subcommand_from ${next.join(" ")}`]),
      ].join("; and ");
