import { decodeTypedData, type JsonObject, PERMIT2 } from "@countersign/core";
import fc from "fast-check";
import { hashTypedData } from "viem";
import { expect, test } from "vitest";

const TOKEN = "0x1111111111111111111111111111111111111111";
const A = "0x2222222222222222222222222222222222222222";
const B = "0x3333333333333333333333333333333333333333";
const domain = { name: "Token", version: "1", chainId: 8453, verifyingContract: TOKEN };
const permit2 = { name: "Permit2", chainId: 8453, verifyingContract: PERMIT2 };
const member = (text: string) => {
  const [type = "", name = ""] = text.split(" ");
  return { name, type };
};
const struct = (text: string) => text.split(",").map(member);

const AUTHORIZATION = struct(
  "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
);
const DETAILS = struct("address token,uint160 amount,uint48 expiration,uint48 nonce");
const PERMISSIONS = struct("address token,uint256 amount");
const NONCE = `0x${"ab".repeat(32)}`;

const authorization = (message: JsonObject): JsonObject => ({
  domain,
  types: { TransferWithAuthorization: AUTHORIZATION },
  primaryType: "TransferWithAuthorization",
  message,
});
const pay = { from: A, to: B, value: "1000000", validAfter: "0", validBefore: "1800000000", nonce: NONCE };

const CASES = [
  {
    it: "EIP-3009 is a transfer",
    data: authorization(pay),
    want: [{ kind: "transfer", token: TOKEN, from: A, to: B, amount: 1_000_000n }],
  },
  {
    it: "EIP-2612 is an approval until its deadline",
    data: {
      domain,
      types: { Permit: struct("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
      primaryType: "Permit",
      message: { owner: A, spender: B, value: "5", nonce: "0", deadline: "99" },
    },
    want: [{ kind: "approval", token: TOKEN, owner: A, spender: B, amount: 5n, until: 99n }],
  },
  {
    it: "a permit of the older form has no limit",
    data: {
      domain,
      types: { Permit: struct("address holder,address spender,uint256 nonce,uint256 expiry,bool allowed") },
      primaryType: "Permit",
      message: { holder: A, spender: B, nonce: "0", expiry: "0", allowed: true },
    },
    want: [{ kind: "approval", amount: "unlimited", spender: B }],
  },
  {
    it: "Permit2, single",
    data: {
      domain: permit2,
      types: {
        PermitSingle: struct("PermitDetails details,address spender,uint256 sigDeadline"),
        PermitDetails: DETAILS,
      },
      primaryType: "PermitSingle",
      message: { details: { token: TOKEN, amount: "7", expiration: "9", nonce: "0" }, spender: B, sigDeadline: "1" },
    },
    want: [{ kind: "approval", token: TOKEN, spender: B, amount: 7n, until: 9n }],
  },
  {
    it: "Permit2, batch",
    data: {
      domain: permit2,
      types: {
        PermitBatch: struct("PermitDetails[] details,address spender,uint256 sigDeadline"),
        PermitDetails: DETAILS,
      },
      primaryType: "PermitBatch",
      message: {
        details: [
          { token: TOKEN, amount: "7", expiration: "9", nonce: "0" },
          { token: A, amount: ((1n << 160n) - 1n).toString(), expiration: "9", nonce: "0" },
        ],
        spender: B,
        sigDeadline: "1",
      },
    },
    want: [
      { kind: "approval", token: TOKEN, amount: 7n },
      { kind: "approval", token: A, amount: "unlimited" },
    ],
  },
  {
    it: "Permit2 with a witness",
    data: {
      domain: permit2,
      types: {
        PermitWitnessTransferFrom: struct(
          "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness",
        ),
        TokenPermissions: PERMISSIONS,
        Order: struct("address maker,uint256 price"),
      },
      primaryType: "PermitWitnessTransferFrom",
      message: {
        permitted: { token: TOKEN, amount: "7" },
        spender: B,
        nonce: "1",
        deadline: "2",
        witness: { maker: A, price: "3" },
      },
    },
    want: [{ kind: "approval", token: TOKEN, spender: B, amount: 7n, until: 2n }],
  },
  {
    it: "a Permit2 struct for another contract is looked at too",
    data: {
      domain,
      types: {
        PermitTransferFrom: struct("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline"),
        TokenPermissions: PERMISSIONS,
      },
      primaryType: "PermitTransferFrom",
      message: { permitted: { token: TOKEN, amount: "7" }, spender: B, nonce: "1", deadline: "2" },
    },
    want: [{ kind: "approval" }, { kind: "unknown", reason: "message" }],
  },
  {
    it: "a familiar name over other members is unknown",
    data: {
      domain,
      types: { TransferWithAuthorization: struct("address from,address to,uint256 value,uint256 extra") },
      primaryType: "TransferWithAuthorization",
      message: { from: A, to: B, value: "1", extra: "2" },
    },
    want: [{ kind: "unknown", reason: "message" }],
  },
] as const;

test.each(CASES)("$it", ({ data, want }) => {
  const read = decodeTypedData(data as unknown as JsonObject);
  expect(read).toMatchObject({ ok: true, chainId: 8453n, moves: want });
  // A wallet signs the same data, so it is no invention of ours.
  expect(hashTypedData(data as never)).toMatch(/^0x[0-9a-f]{64}$/);
});

test.each([
  { it: "a member that the types do not name", data: authorization({ ...pay, note: "harmless" }), fault: "value" },
  { it: "a member that is missing", data: authorization({ from: A, to: B }), fault: "value" },
  { it: "a negative amount", data: authorization({ ...pay, value: "-1" }), fault: "value" },
  { it: "an amount with an exponent", data: authorization({ ...pay, value: "1e6" }), fault: "value" },
  { it: "an amount beyond 256 bits", data: authorization({ ...pay, value: (1n << 256n).toString() }), fault: "value" },
  { it: "a number that is no safe integer", data: authorization({ ...pay, value: 2 ** 60 }), fault: "value" },
  { it: "an address that is too short", data: authorization({ ...pay, to: "0x22" }), fault: "value" },
  { it: "digits of another script", data: authorization({ ...pay, value: "１" }), fault: "value" },
  { it: "a primary type that is not there", data: { ...authorization(pay), primaryType: "Nothing" }, fault: "types" },
  {
    it: "a primary type named like a member of every object",
    data: { ...authorization(pay), primaryType: "__proto__" },
    fault: "types",
  },
  {
    it: "a type of no kind",
    data: { ...authorization(pay), types: { TransferWithAuthorization: struct("quantum from") } },
    fault: "types",
  },
  { it: "a further member at the top", data: { ...authorization(pay), also: 1 }, fault: "shape" },
  {
    it: "a domain with an unreadable chain",
    data: { ...authorization(pay), domain: { ...domain, chainId: "8453.0" } },
    fault: "domain",
  },
])("refuses $it", ({ data, fault }) => {
  expect(decodeTypedData(data as unknown as JsonObject)).toEqual({ ok: false, fault });
});

test("what viem would sign over random amounts is what is decoded", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.constantFrom("digits", "hex"), (value, form) => {
      const written = form === "digits" ? value.toString() : `0x${value.toString(16)}`;
      const data = authorization({ ...pay, value: written });
      expect(decodeTypedData(data)).toMatchObject({ ok: true, moves: [{ kind: "transfer", amount: value }] });
    }),
  );
});

