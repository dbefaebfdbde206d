import { reportOutcome } from "@countersign/api";
import { paint, print, printJson } from "../output.ts";
import { printable } from "../printable.ts";
import { type RemoteOptions, remote } from "../remote.ts";

export interface OutcomeOptions extends RemoteOptions {
  readonly json?: boolean;
  readonly unlike?: boolean;
  readonly sent?: string;
  readonly received?: string;
  readonly action?: string;
}

/** Closes a decision with what really happened. */
export async function outcome(
  id: string,
  result: "executed" | "failed" | "unknown",
  options: OutcomeOptions,
): Promise<void> {
  const gate = await remote(options, "reviewer");
  const told = await gate.call(reportOutcome, {
    id,
    result,
    as_approved: options.unlike !== true,
    ...(options.sent === undefined ? {} : { sent: options.sent }),
    ...(options.received === undefined ? {} : { received: options.received }),
    ...(options.action === undefined ? {} : { action_digest: options.action }),
    idempotency_key: globalThis.crypto.randomUUID(),
  });
  if (options.json === true) return printJson(told);
  print(`${printable(id)}  ${result}  money ${printable(String(told["money"]))}`);
  if (told["breaker"] !== null)
    print(paint(`the agent is stopped until somebody lifts ${printable(String(told["breaker"]))}`, "block"));
}
