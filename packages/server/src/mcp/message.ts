import { type ExactJson, isExactObject } from "@countersign/core";
import type { ToolCall } from "./tool.ts";

/** JSON-RPC error codes that are answered before the SDK sees a message. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

export interface Refusal {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

/**
 * What has to be true of a message before it is handed to the SDK: one message and no batch, a version, an id that is
 * a string or an integer, and arguments that are an object. Anything else is answered in our words.
 */
export function refuseMessage(message: ExactJson): Refusal | null {
  if (Array.isArray(message))
    return refusal(null, INVALID_REQUEST, "batches are not accepted; send one message a request");
  if (!isExactObject(message)) return refusal(null, INVALID_REQUEST, "a message has to be a JSON object");
  const id = idOf(message);
  if (message["jsonrpc"] !== "2.0") return refusal(id, INVALID_REQUEST, 'jsonrpc has to be "2.0"');
  const isAnswer = Object.hasOwn(message, "result") || Object.hasOwn(message, "error");
  if (!Object.hasOwn(message, "method")) {
    return isAnswer &&
      Object.hasOwn(message, "id") &&
      !(Object.hasOwn(message, "result") && Object.hasOwn(message, "error"))
      ? null
      : refusal(id, INVALID_REQUEST, "method is missing");
  }
  if (isAnswer) return refusal(id, INVALID_REQUEST, "a request has neither result nor error");
  if (typeof message["method"] !== "string") return refusal(id, INVALID_REQUEST, "method has to be a string");
  if (Object.hasOwn(message, "id") && id === null)
    return refusal(null, INVALID_REQUEST, "id has to be a string or an integer");
  const params = Object.hasOwn(message, "params") ? message["params"] : undefined;
  if (params !== undefined && !isExactObject(params)) return refusal(id, INVALID_PARAMS, "params has to be an object");
  if (message["method"] === "tools/call") {
    if (params === undefined || typeof own(params, "name") !== "string")
      return refusal(id, INVALID_PARAMS, "params.name has to be a string");
    const given = own(params, "arguments");
    if (given !== undefined && !isExactObject(given))
      return refusal(id, INVALID_PARAMS, "params.arguments has to be an object");
  }
  return null;
}

const PAYMENT = "x402/payment";

/** What a `tools/call` brings; without arguments, the empty object. Undefined for any other message. */
export function callIn(message: ExactJson): ToolCall | undefined {
  if (!isExactObject(message) || message["method"] !== "tools/call") return undefined;
  const params = own(message, "params");
  const given = own(params, "arguments") ?? {};
  return isExactObject(params) && isExactObject(given)
    ? { input: given, payment: own(own(params, "_meta"), PAYMENT) }
    : undefined;
}

export function idOf(message: ExactJson): string | number | null {
  if (!isExactObject(message)) return null;
  const id = own(message, "id");
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

export const refusalText = ({ id, code, message }: Refusal): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

const refusal = (id: Refusal["id"], code: number, message: string): Refusal => ({ id, code, message });

function own(object: ExactJson | undefined, key: string): ExactJson | undefined {
  return isExactObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}