test("no object makes it throw, and nothing unknown goes unsaid", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (message, types) => {
        const read = decodeTypedData({ domain, types, primaryType: "X", message } as unknown as JsonObject);
        if (read.ok) expect(read.moves.length).toBeGreaterThan(0);
      },
    ),
  );
});

const NOBODY = `0x${"00".repeat(20)}`;
const SAFE_TX = struct(
  "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce",
);
const safeTx = (change: JsonObject = {}): JsonObject =>
  ({
    domain: { chainId: 8453, verifyingContract: TOKEN },
    types: { SafeTx: SAFE_TX },
    primaryType: "SafeTx",
    message: {
      to: A,
      value: "5",
      data: "0x",
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: NOBODY,
      refundReceiver: NOBODY,
      nonce: 0,
      ...change,
    },
  }) as unknown as JsonObject;

test.each([
  { it: "sends what it says", data: safeTx(), want: [{ kind: "native", from: TOKEN, to: A, amount: 5n }] },
  { it: "pays whoever sends it", data: safeTx({ gasPrice: "1" }), want: [{ kind: "native" }, { kind: "unknown" }] },
  { it: "pays somebody for it", data: safeTx({ refundReceiver: B }), want: [{ kind: "native" }, { kind: "unknown" }] },
  { it: "runs other code", data: safeTx({ operation: 1 }), want: [{ kind: "unknown", reason: "delegatecall" }] },
])("a Safe's transaction that $it", ({ data, want }) => {
  expect(decodeTypedData(data)).toMatchObject({ ok: true, moves: want });
});
