import { approvedAmount } from "./move.ts";
import { type CallRule, int, list, NOTHING, rule, text } from "./rule.ts";

const approve =
  (change: "sets" | "adds" | "lowers"): CallRule["handle"] =>
  ([spender, amount], { to: token, by: owner }, sink) =>
    sink.move({
      kind: "approval",
      token,
      owner,
      spender: text(spender),
      amount: change === "lowers" ? int(amount) : approvedAmount(int(amount)),
      change,
    });

const authorised: CallRule["handle"] = ([from, to, amount], { to: token }, sink) =>
  sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: int(amount) });

const nftTransfer: CallRule["handle"] = ([from, to, id], { to: token }, sink) =>
  sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: 1n, tokenId: int(id) });

/** Calls that tokens understand, by selector. */
export const TOKEN_CALLS: ReadonlyMap<string, CallRule> = new Map<string, CallRule>([
  // ERC-20. The same selectors serve ERC-721, where the last number is an id.
  [
    "a9059cbb",
    rule("transfer", "address,uint256", ([to, amount], { to: token, by }, sink) =>
      sink.move({ kind: "transfer", token, from: by, to: text(to), amount: int(amount) }),
    ),
  ],
  ["23b872dd", rule("transferFrom", "address,address,uint256", authorised)],
  ["095ea7b3", rule("approve", "address,uint256", approve("sets"))],
  ["39509351", rule("increaseAllowance", "address,uint256", approve("adds"))],
  ["a457c2d7", rule("decreaseAllowance", "address,uint256", approve("lowers"))],
  [
    "d505accf",
    rule(
      "permit",
      "address,address,uint256,uint256,uint8,bytes32,bytes32",
      ([owner, spender, amount, until], { to: token }, sink) =>
        sink.move({
          kind: "approval",
          token,
          owner: text(owner),
          spender: text(spender),
          amount: approvedAmount(int(amount)),
          change: "sets",
          until: int(until),
        }),
    ),
  ],
  [
    "8fcbaf0c",
    rule(
      "permit",
      "address,address,uint256,uint256,bool,uint8,bytes32,bytes32",
      ([owner, spender, , until, allowed], { to: token }, sink) =>
        sink.move({
          kind: "approval",
          token,
          owner: text(owner),
          spender: text(spender),
          amount: allowed === true ? "unlimited" : 0n,
          change: "sets",
          until: int(until),
        }),
    ),
  ],
  // EIP-3009
  [
    "e3ee160e",
    rule(
      "transferWithAuthorization",
      "address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32",
      authorised,
    ),
  ],
  ["cf092995", rule("transferWithAuthorization", "address,address,uint256,uint256,uint256,bytes32,bytes", authorised)],
  [
    "ef55bec6",
    rule(
      "receiveWithAuthorization",
      "address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32",
      authorised,
    ),
  ],
  ["88b7ab63", rule("receiveWithAuthorization", "address,address,uint256,uint256,uint256,bytes32,bytes", authorised)],
  ["5a049a70", rule("cancelAuthorization", "address,bytes32,uint8,bytes32,bytes32", NOTHING)],
  // ERC-721 and ERC-1155
  ["42842e0e", rule("safeTransferFrom", "address,address,uint256", nftTransfer)],
  ["b88d4fde", rule("safeTransferFrom", "address,address,uint256,bytes", nftTransfer)],
  [
    "f242432a",
    rule("safeTransferFrom", "address,address,uint256,uint256,bytes", ([from, to, id, amount], { to: token }, sink) =>
      sink.move({ kind: "transfer", token, from: text(from), to: text(to), amount: int(amount), tokenId: int(id) }),
    ),
  ],
  [
    "2eb2c2d6",
    rule(
      "safeBatchTransferFrom",
      "address,address,uint256[],uint256[],bytes",
      ([from, to, ids, amounts], call, sink) => {
        if (list(ids).length !== list(amounts).length)
          return sink.move({ kind: "unknown", to: call.to, selector: null, reason: "arguments" });
        for (const [index, id] of list(ids).entries()) {
          sink.move({
            kind: "transfer",
            token: call.to,
            from: text(from),
            to: text(to),
            amount: int(list(amounts)[index]),
            tokenId: int(id),
          });
        }
      },
    ),
  ],
  [
    "a22cb465",
    rule("setApprovalForAll", "address,bool", ([operator, approved], { to: collection, by: owner }, sink) =>
      sink.move({ kind: "operator", collection, owner, operator: text(operator), approved: approved === true }),
    ),
  ],
  [
    "959b8c3f",
    rule("authorizeOperator", "address", ([operator], { to: collection, by: owner }, sink) =>
      sink.move({ kind: "operator", collection, owner, operator: text(operator), approved: true }),
    ),
  ],
  // Wrapped native currency: what moves is the value of the call, and it stays the caller's.
  ["d0e30db0", rule("deposit", "", NOTHING)],
  ["2e1a7d4d", rule("withdraw", "uint256", NOTHING)],
]);
