import { problemOf, problemOfFault, reportTradeOutcome } from "@countersign/api";
import {
  canonicalize,
  compareDecimals,
  type Decimal,
  err,
  formatDecimal,
  type LogRecord,
  lossOf,
  ok,
  parseRecord,
  parseSignedDecimal,
  type TradeFacts,
  zero,
} from "@countersign/core";
import { actsFor, type Caller } from "../../caller.ts";
import { handler, service } from "../service.ts";
import { fundersOf, lossSubjects } from "./cluster.ts";
import { type TradeFace, trailOf } from "./ports.ts";

const DAY = 86_400_000;
/** What one reading of a chain gives at most. With more outcomes than that in a day, the loss is not known. */
const MOST = 1_000;
/** How long a second report about a verdict is answered as the first: well beyond the time that it counts. */
const REPORTED = 30 * DAY;

const lossChain = (subject: string): string => `trade-loss/${subject}`;

/** Dollars that one of the subjects lost within 24 hours: the one that lost most. */
export async function realisedLoss(
  { store, clock }: TradeFace,
  tenant: string,
  subjects: readonly string[],
): Promise<TradeFacts["realisedLoss"]> {
  const since = clock() - DAY;
  let worst = zero;
  for (const entries of await Promise.all(subjects.map((one) => store.chain(tenant, lossChain(one), MOST)))) {
    if (!entries.ok) return { known: false, reason: "the log could not be read" };
    const recent = entries.value.filter(({ at }) => at > since);
    if (recent.length === MOST) return { known: false, reason: "there are too many outcomes to count" };
    const realised: Decimal[] = [];
    for (const { record } of recent) {
      const read = parseRecord(record);
      const amount = read.ok ? parseSignedDecimal(read.value.body["realised_usd"]) : read;
      if (!amount.ok) return { known: false, reason: "an outcome cannot be read" };
      realised.push(amount.value);
    }
    const loss = lossOf(realised);
    if (compareDecimals(loss, worst) > 0) worst = loss;
  }
  return { known: true, value: worst };
}

/** What trades realised, as it is reported. */
export const tradeOutcomes = (face: TradeFace) =>
  service("trade-outcomes", [
    handler(reportTradeOutcome, async ({ wallet: written, audit_seq: seq, realised_usd: text }, caller) => {
      const wallet = written.toLowerCase();
      const amount = parseSignedDecimal(text);
      if (!amount.ok)
        return err(problemOf({ code: "request.invalid", path: "/realised_usd", message: amount.error.message }));
      const verdict = await verdictAt(face, caller, wallet, seq);
      if (!verdict.ok) return verdict;
      const counted = formatDecimal(countedOf(caller, amount.value));
      const { ref, agent } = verdict.value;
      // A funder that could not be told when the verdict was made may be known by now.
      const funders = await fundersOf(face, wallet);
      // Each subject has a chain of its own; whoever is interrupted between them reports again.
      for (const subject of lossSubjects(face.rules, wallet, agent ?? "", funders)) {
        const noted = await face.store.commit(caller.tenant, {
          kind: "note",
          type: "trade.outcome",
          ref,
          agent,
          record: canonicalize({ dialect: "trade", realised_usd: counted, reported_by: caller.holder.kind }),
          chain: lossChain(subject),
          idempotency: {
            key: `trade-outcome/${wallet}/${seq}/${subject}`,
            digest: `sha256:${face.hexSha256(counted)}`,
            answer: counted,
            keepFor: REPORTED,
          },
        });
        if (!noted.ok) return err(problemOfFault(noted.error));
      }
      return ok({ wallet, audit_seq: seq, counted_usd: counted });
    }),
  ]);

/** No agent widens its own limit: what it says it gained is nothing. */
const countedOf = ({ holder }: Caller, amount: Decimal): Decimal =>
  holder.kind === "agent" && compareDecimals(amount, zero) > 0 ? zero : amount;

async function verdictAt({ store }: TradeFace, caller: Caller, wallet: string, seq: number) {
  const entry = await store.link(caller.tenant, trailOf(wallet), seq);
  if (!entry.ok) return err(problemOfFault(entry.error));
  const read = entry.value === null ? null : parseRecord(entry.value.record);
  // What this credential may not speak of answers as what does not exist.
  return read?.ok === true && read.value.chain?.seq === seq && maySpeakOf(caller, read.value)
    ? ok(read.value)
    : err(problemOf("decision.unknown"));
}

const maySpeakOf = (caller: Caller, { agent }: LogRecord): boolean =>
  caller.holder.kind === "person" || (agent !== null && actsFor(caller, agent));
