import { STATUS } from "./exit.ts";
import { lineOf, run } from "./main.ts";

process.on("uncaughtException", (cause) => {
  process.stderr.write(`${lineOf(cause)}\n`);
  process.exit(STATUS.error);
});
run(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
