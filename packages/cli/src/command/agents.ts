import { listAgents, putAgent } from "@countersign/api";
import type { JsonObject } from "@countersign/core";
import { paint, print, printJson } from "../output.ts";
import { printable } from "../printable.ts";
import { type RemoteOptions, remote } from "../remote.ts";

interface Options extends RemoteOptions {
  readonly json?: boolean;
}

export async function list(options: Options): Promise<void> {
  const gate = await remote(options, "admin");
  const agents: JsonObject[] = [];
  for (let after: string | undefined; ; ) {
    const page = await gate.call(listAgents, { limit: 200, ...(after === undefined ? {} : { after }) });
    agents.push(...(page["items"] as JsonObject[]));
    if (typeof page["next"] !== "string") break;
    after = page["next"];
  }
  if (options.json === true) return printJson({ agents });
  if (agents.length === 0) return print(paint("no agent is written down", "dim"));
  for (const agent of agents) print(lineOf(agent));
}

/** Adds an agent to the directory, or changes it. */
export async function put(
  id: string,
  options: Options & {
    readonly team?: readonly string[];
    readonly display?: string;
    readonly disabled?: boolean;
    readonly reason?: string;
  },
): Promise<void> {
  const gate = await remote(options, "admin");
  const { team = [], display, disabled = false, reason } = options;
  const agent = await gate.call(putAgent, {
    id,
    teams: [...team],
    disabled,
    ...(display === undefined ? {} : { display }),
    ...(reason === undefined ? {} : { reason }),
  });
  if (options.json === true) return printJson(agent);
  print(lineOf(agent));
}

function lineOf({ id, teams, disabled }: JsonObject): string {
  const of = (teams as string[]).map(printable).join(", ");
  const state = disabled === true ? paint("disabled", "block") : "active";
  return `${printable(String(id))}  ${state}  ${paint(of === "" ? "in no team" : `in ${of}`, "dim")}`;
}
