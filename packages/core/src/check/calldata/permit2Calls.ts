import type { AbiValue } from "./abi.ts";
import { type Actor, approvedAmount } from "./move.ts";
import { type CallRule, int, list, NOTHING, rule, type Sink, text } from "./rule.ts";

/** Permit2 details: (token, amount, expiration, nonce). */
const permitDetails = (details: AbiValue | undefined, owner: Actor, spender: string, sink: Sink): undefined => {
  const [token, amount, expiration] = list(details);
  sink.move({
    kind: "approval",
    token: text(token),
    owner,
    spender,
    amount: approvedAmount(int(amount)),
    change: "sets",
    until: int(expiration),
  });
};

export const permitSingle = (permit: AbiValue | undefined, owner: Actor, sink: Sink): undefined => {
  const [details, spender] = list(permit);
  permitDetails(details, owner, text(spender), sink);
};
export const permitBatch = (permit: AbiValue | undefined, owner: Actor, sink: Sink): undefined => {
  const [all, spender] = list(permit);
  for (const details of list(all)) permitDetails(details, owner, text(spender), sink);
};

const moved = (detail: AbiValue, sink: Sink): undefined => {
  const [from, to, amount, token] = list(detail);
  sink.move({ kind: "transfer", token: text(token), from: text(from), to: text(to), amount: int(amount) });
};
export const movedBatch = (details: AbiValue | undefined, sink: Sink): undefined => {
  for (const detail of list(details)) moved(detail, sink);
};

/** Signed transfers: what was permitted, and where the caller sends it. */
const signedTransfer: CallRule["handle"] = ([permit, details, owner], _, sink) => {
  const [permitted] = list(permit);
  const [token] = list(permitted);
  const [to, amount] = list(details);
  sink.move({ kind: "transfer", token: text(token), from: text(owner), to: text(to), amount: int(amount) });
};
const signedBatch: CallRule["handle"] = ([permit, details, owner], call, sink) => {
  const [permitted] = list(permit);
  const wanted = list(details);
  if (list(permitted).length !== wanted.length) {
    return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
  }
  for (const [index, one] of list(permitted).entries()) {
    const [token] = list(one);
    const [to, amount] = list(wanted[index]);
    sink.move({ kind: "transfer", token: text(token), from: text(owner), to: text(to), amount: int(amount) });
  }
};

const PERMIT_SINGLE = "((address,uint160,uint48,uint48),address,uint256)";
const PERMIT_BATCH = "((address,uint160,uint48,uint48)[],address,uint256)";
const PERMIT_TRANSFER = "((address,uint256),uint256,uint256)";
const PERMIT_TRANSFERS = "((address,uint256)[],uint256,uint256)";
export const PERMIT2_TYPES = { single: PERMIT_SINGLE, batch: PERMIT_BATCH } as const;

/** Calls that Permit2 understands, by selector. */
export const PERMIT2_CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  // Permit2
  [
    "87517c45",
    rule("approve", "address,address,uint160,uint48", ([token, spender, amount, until], { by: owner }, sink) =>
      sink.move({
        kind: "approval",
        token: text(token),
        owner,
        spender: text(spender),
        amount: approvedAmount(int(amount)),
        change: "sets",
        until: int(until),
      }),
    ),
  ],
  [
    "2b67b570",
    rule("permit", `address,${PERMIT_SINGLE},bytes`, ([owner, permit], _, sink) =>
      permitSingle(permit, text(owner), sink),
    ),
  ],
  [
    "2a2d80d1",
    rule("permit", `address,${PERMIT_BATCH},bytes`, ([owner, permit], _, sink) =>
      permitBatch(permit, text(owner), sink),
    ),
  ],
  ["36c78516", rule("transferFrom", "address,address,uint160,address", (args, _, sink) => moved(args, sink))],
  [
    "0d58b1db",
    rule("transferFrom", "(address,address,uint160,address)[]", ([details], _, sink) => movedBatch(details, sink)),
  ],
  ["30f28b7a", rule("permitTransferFrom", `${PERMIT_TRANSFER},(address,uint256),address,bytes`, signedTransfer)],
  ["edd9444b", rule("permitTransferFrom", `${PERMIT_TRANSFERS},(address,uint256)[],address,bytes`, signedBatch)],
  [
    "137c29fe",
    rule(
      "permitWitnessTransferFrom",
      `${PERMIT_TRANSFER},(address,uint256),address,bytes32,string,bytes`,
      signedTransfer,
    ),
  ],
  [
    "fe8ec1a7",
    rule(
      "permitWitnessTransferFrom",
      `${PERMIT_TRANSFERS},(address,uint256)[],address,bytes32,string,bytes`,
      signedBatch,
    ),
  ],
  ["cc53287f", rule("lockdown", "(address,address)[]", NOTHING)],
]);
