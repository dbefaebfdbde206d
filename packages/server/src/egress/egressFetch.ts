import type { Egress } from "./egress.ts";
import type { EgressError } from "./egressError.ts";
import { responseOf } from "./pinnedFetch.ts";

/** What a library that wants a `fetch` gets: rejects with this, as fetch rejects with a TypeError. */
export class EgressFailure extends TypeError {
  readonly code: EgressError["code"];

  constructor({ code, message }: EgressError) {
    super(message);
    this.name = "EgressFailure";
    this.code = code;
  }
}

/**
 * The egress port in the shape of `fetch`, for libraries that make their requests with one. `redirect: "error"` rejects a
 * redirect; otherwise it comes back as it is, and is never followed.
 */
export const egressFetch =
  (egress: Egress): typeof globalThis.fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { method, signal } = request;
    // The text as it was given: Request has already read it with a parser that forgives much.
    const url = typeof input === "string" ? input : request.url;
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const answer = await egress.send({ method, url, headers: Object.fromEntries(request.headers), body, signal });
    if (!answer.ok) throw new EgressFailure(answer.error);
    const isRedirect = answer.value.status >= 300 && answer.value.status < 400 && answer.value.status !== 304;
    if (isRedirect && request.redirect === "error")
      throw new EgressFailure({ code: "egress.redirect", message: "the answer leads elsewhere", findings: [] });
    return responseOf(answer.value);
  };
