import { mandate } from "@countersign/api";
import {
  draftAdvice,
  type ExactJson,
  instantFromMillis,
  type Ledger,
  type MandateStatement,
  newId,
  type Sha256,
  type Signer,
} from "@countersign/core";
import { adviceFor, type Caller } from "../caller.ts";
import type { Dialect } from "./dialect.ts";

export interface MandateFace {
  readonly ledger: Ledger;
  readonly signer: () => Signer;
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly sha256: Sha256;
}

/** Mandates that come with the request. What is signed is recorded first, as commitments to its digests. */
export const mandateDialect = (face: MandateFace): Dialect => ({
  name: "mandate",
  tools: mandate.tools,
  numbers: "exact",
  answer: (tool, input, caller) =>
    mandate.call(tool, input as ExactJson, {
      now: instantFromMillis(face.clock()),
      signer: face.signer(),
      record: (statement) => record(face, caller, statement),
    }),
});

async function record(
  { ledger, clock, random, sha256 }: MandateFace,
  caller: Caller,
  statement: MandateStatement,
): Promise<void> {
  const committed = await ledger.commit(
    caller.tenant,
    draftAdvice(
      {
        dialect: "mandate",
        id: newId("adv", clock(), random),
        agent: adviceFor(caller),
        outcome: statement.outcome,
        digests: { action: statement.actionDigest, mandate: statement.mandateDigest },
      },
      { random, sha256 },
    ),
  );
  if (!committed.ok) throw new Error(committed.error.code);
}
