import { decodeAbiParameters, type Hex, hexToString } from "viem";
import { decoded } from "../probe/script.ts";

const ERROR = "0x08c379a0";
const PANIC = "0x4e487b71";
/** WrappedError(address target, bytes4 selector, bytes reason, bytes details) of V4 pool managers. */
const WRAPPED = "0x90bfb865";
const MAX_TEXT = 120;

/**
 * Why a call failed, for a person. Revert data is written by whoever wrote the contract: only plain text and panic
 * codes are shown, without control and invisible characters, cut short and in quotes.
 */
export function failureReason(data: Hex, depth = 0): string {
  if (data === "0x") return "failed without a reason";
  const text = plainText(data);
  if (text?.startsWith("PROBE: ")) return text.slice("PROBE: ".length);
  const body = `0x${data.slice(10)}` as const;
  if (data.startsWith(ERROR)) {
    const reason = sayable(data);
    if (reason?.startsWith("PROBE: ")) return reason.slice("PROBE: ".length);
    if (reason !== undefined) return `failed, saying "${inert(reason)}"`;
  }
  if (data.startsWith(PANIC)) {
    const code = decoded(() => decodeAbiParameters([{ type: "uint256" }], body)[0]);
    if (code !== undefined && code < 256n) return `failed with panic 0x${code.toString(16)}`;
  }
  if (data.startsWith(WRAPPED) && depth < 2) {
    const types = [{ type: "address" }, { type: "bytes4" }, { type: "bytes" }, { type: "bytes" }] as const;
    const inner = decoded(() => decodeAbiParameters(types, body)[2]);
    if (inner !== undefined) return failureReason(inner, depth + 1);
  }
  return `failed with error ${data.slice(0, 10)}`;
}

/** The text of an Error(string), as much of it as was kept: the end of a long one is missing. */
function sayable(data: Hex): string | undefined {
  const length = Number(BigInt(`0x${data.slice(74, 138) || "0"}`) & 0xffffn);
  const kept = data.slice(138, 138 + Math.min(length, 160) * 2);
  return kept === "" ? undefined : decoded(() => hexToString(`0x${kept}`));
}

const plainText = (data: Hex): string | undefined =>
  data.startsWith("0x50524f42453a20") ? decoded(() => hexToString(data)) : undefined;

/** Printable text only, at most so many characters, and no quote that could end ours. */
export function inert(text: string): string {
  const clean = text.replace(/[\p{C}\p{Zl}\p{Zp}\p{M}]/gu, "").replace(/["`<>\\]/g, "'");
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}
