import { CommandError, STATUS, UNREAD } from "../exit.ts";
import { stdin } from "../input.ts";
import { type LineCommand, type LinesEnd, transformLines } from "../jsonl.ts";
import { stdout } from "../output.ts";

export interface LineOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

const ENDS = { answered: STATUS.allow, refused: STATUS.error, unread: UNREAD } as const satisfies Record<
  LinesEnd,
  number
>;

/** Runs a check over the lines of stdin. Status 0 when every line was answered, else 3; 141 when nobody read them to the end. */
export async function answerLines(argument: string | undefined, command: LineCommand): Promise<void> {
  if (argument !== undefined && argument !== "-")
    throw new CommandError("usage", "with --jsonl lines are read from stdin, and no argument is taken");
  process.exitCode = ENDS[await transformLines(stdin(), stdout(), command)];
}
