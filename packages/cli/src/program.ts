import { STATUS } from "./exit.ts";
import { run, tell } from "./main.ts";

const argv = process.argv.slice(2);
process.on("uncaughtException", (cause) => {
  void tell(cause, argv).finally(() => process.exit(STATUS.error));
});
run(argv).then((status) => {
  process.exitCode = status;
});
