import { describe, expect, test } from "vitest";
import { invalid, problemBody, problemOf, problemText } from "./problem.ts";

describe("an error on the wire", () => {
  test("tells no secret that stands as a name in a path, and no path without end", () => {
    const secret = `ghp_${"aB3dE6gH9".repeat(4)}`;
    const one = { path: `/a/${secret}`, message: "no" };
    expect(problemOf({ code: "json.syntax", ...one }).path).toBe("/a/[redacted github-pat]");
    expect(JSON.stringify(invalid([one, one]))).not.toContain(secret);
    expect(problemOf({ code: "json.syntax", path: `/${"x".repeat(1 << 20)}` }).path).toHaveLength(1_001);
  });

  test("is what RFC 9457 has, and the code programs act on", () => {
    expect(JSON.parse(problemBody(problemOf("request.too_large")))).toEqual({
      type: "urn:countersign:error:request.too_large",
      title: "the request is too large",
      status: 413,
      code: "request.too_large",
      detail: "the request is too large",
    });
  });

  test("says where and what was expected when that is known", () => {
    const path = "/action/amount";
    const error = {
      code: "json.number_lossy",
      message: "the number is lossy",
      path,
      expected: "a decimal text",
    } as const;
    expect(problemOf(error)).toMatchObject({
      status: 400,
      detail: "the number is lossy",
      path,
      expected: "a decimal text",
    });
    expect(problemText(problemOf(error))).toBe(
      "json.number_lossy: /action/amount: the number is lossy (expected a decimal text)",
    );
  });

  test("lists everything that is wrong with an input, the first of it in the usual place", () => {
    const first = { path: "/a", message: "this member is missing", expected: "a value" };
    const second = { path: "/b", message: "this text is too long" };
    const problem = invalid([first, second]);
    expect(problem).toMatchObject({ code: "request.invalid", status: 400, path: "/a", errors: [first, second] });
    expect(problemText(problem)).toBe(
      "request.invalid: /a: this member is missing (expected a value); /b: this text is too long",
    );
  });

  test("has no list when there is one fault", () => {
    expect(invalid([{ path: "", message: "this has to be an object" }])).not.toHaveProperty("errors");
  });

  test.each([
    { code: "json.syntax", status: 400 },
    { code: "credential.missing", status: 401 },
    { code: "payment.required", status: 402 },
    { code: "credential.scope", status: 403 },
    { code: "hold.unknown", status: 404 },
    { code: "request.timeout", status: 408 },
    { code: "payment_already_used", status: 409 },
    { code: "idempotency.conflict", status: 409 },
    { code: "policy.stale", status: 412 },
    { code: "json.too_large", status: 413 },
    { code: "request.media_type", status: 415 },
    { code: "host.refused", status: 421 },
    { code: "precondition.missing", status: 428 },
    { code: "rate.limited", status: 429 },
    { code: "internal", status: 500 },
    { code: "store.unavailable", status: 503 },
    { code: "store.full", status: 507 },
  ] as const)("$code is answered with $status", ({ code, status }) => {
    expect(problemOf(code).status).toBe(status);
  });
});
