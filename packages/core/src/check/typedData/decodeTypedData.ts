import type { JsonObject, JsonValue } from "../../json/value.ts";
import { safeTransaction } from "../calldata/batchCalls.ts";
import { decodeCallBy } from "../calldata/decodeCalldata.ts";
import { type Account, approvedAmount, type Move } from "../calldata/move.ts";
import type { Call, Sink } from "../calldata/rule.ts";
import { readTypedData, readUint, type StructFault, type TypedData } from "./struct.ts";

/** Same address on most chains. Others exist, and a signature for them is looked at by a person. */
export const PERMIT2: Account = "0x000000000022d473030f116ddee9f6b43ac78ba3";

export type TypedMoves =
  | {
      readonly ok: true;
      readonly moves: readonly Move[];
      readonly chainId: bigint | undefined;
      readonly verifyingContract: Account | undefined;
    }
  | { readonly ok: false; readonly fault: StructFault };

type Bare = Parameters<Sink["move"]>[0];
type Reader = (message: Message, data: Known) => readonly Bare[];

/** A message whose members have the types that its struct names. */
type Message = Readonly<Record<string, JsonValue>>;

interface Known extends TypedData {
  readonly verifyingContract: Account;
}

const address = (value: JsonValue | undefined): Account => (value as string).toLowerCase();
const uint = (value: JsonValue | undefined): bigint => readUint(value, 256) ?? 0n;
const object = (value: JsonValue | undefined): Message => value as JsonObject;
const list = (value: JsonValue | undefined): readonly JsonValue[] => value as readonly JsonValue[];

const authorisation: Reader = ({ from, to, value }, { verifyingContract: token }) => [
  { kind: "transfer", token, from: address(from), to: address(to), amount: uint(value) },
];

const allowance = (details: Message, spender: Account): Bare => ({
  kind: "approval",
  token: address(details["token"]),
  owner: "signer",
  spender,
  amount: approvedAmount(uint(details["amount"])),
  change: "sets",
  until: uint(details["expiration"]),
});

/** A signed transfer: the spender may take up to the amount, once, and send it anywhere. */
const permitted = (one: Message, spender: Account, deadline: bigint): Bare => ({
  kind: "approval",
  token: address(one["token"]),
  owner: "signer",
  spender,
  amount: approvedAmount(uint(one["amount"])),
  change: "sets",
  until: deadline,
});

const single: Reader = (message) => [
  permitted(object(message["permitted"]), address(message["spender"]), uint(message["deadline"])),
];
const batch: Reader = (message) =>
  list(message["permitted"]).map((one) =>
    permitted(object(one), address(message["spender"]), uint(message["deadline"])),
  );

const DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
const PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
const ARGS = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";

/** By the whole signature: a struct with a familiar name and other members is another struct. */
const STRUCTS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [`TransferWithAuthorization${ARGS}`, authorisation],
  [`ReceiveWithAuthorization${ARGS}`, authorisation],
  ["CancelAuthorization(address authorizer,bytes32 nonce)", () => []],
  [
    "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
    ({ owner, spender, value, deadline }, { verifyingContract: token }) => [
      {
        kind: "approval",
        token,
        owner: address(owner),
        spender: address(spender),
        amount: approvedAmount(uint(value)),
        change: "sets",
        until: uint(deadline),
      },
    ],
  ],
  [
    "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)",
    ({ holder, spender, expiry, allowed }, { verifyingContract: token }) => [
      {
        kind: "approval",
        token,
        owner: address(holder),
        spender: address(spender),
        amount: allowed === true ? "unlimited" : 0n,
        change: "sets",
        until: uint(expiry),
      },
    ],
  ],
  [
    "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)",
    safeTx,
  ],
]);

/** Structs of Permit2. They mean what they say only when Permit2 is the one that checks them. */
const PERMIT2_STRUCTS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    ({ details, spender }) => [allowance(object(details), address(spender))],
  ],
  [
    `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    ({ details, spender }) => list(details).map((one) => allowance(object(one), address(spender))),
  ],
  [
    `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    single,
  ],
  [
    `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    batch,
  ],
]);

/** With a witness: any further struct may stand at the end, and the two known ones must be what they are. */
const WITNESS = [
  [
    /^PermitWitnessTransferFrom\(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,[A-Za-z0-9_$]+ [A-Za-z0-9_$]+\)/,
    single,
  ],
  [
    /^PermitBatchWitnessTransferFrom\(TokenPermissions\[\] permitted,address spender,uint256 nonce,uint256 deadline,[A-Za-z0-9_$]+ [A-Za-z0-9_$]+\)/,
    batch,
  ],
] as const;

function permit2Reader({ signature }: TypedData): Reader | undefined {
  const known = PERMIT2_STRUCTS.get(signature);
  if (known !== undefined) return known;
  if (!signature.includes(PERMISSIONS)) return undefined;
  return WITNESS.find(([pattern]) => pattern.test(signature))?.[1];
}

/**
 * Everything that a signature over this typed data would let happen to assets. What is not understood is there as
 * `unknown`; data whose values do not fit its types is refused, since no two wallets would sign the same.
 */
export function decodeTypedData(data: JsonObject): TypedMoves {
  const read = readTypedData(data);
  if (typeof read === "string") return { ok: false, fault: read };
  const { chainId, verifyingContract } = read;
  const say = (moves: readonly Move[]): TypedMoves => ({ ok: true, moves, chainId, verifyingContract });
  const unknown: Move = { kind: "unknown", to: verifyingContract ?? null, selector: null, reason: "message", at: "" };
  if (verifyingContract === undefined) return say([unknown]);
  const known: Known = { ...read, verifyingContract };
  const permit = permit2Reader(read);
  if (permit !== undefined) {
    const moves = permit(read.message, known).map((move): Move => ({ ...move, at: "" }) as Move);
    return say(verifyingContract === PERMIT2 ? moves : [...moves, unknown]);
  }
  const reader = STRUCTS.get(read.signature);
  if (reader === undefined) return say([unknown]);
  return say(reader(read.message, known).map((move) => ("at" in move ? move : { ...move, at: "" }) as Move));
}

/** A Safe's own transaction: whatever the signed call does, the Safe does. */
function safeTx(message: Message, { verifyingContract: safe }: Known): readonly Bare[] {
  const moves: Bare[] = [];
  const call: Call = {
    to: address(message["to"]),
    value: uint(message["value"]),
    data: address(message["data"]),
    by: safe,
  };
  safeTransaction(call, uint(message["operation"]), {
    move: (move) => void moves.push(move),
    inner: (calls) => void moves.push(...calls.flatMap(decodeCallBy)),
    program: () => undefined,
  });
  const refunds = [message["refundReceiver"], message["gasToken"]].some((one) => BigInt(address(one)) !== 0n);
  // A price of gas is paid to whoever sends the transaction, in any amount.
  if (refunds || uint(message["gasPrice"]) !== 0n) {
    moves.push({ kind: "unknown", to: address(message["refundReceiver"]), selector: null, reason: "arguments" });
  }
  return moves;
}
