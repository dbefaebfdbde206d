import { CommandError, STATUS } from "../exit.ts";
import { stdin } from "../input.ts";
import { type LineCommand, transformLines } from "../jsonl.ts";
import { stdout } from "../output.ts";

export interface LineOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** Runs a check over the lines of stdin. Status 0 when every line was answered, else 3. */
export async function answerLines(argument: string | undefined, command: LineCommand): Promise<void> {
  if (argument !== undefined && argument !== "-")
    throw new CommandError("usage", "with --jsonl lines are read from stdin, and no argument is taken");
  process.exitCode = (await transformLines(stdin(), stdout(), command)) ? 0 : STATUS.error;
}
