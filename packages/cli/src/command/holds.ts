import { approveHold, getHold, listHolds, rejectHold, revokeGrant } from "@countersign/api";
import { isObject, type JsonObject, type JsonValue } from "@countersign/core";
import { CommandError } from "../exit.ts";
import { paint, print, printJson } from "../output.ts";
import { printable } from "../printable.ts";
import { type RemoteOptions, remote } from "../remote.ts";

interface Options extends RemoteOptions {
  readonly json?: boolean;
}

type State = "open" | "approved" | "rejected" | "expired" | "released" | "any";

/** What waits, the riskiest first. */
export async function list(
  options: Options & { readonly state: State; readonly order: "risk" | "age"; readonly agent?: string },
): Promise<void> {
  const { state, order, agent } = options;
  const gate = await remote(options, "reviewer");
  const holds: JsonObject[] = [];
  for (let after: string | undefined; ; ) {
    const page = await gate.call(listHolds, { state, order, agent, after, limit: 200 });
    holds.push(...(page["items"] as JsonObject[]));
    if (typeof page["next"] !== "string") break;
    after = page["next"];
  }
  if (options.json === true) return printJson({ holds });
  if (holds.length === 0) return print(paint("nothing waits", "dim"));
  for (const hold of holds) {
    const codes = (hold["codes"] as string[]).map(printable).join(" ");
    const waits = state === "open" ? `until ${text(hold, "expires_at")}` : text(hold, "state");
    print(
      `${text(hold, "id")}  risk ${String(hold["risk"]).padStart(3)}  ${text(hold, "agent")}  ${codes}  ${paint(waits, "dim")}`,
    );
  }
}

/** Exactly what will run, and why it waits. */
export async function show(id: string, options: Options): Promise<void> {
  const gate = await remote(options, "reviewer");
  const hold = await gate.call(getHold, { id });
  if (options.json === true) return printJson(hold);
  const { shown, withheld, findings, frozen_by: stop, version } = hold;
  print(
    `${paint(text(hold, "id"), "bold")}  ${text(hold, "state")}`,
    `agent     ${text(hold, "agent")}`,
    `risk      ${hold["risk"]}`,
    `opened    ${text(hold, "opened_at")}`,
    `expires   ${text(hold, "expires_at")}`,
    ...((hold["recipients"] as string[]).length === 0
      ? []
      : [`told      ${(hold["recipients"] as string[]).map(printable).join("  ")}`]),
    `approvals ${(hold["approvals"] as JsonValue[]).length} of ${hold["approvers"]}`,
    ...(stop === null ? [] : [`stopped   ${printable(String(stop))}`]),
    "why",
    ...(findings as JsonObject[]).map((one) => `  ${text(one, "severity").padEnd(9)}${text(one, "code")}`),
    withheld === "redacted" ? "what was asked, redacted" : "what will run",
    ...(isObject(shown ?? null) ? lines(shown as JsonObject, "  ") : [`  not shown: ${printable(String(withheld))}`]),
  );
  if (hold["token"] !== null)
    print(
      "",
      `  countersign holds approve ${text(hold, "id")} --seen ${version} --reason "…"`,
      `  countersign holds reject ${text(hold, "id")} --seen ${version} --reason "…"`,
    );
}

export const approve = (id: string, options: AnswerOptions): Promise<void> => answer("approve", id, options);
export const reject = (id: string, options: AnswerOptions): Promise<void> => answer("reject", id, options);

interface AnswerOptions extends Options {
  readonly reason: string;
  readonly seen: string;
}

/** `--seen` is the version that `show` showed: an answer to anything else is refused. */
async function answer(how: "approve" | "reject", id: string, options: AnswerOptions): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(options.seen))
    throw new CommandError("usage", "this is not a version", {
      at: "--seen",
      expected: "the number that holds show gives",
    });
  const gate = await remote(options, "reviewer");
  const { token, state } = await gate.call(getHold, { id });
  if (typeof token !== "string")
    throw new CommandError(
      state === "open" ? "actor.not_allowed" : "hold.closed",
      state === "open" ? "this credential does not review" : `the hold is ${printable(String(state))}`,
      { at: id },
    );
  const operation = how === "approve" ? approveHold : rejectHold;
  const done = await gate.call(operation, { id, version: Number(options.seen), token, reason: options.reason });
  if (options.json === true) return printJson(done);
  const more = done["state"] === "open" ? "; another person has to approve too" : "";
  const grant = done["grant"] === null ? "" : `  ${paint(text(done, "grant"), "dim")}`;
  print(`${text(done, "id")}  ${how === "approve" ? "approved" : "rejected"}${more}${grant}`);
}

/** Takes an approval back, until what it allowed has been redeemed. */
export async function revoke(grant: string, options: Options & { readonly reason: string }): Promise<void> {
  const gate = await remote(options, "reviewer");
  const revoked = await gate.call(revokeGrant, { id: grant, reason: options.reason });
  if (options.json === true) return printJson(revoked);
  print(`${text(revoked, "id")}  revoked`);
}

const text = (object: JsonObject, member: string): string => printable(String(object[member]));

/** JSON as indented lines in which nothing of its author acts. */
function lines(value: JsonValue, indent: string): string[] {
  return JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => indent + printable(line));
}
