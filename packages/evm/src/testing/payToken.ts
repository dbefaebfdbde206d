import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Chain } from "./anvil.ts";
import { compiled } from "./compile.ts";

/** What a signer has to know of the token, and what it can do. */
export const PAY_TOKEN = {
  name: "Pay Dollar",
  symbol: "USDP",
  version: "1",
  decimals: 6,
  abi: parseAbi([
    "function mint(address to, uint256 value)",
    "function transfer(address to, uint256 value) returns (bool)",
    "function balanceOf(address) view returns (uint256)",
    "function authorizationState(address, bytes32) view returns (bool)",
    "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    "struct Authorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; bytes signature; }",
    "function batch(Authorization[] all)",
  ]),
} as const;

const AT: Address = "0x9a00000000000000000000000000000000000402";
let code: string | undefined;

/** Puts the token on the chain and gives each holder 1,000 dollars. Sets the chain's clock to the machine's. */
export async function deployPayToken(chain: Chain, holders: readonly Address[]): Promise<Address> {
  code ??= compiled(readFileSync(join(import.meta.dirname, "PayToken.sol"), "utf8"), "paris")["PayToken"]?.runtime;
  await chain.rpc("anvil_setCode", AT, code);
  // Facilitators and clients go by the machine's clock, and the token by the chain's.
  await chain.rpc("evm_setNextBlockTimestamp", Math.floor(Date.now() / 1000));
  await chain.rpc("anvil_removeBlockTimestampInterval");
  for (const holder of holders) {
    const data = encodeFunctionData({ abi: PAY_TOKEN.abi, functionName: "mint", args: [holder, 1_000_000_000n] });
    await chain.send({ to: AT, data });
  }
  return AT;
}

export interface SignedAuthorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
  readonly signature: Hex;
}

/** Signs that `to` may take `value` from the account, once. */
export async function authorize(
  account: PrivateKeyAccount,
  { chainId, token, ...message }: { chainId: number; token: Address } & Omit<SignedAuthorization, "from" | "signature">,
): Promise<SignedAuthorization> {
  const signature = await account.signTypedData({
    domain: { name: PAY_TOKEN.name, version: PAY_TOKEN.version, chainId, verifyingContract: token },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message: { from: account.address, ...message },
  });
  return { from: account.address, ...message, signature };
}
