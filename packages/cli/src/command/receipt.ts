import { type Expected, type KeySet, readJwks, verifyReceipt } from "@countersign/api";
import { actionDigest, millisOf, parseDigest } from "@countersign/core";
import { askOf } from "../ask.ts";
import { CommandError, refuse, STATUS } from "../exit.ts";
import { nameOf, readInput, readJson } from "../input.ts";
import { timeOf } from "../now.ts";
import { printJson } from "../output.ts";
import { printVerdict } from "../reasons.ts";

export interface ReceiptOptions {
  readonly jwks: string;
  readonly issuer: string;
  readonly audience: string;
  readonly tenant: string;
  readonly subject: string;
  readonly action: string;
  readonly verdict: Expected["verdict"];
  readonly clockSkew: string;
  readonly now?: string;
  readonly json?: boolean;
}

/** Verifies a receipt. That it was not used before is for an executor to remember, and is not looked at here. */
export async function verify(file: string, options: ReceiptOptions): Promise<void> {
  const receipt = (await readInput(file)).toString("utf8").trim();
  const verified = await verifyReceipt(receipt, {
    keys: await keysOf(options.jwks),
    issuer: options.issuer,
    audience: options.audience,
    tenant: options.tenant,
    subject: options.subject,
    actionDigest: await digestOf(options),
    verdict: options.verdict,
    now: millisOf(timeOf(options.now)) / 1000,
    clockSkew: Number(options.clockSkew),
    replay: "accepted",
  });
  if (!verified.ok && UNUSABLE.has(verified.error.code)) return refuse(verified.error, nameOf(file));
  process.exitCode = verified.ok ? STATUS.allow : STATUS.block;
  if (options.json === true)
    return printJson(verified.ok ? { valid: true, claims: verified.value } : { valid: false, error: verified.error });
  if (!verified.ok)
    return printVerdict("block", "not a valid receipt", [{ ...verified.error, at: verified.error.path }]);
  const { jti, verdict, exp } = verified.value;
  const until = new Date(exp * 1000).toISOString();
  printVerdict("allow", `a valid receipt of ${jti}: ${verdict}, until ${until}`, []);
}

/** Nothing was found out about the receipt. */
const UNUSABLE: ReadonlySet<string> = new Set([
  "receipt.keys_malformed",
  "receipt.expectation_malformed",
  "receipt.verification_unavailable",
]);

async function keysOf(file: string): Promise<KeySet> {
  const keys = readJwks(await readJson(file, "plain"));
  return keys.ok ? keys.value : refuse(keys.error, nameOf(file));
}

/** A digest as it is written, or that of the ask in a file, asked by the subject of the tenant. */
async function digestOf({ action, tenant, subject }: ReceiptOptions): Promise<string> {
  const written = parseDigest(action);
  if (written !== undefined) return written;
  const ask = askOf(await readJson(action, "plain"), nameOf(action));
  const computed = actionDigest({ ...ask, asker: { tenant, agent: subject, teams: [] } });
  if (computed !== null) return computed;
  throw new CommandError("receipt.no_action", "the ask has no action that a receipt could bind to", {
    at: nameOf(action),
  });
}
