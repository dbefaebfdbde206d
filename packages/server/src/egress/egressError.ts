import type { Finding } from "@countersign/core";

/** Why a request did not leave, or brought nothing back. */
export interface EgressError {
  readonly code: /** The URL or its addresses may not be used; `findings` says why. */
    | "egress.refused"
    /** Method, header or body that no request may have. */
    | "egress.malformed_request"
    /** No checked address took the connection, or TLS found somebody else there. */
    | "egress.unreachable"
    | "egress.timeout"
    | "egress.aborted"
    | "egress.too_large"
    /** The answer broke off, is no HTTP, or is encoded though it was asked not to be. */
    | "egress.malformed_answer"
    /** A redirect that is not followed: too many, to plain HTTP, or to nowhere. */
    | "egress.redirect";
  /** Names no URL: one may hold a secret. */
  readonly message: string;
  readonly findings: readonly Finding[];
}

const MESSAGES = {
  "egress.refused": "the address of the request is not allowed",
  "egress.malformed_request": "the request has a method or header that is not allowed",
  "egress.unreachable": "none of the checked addresses could be reached",
  "egress.timeout": "no complete answer came in time",
  "egress.aborted": "the request was given up by its caller",
  "egress.too_large": "the answer is larger than allowed",
  "egress.malformed_answer": "the answer is not one that can be used",
  "egress.redirect": "the answer leads elsewhere, and is not followed",
} as const satisfies Record<EgressError["code"], string>;

export const egressError = (code: EgressError["code"], findings: readonly Finding[] = []): EgressError => ({
  code,
  message: MESSAGES[code],
  findings,
});
