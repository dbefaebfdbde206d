import { decodeCalldata, type Move } from "@countersign/core";
import fc from "fast-check";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from "viem";
import { expect, test } from "vitest";

const TO: Address = "0x00000000000000000000000000000000000000aa";
const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString("hex")}`);
const anyAmount = fc.bigInt({ min: 1n, max: (1n << 95n) - 1n });
const moves = (data: Hex, value = 0n, to: Address = TO): readonly Move[] => decodeCalldata({ to, value, data });

const ERC20 = parseAbi([
  "function transfer(address, uint256)",
  "function transferFrom(address, address, uint256)",
  "function approve(address, uint256)",
  "function increaseAllowance(address, uint256)",
  "function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)",
  "function setApprovalForAll(address, bool)",
  "function safeTransferFrom(address, address, uint256, uint256, bytes)",
  "function safeBatchTransferFrom(address, address, uint256[], uint256[], bytes)",
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
  "function multicall(bytes[])",
  "function aggregate3((address, bool, bytes)[])",
  "function execute(bytes, bytes[], uint256)",
  "function execTransaction(address, uint256, bytes, uint8, uint256, uint256, uint256, address, address, bytes)",
]);
const encode = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: ERC20, functionName, args } as never);

test("what viem encodes, ours decodes: transfers and approvals", () => {
  fc.assert(
    fc.property(anyAddress, anyAddress, anyAmount, (a, b, amount) => {
      expect(moves(encode("transfer", [a, amount]))).toEqual([
        { kind: "transfer", token: TO, from: "signer", to: a, amount, at: "" },
      ]);
      expect(moves(encode("transferFrom", [a, b, amount]))).toEqual([
        { kind: "transfer", token: TO, from: a, to: b, amount, at: "" },
      ]);
      expect(moves(encode("approve", [a, amount]))).toEqual([
        { kind: "approval", token: TO, owner: "signer", spender: a, amount, change: "sets", at: "" },
      ]);
      expect(moves(encode("increaseAllowance", [a, amount]))).toMatchObject([
        { kind: "approval", change: "adds", amount },
      ]);
      const signature = `0x${"11".repeat(65)}`;
      const authorised = [a, b, amount, 0n, 1n, `0x${"22".repeat(32)}`, signature];
      expect(moves(encode("transferWithAuthorization", authorised))).toMatchObject([
        { kind: "transfer", from: a, to: b, amount },
      ]);
    }),
  );
});

test("a batch of ERC-1155 tokens is one move for each id", () => {
  const ids = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 1n << 200n }), anyAmount), { maxLength: 8 });
  fc.assert(
    fc.property(anyAddress, anyAddress, ids, fc.uint8Array({ maxLength: 100 }), (from, to, pairs, bytes) => {
      const extra: Hex = `0x${Buffer.from(bytes).toString("hex")}`;
      const args = [from, to, pairs.map(([id]) => id), pairs.map(([, amount]) => amount), extra];
      expect(moves(encode("safeBatchTransferFrom", args))).toEqual(
        pairs.map(([tokenId, amount]) => ({ kind: "transfer", token: TO, from, to, amount, tokenId, at: "" })),
      );
    }),
  );
});

test("calls inside calls are found at any nesting", () => {
  fc.assert(
    fc.property(
      anyAddress,
      anyAmount,
      fc.array(fc.constantFrom("multicall", "aggregate3"), { maxLength: 6 }),
      (to, amount, around) => {
        let data = encode("transfer", [to, amount]);
        for (const wrapper of around) {
          data = wrapper === "multicall" ? encode("multicall", [[data]]) : encode("aggregate3", [[[TO, false, data]]]);
        }
        const from = around.includes("aggregate3") ? TO : "signer";
        expect(moves(data)).toMatchObject([
          { kind: "transfer", token: TO, from, to, amount, at: "/0".repeat(around.length) },
        ]);
      },
    ),
  );
});

test.each([
  { it: "the largest number", amount: (1n << 256n) - 1n, want: "unlimited" },
  { it: "the largest 160-bit number", amount: (1n << 160n) - 1n, want: "unlimited" },
  { it: "the largest 96-bit number", amount: (1n << 96n) - 1n, want: "unlimited" },
  { it: "an amount", amount: 10n ** 24n, want: 10n ** 24n },
])("an approval of $it is $want", ({ amount, want }) => {
  expect(moves(encode("approve", [TO, amount]))).toMatchObject([{ kind: "approval", amount: want }]);
});

const ROUTER: Address = "0x00000000000000000000000000000000000000cc";
const A: Address = "0x1111111111111111111111111111111111111111";
const B: Address = "0x2222222222222222222222222222222222222222";
const THIEF: Address = "0x9999999999999999999999999999999999999999";
const SENDER: Address = "0x0000000000000000000000000000000000000001";
const params = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
const program = (...steps: readonly (readonly [number, Hex])[]): Hex =>
  encode("execute", [
    concat(steps.map(([command]) => numberToHex(command, { size: 1 }))),
    steps.map(([, input]) => input),
    0n,
  ]);
const path = encodePacked(["address", "uint24", "address"], [A, 500, B]);
const SINGLE = "((address, address, uint24, int24, address), bool, uint128, uint128, bytes)";
const v4Plan = (actions: Hex, inputs: readonly Hex[]): Hex =>
  program([0x10, params("bytes, bytes[]", [actions, inputs])]);

test.each([
  {
    it: "a V3 swap for the signer",
    data: program([0x00, params("address, uint256, uint256, bytes, bool", [SENDER, 5n, 4n, path, true])]),
    want: [
      {
        kind: "swap",
        payer: "signer",
        pays: { token: A, amount: 5n },
        gets: { token: B, least: 4n },
        recipient: "signer",
      },
    ],
  },
  {
    it: "a V3 swap whose proceeds go to somebody else",
    data: program([0x80, params("address, uint256, uint256, bytes, bool", [THIEF, 5n, 4n, path, true])]),
    want: [{ kind: "swap", recipient: THIEF }],
  },
  {
    it: "an exact-output V3 swap, whose path is backwards",
    data: program([0x01, params("address, uint256, uint256, bytes, bool", [SENDER, 5n, 7n, path, true])]),
    want: [{ kind: "swap", pays: { token: B, amount: 7n }, gets: { token: A, least: 5n } }],
  },
  {
    it: "a V2 swap",
    data: program([0x08, params("address, uint256, uint256, address[], bool", [SENDER, 5n, 4n, [A, THIEF, B], true])]),
    want: [{ kind: "swap", pays: { token: A, amount: 5n }, gets: { token: B, least: 4n } }],
  },
  {
    it: "a permit inside",
    data: program([
      0x0a,
      params("((address, uint160, uint48, uint48), address, uint256), bytes", [
        [[A, (1n << 160n) - 1n, 9, 0], ROUTER, 1n],
        "0x",
      ]),
    ]),
    want: [{ kind: "approval", token: A, owner: "signer", spender: ROUTER, amount: "unlimited", until: 9n }],
  },
  {
    it: "a transfer through Permit2",
    data: program([0x02, params("address, address, uint160", [A, THIEF, 3n])]),
    want: [{ kind: "transfer", token: A, from: "signer", to: THIEF, amount: 3n }],
  },
  {
    it: "a sweep to somebody else",
    data: program([0x04, params("address, address, uint256", [A, THIEF, 0n])]),
    want: [{ kind: "transfer", token: A, from: ROUTER, to: THIEF, amount: "unlimited" }],
  },
  {
    it: "a sweep to the signer, which moves nothing away",
    data: program([0x04, params("address, address, uint256", [A, SENDER, 0n])]),
    want: [],
  },
  {
    it: "a sub-plan",
    data: program([0x21, params("bytes, bytes[]", ["0x02", [params("address, address, uint160", [A, THIEF, 3n])]])]),
    want: [{ kind: "transfer", to: THIEF }],
  },
  {
    it: "a V4 swap",
    data: program([
      0x10,
      params("bytes, bytes[]", [
        "0x060c0f",
        [
          params("((address, address, uint24, int24, address), bool, uint128, uint128, bytes)", [
            [[A, B, 500, 10, TO], true, 5n, 4n, "0x"],
          ]),
          params("address, uint256", [A, 5n]),
          params("address, uint256", [B, 4n]),
        ],
      ]),
    ]),
    want: [{ kind: "swap", pays: { token: A, amount: 5n }, gets: { token: B, least: 4n }, recipient: "signer" }],
  },
  {
    it: "a V4 swap of what the plan pays in",
    data: v4Plan("0x0b060f", [
      params("address, uint256, bool", [A, 9n, true]),
      params(SINGLE, [[[A, B, 500, 10, TO], true, 0n, 4n, "0x"]]),
      params("address, uint256", [B, 4n]),
    ]),
    want: [{ kind: "swap", payer: "signer", pays: { token: A, amount: 9n } }],
  },
  {
    it: "a V4 plan that pays in more than it swaps",
    data: v4Plan("0x060b0f", [
      params(SINGLE, [[[A, B, 500, 10, TO], true, 5n, 4n, "0x"]]),
      params("address, uint256, bool", [A, 9n, true]),
      params("address, uint256", [B, 4n]),
    ]),
    want: [
      { kind: "swap", pays: { token: A, amount: 5n } },
      { kind: "transfer", token: A, from: "signer", to: ROUTER, amount: 4n },
    ],
  },
  {
    it: "a V4 plan that pays in as much as anyone makes it",
    data: v4Plan("0x0b", [params("address, uint256, bool", [A, 1n << 255n, true])]),
    want: [{ kind: "transfer", token: A, from: "signer", amount: "unlimited" }],
  },
  {
    it: "a V4 swap that the router pays for",
    data: v4Plan("0x0b060f", [
      params("address, uint256, bool", [A, 1n << 255n, false]),
      params(SINGLE, [[[A, B, 500, 10, TO], true, 0n, 4n, "0x"]]),
      params("address, uint256", [B, 4n]),
    ]),
    want: [{ kind: "swap", payer: ROUTER }],
  },
  {
    it: "a V3 swap of as much as the router happens to hold, paid by the signer",
    data: program([0x00, params("address, uint256, uint256, bytes, bool", [SENDER, 1n << 255n, 0n, path, true])]),
    want: [{ kind: "swap", payer: "signer", pays: { token: A, amount: "unlimited" } }],
  },
  {
    it: "a command of a later router",
    data: program([0x40, params("address, uint256, uint256, bytes, bool", [SENDER, 5n, 4n, path, true])]),
    want: [{ kind: "unknown", reason: "command" }],
  },
  {
    it: "a V4 plan that takes to somebody else",
    data: program([0x10, params("bytes, bytes[]", ["0x0e", [params("address, address, uint256", [B, THIEF, 0n])]])]),
    want: [{ kind: "transfer", token: B, to: THIEF, amount: "unlimited" }],
  },
  { it: "a command that is not known", data: program([0x3f, "0x"]), want: [{ kind: "unknown", reason: "command" }] },
  {
    it: "a command with arguments that do not fit",
    data: program([0x00, "0x00"]),
    want: [{ kind: "unknown", reason: "arguments" }],
  },
])("a Universal Router program: $it", ({ data, want }) => {
  expect(moves(data, 0n, ROUTER)).toMatchObject(want);
});

const SAFE: Address = "0x00000000000000000000000000000000005afe00";
const safeCall = (to: Address, data: Hex, operation: number, gasPrice = 0n): Hex =>
  encode("execTransaction", [
    to,
    0n,
    data,
    operation,
    0n,
    0n,
    gasPrice,
    `0x${"00".repeat(20)}`,
    `0x${"00".repeat(20)}`,
    "0x",
  ]);

test.each([
  {
    it: "a call by a Safe is the Safe's",
    data: safeCall(A, encode("transfer", [B, 3n]), 0),
    want: [{ kind: "transfer", token: A, from: SAFE, to: B, amount: 3n }],
  },
  {
    it: "a Safe that pays whoever sends its transaction is unknown",
    data: safeCall(A, encode("transfer", [B, 3n]), 0, 1n),
    want: [{ kind: "transfer" }, { kind: "unknown", reason: "arguments" }],
  },
  {
    it: "a Safe that runs other code is unknown",
    data: safeCall(A, encode("transfer", [B, 3n]), 1),
    want: [{ kind: "unknown", reason: "delegatecall" }],
  },
  {
    it: "a Safe's batch is looked into",
    data: safeCall(
      A,
      encodeFunctionData({
        abi: parseAbi(["function multiSend(bytes)"]),
        args: [
          encodePacked(
            ["uint8", "address", "uint256", "uint256", "bytes"],
            [0, B, 7n, 68n, encode("transfer", [THIEF, 3n])],
          ),
        ],
      }),
      1,
    ),
    want: [
      { kind: "native", to: B, amount: 7n },
      { kind: "transfer", token: B, from: SAFE, to: THIEF, amount: 3n },
    ],
  },
])("$it", ({ data, want }) => {
  expect(moves(data, 0n, SAFE)).toMatchObject(want);
});

test("any bytes give moves, and bytes that are no known call never give none", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      fc.constantFrom("", "ac9650d8", "24856bc3", "8d80ff0a", "a9059cbb", "82ad56cb"),
      (bytes, selector) => {
        const data: Hex = `0x${selector}${Buffer.from(bytes).toString("hex")}`;
        const found = moves(data);
        if (selector === "") expect(found.length).toBeGreaterThan(0);
      },
    ),
  );
});
