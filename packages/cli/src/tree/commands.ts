import type { Command } from "commander";

/** How each command is told of, by its name. */
export type Commands = Readonly<Record<string, (root: Command) => void>>;
