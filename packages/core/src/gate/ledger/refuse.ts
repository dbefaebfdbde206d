import { err } from "../../result.ts";
import type { PlainRefusal, Refusal } from "./refusal.ts";
import type { StopRow } from "./rows.ts";

export const refuse = (code: PlainRefusal, message: string) => err<Refusal>({ code, message });

export const refuseStopped = (stop: StopRow) =>
  err<Refusal>({
    code: "stopped",
    message: "a stop is in force here",
    stop: stop.id,
    scope: stop.scope,
  });
