import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/**
 * The URL parser builds a TextEncoder and a TextDecoder when it is loaded. ECMAScript has neither, and a bare context (a
 * `node:vm` one, an embedded engine) may not either, so the two calls it makes are supplied where they are missing. This
 * must be evaluated before the parser: `parseUrl.ts` imports it first, and package.json names it as having an effect.
 */
class Utf8Encoder {
  encode(text: string): Uint8Array {
    return encodeUtf8(text);
  }
}

class Utf8Decoder {
  decode(bytes: Uint8Array): string {
    return decodeUtf8(bytes).text;
  }
}

const scope = globalThis as { TextEncoder?: unknown; TextDecoder?: unknown };
if (scope.TextEncoder === undefined || scope.TextDecoder === undefined) {
  scope.TextEncoder = Utf8Encoder;
  scope.TextDecoder = Utf8Decoder;
}
