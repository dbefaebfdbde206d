import { type Problem, problemOf } from "@countersign/api";
import { type ExactJson, err, ok, type Result } from "@countersign/core";
import type { Authenticator } from "../auth/authenticator.ts";
import { type Caller, LOCAL } from "../caller.ts";
import { type Payment, readPaymentHeader } from "../payment/payload.ts";
import type { Purchase, Sellable } from "../payment/till.ts";
import { ask, type Dialect, type SoldForm } from "./dialect.ts";

/** Somebody without a credential, where paying is enough. */
const STRANGER: Caller = { ...LOCAL, credential: "x402", holder: { kind: "agent", agent: "x402" } };

/** Where everything is paid for, no credential is needed; one that is sent has to be good all the same. */
export const orStranger =
  (authenticator: Authenticator): Authenticator =>
  async (authorization, address) => {
    const known = await authenticator(authorization, address);
    return known.ok || authorization !== undefined ? known : ok(STRANGER);
  };

/** What may have a price: tools whose input can be refused before it is paid for. */
export const sellable = (dialects: readonly Dialect[]): readonly Sellable[] =>
  dialects
    .filter(({ refusal }) => refusal !== undefined)
    .flatMap(({ tools }) => tools)
    .filter(({ http }) => http.method === "POST" && !http.path.includes("{"))
    .map(({ name, title, http }) => ({ name, description: title, path: http.path }));

/** A call of a tool that has a price, as the till takes it. */
export function purchaseOf(
  dialect: Dialect,
  tool: string,
  input: ExactJson,
  caller: Caller,
  way: Purchase["way"],
  payment: Result<Payment, Problem> | null,
): Purchase {
  const who = payment?.ok === true ? buyer(caller, payment.value) : caller;
  return {
    tool,
    way,
    input,
    payment,
    refusal: () => dialect.refusal?.(tool, input, who) ?? null,
    run: () => (dialect.sold === undefined ? ask(dialect, tool, input, who) : asked(dialect.sold, tool, input, who)),
  };
}

async function asked(sold: SoldForm, tool: string, input: ExactJson, caller: Caller) {
  try {
    return await sold.answer(tool, input, caller);
  } catch {
    return err(problemOf("internal"));
  }
}

/**
 * The payment of a call: beside the arguments, where the protocol has it, or among them, where the tool does. Said twice,
 * it is neither.
 */
export async function paymentOf(
  beside: (() => Promise<Result<Payment, Problem>>) | null,
  proof: string | null,
): Promise<Result<Payment, Problem> | null> {
  if (proof === null) return beside === null ? null : beside();
  if (beside === null) return readPaymentHeader(proof);
  return err(problemOf({ code: "payment.malformed", message: "the call holds two payments" }));
}

/** A stranger who has paid is known by the wallet. Two of them never share what is kept for a caller. */
function buyer(caller: Caller, { authorization }: Payment): Caller {
  if (caller !== STRANGER) return caller;
  const wallet = `x402:${authorization.from}`;
  return { ...STRANGER, credential: wallet, holder: { kind: "agent", agent: wallet } };
}
