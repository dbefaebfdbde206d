import { liftStop, listStops, putStop } from "@countersign/api";
import type { JsonObject } from "@countersign/core";
import { paint, print, printJson } from "../output.ts";
import { printable } from "../printable.ts";
import { type RemoteOptions, remote } from "../remote.ts";

interface Options extends RemoteOptions {
  readonly json?: boolean;
}

/** From the moment this is answered, nothing in the scope is allowed or redeemed. */
export async function put(
  scope: string,
  options: Options & { readonly reason: string; readonly until?: string },
): Promise<void> {
  const gate = await remote(options, "reviewer");
  const { reason, until } = options;
  const stop = await gate.call(putStop, { scope, reason, ...(until === undefined ? {} : { until }) });
  if (options.json === true) return printJson(stop);
  print(`${text(stop, "id")}  ${text(stop, "scope")} is stopped`);
}

export async function lift(id: string, options: Options & { readonly reason: string }): Promise<void> {
  const gate = await remote(options, "reviewer");
  const lifted = await gate.call(liftStop, { id, reason: options.reason });
  if (options.json === true) return printJson(lifted);
  print(`${text(lifted, "id")}  lifted`);
}

export async function list(options: Options): Promise<void> {
  const gate = await remote(options, "reviewer");
  const { items } = await gate.call(listStops, {});
  const stops = items as JsonObject[];
  if (options.json === true) return printJson({ stops });
  if (stops.length === 0) return print(paint("nothing is stopped", "dim"));
  for (const stop of stops) {
    const until = stop["until"] === null ? "until it is lifted" : `until ${text(stop, "until")}`;
    print(`${text(stop, "id")}  ${text(stop, "scope")}  ${text(stop, "reason")}  ${paint(until, "dim")}`);
  }
}

const text = (object: JsonObject, member: string): string => printable(String(object[member]));
