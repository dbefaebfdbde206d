import {
  type Action,
  composedView,
  everDecides,
  isObject,
  type JsonObject,
  KINDS,
  type Kind,
  type PartialAction,
  parseMoney,
  type UndecidedReason,
  type Verdict,
} from "@countersign/core";
import { CommandError, refuse, STATUS } from "../../exit.ts";
import { nameOf, readJson } from "../../input.ts";
import { timeOf } from "../../now.ts";
import { paint, print, printJson } from "../../output.ts";
import { partsOf, policyOf, readStack } from "../../policyStack.ts";
import { printable } from "../../printable.ts";
import { actionJson, actionText } from "../../regionText.ts";
import { whyText } from "./diff.ts";

export interface ShowOptions {
  readonly ever?: Verdict;
  readonly action?: string;
  readonly now?: string;
  readonly json?: true;
}

/** What is in force where these documents are, or whether it ever gives a verdict. */
export async function show(policy: string, options: ShowOptions): Promise<void> {
  if (options.ever !== undefined) return ever(policy, options.ever, options);
  if (options.action !== undefined) throw new CommandError("usage", "--action says what --ever is asked of");
  const documents = await readStack(policy);
  const parts = partsOf(documents);
  const effective = policyOf(documents);
  const view = composedView(parts, effective);
  if (options.json === true) {
    printJson({ digest: effective.digest, ...view });
    return;
  }
  const { stringify } = await import("yaml");
  const from = parts.map(({ scope, digest }) => `# ${scope}  ${digest}`);
  print(
    ...from.map(printable),
    `# in force: ${effective.digest}`,
    stringify(view.policy, { lineWidth: 120 }).trimEnd(),
  );
}

async function ever(policy: string, wanted: Verdict, options: ShowOptions): Promise<void> {
  const partial = options.action === undefined ? {} : await readPartial(options.action);
  const answer = everDecides(policyOf(await readStack(policy)), wanted, partial, timeOf(options.now));
  if (!answer.ok) return refuse({ ...answer.error, path: "/target" }, nameOf(options.action));
  const { value } = answer;
  process.exitCode = { yes: STATUS.allow, no: STATUS.block, undecided: STATUS.review }[value.outcome];
  if (options.json === true) {
    printJson(value.outcome === "yes" ? { ...value, witness: actionJson(value.witness as Action) } : value);
    return;
  }
  if (value.outcome === "yes")
    print(`${paint("yes", "bold")}  ${printable(actionText(value.witness))}`, `  ${printable(whyText(value.decided))}`);
  if (value.outcome === "no") print(`${paint("no", "bold")}  no such action is given ${wanted} by the mandates`);
  if (value.outcome === "undecided") print(`${paint("undecided", "bold")}  ${WHY[value.reason]}`);
}

const WHY = {
  regions: "the policy splits actions into more regions than are looked at",
  work: "this takes more work than is spent on it",
  targets: "of some prefixes could not be told whether any target begins so",
  dialect: "only native mandates are analysed",
} as const satisfies Record<UndecidedReason, string>;

/** `{kind?, verb?, target? or target_prefix?, counterparty?, amount?}`; null says that none is given. */
async function readPartial(file: string): Promise<PartialAction> {
  const body = await readJson(file, "plain");
  const wrong = (path: string, expected: string): never =>
    refuse({ code: "action.malformed", message: "this is no part of an action", path, expected }, nameOf(file));
  if (!isObject(body)) return wrong("", "an object");
  const unknown = Object.keys(body).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) return wrong(`/${unknown}`, MEMBERS.join(", "));
  const text = (name: string): string | undefined => {
    const value = body[name];
    return value === undefined || typeof value === "string" ? value : wrong(`/${name}`, "text");
  };
  const [kind, verb, target, targetPrefix] = [text("kind"), text("verb"), text("target"), text("target_prefix")];
  if (kind !== undefined && !KINDS.includes(kind as Kind)) return wrong("/kind", KINDS.join(", "));
  if (target !== undefined && targetPrefix !== undefined) return wrong("/target_prefix", "a target or a prefix of it");
  const counterparty = body["counterparty"] === null ? null : text("counterparty");
  const amount = readAmount(body["amount"], wrong);
  return {
    ...(kind === undefined ? {} : { kind: kind as Kind }),
    ...(verb === undefined ? {} : { verb }),
    ...(target === undefined ? {} : { target }),
    ...(targetPrefix === undefined ? {} : { targetPrefix }),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(amount === undefined ? {} : { amount }),
  };
}

const MEMBERS = ["kind", "verb", "target", "target_prefix", "counterparty", "amount"];

function readAmount(
  value: JsonObject[string] | undefined,
  wrong: (path: string, expected: string) => never,
): PartialAction["amount"] {
  if (value === undefined || value === null) return value;
  const money = isObject(value) ? parseMoney(value["value"], value["currency"]) : undefined;
  return money?.ok ? money.value : wrong("/amount", 'an amount such as {"value": "12.50", "currency": "USD"}, or null');
}
