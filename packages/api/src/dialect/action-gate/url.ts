import { DEFAULT_URL_POLICY, type JsonObject, judgeUrl, redact, type UrlPolicy } from "@countersign/core";

export type UrlCode =
  | "malformed_url"
  | "non_http_scheme"
  | "private_or_loopback_address"
  | "raw_ip_hostname"
  | "suspicious_hostname";

export interface UrlCheck {
  readonly verdict: "allow" | "review" | "block";
  readonly codes: readonly UrlCode[];
  readonly check: JsonObject;
}

export const SKIPPED_URL: UrlCheck = { verdict: "allow", codes: [], check: { status: "skip", reason_codes: [] } };

/** What this interface judges: ports and suffixes are nobody's business here, raw addresses and look-alikes a person's. */
const POLICY: UrlPolicy = {
  ...DEFAULT_URL_POLICY,
  ports: { everyone: true },
  rawPublicAddress: "review",
  singleLabelNames: "review",
  unlistedSuffixes: "allow",
  homographs: "review",
  encodedControls: "block",
};

/** What each finding is called here. One that has no name is something that parsers may read in two ways. */
const CODES: Readonly<Record<string, UrlCode>> = {
  "url.scheme": "non_http_scheme",
  "url.private_address": "private_or_loopback_address",
  "url.internal_name": "private_or_loopback_address",
  "url.embedding_name": "private_or_loopback_address",
  "url.raw_address": "raw_ip_hostname",
  "url.single_label": "suspicious_hostname",
  "url.homograph": "suspicious_hostname",
};

/** The order in which codes are listed: what is wrong with the text first. */
const ORDER: readonly UrlCode[] = [
  "malformed_url",
  "non_http_scheme",
  "private_or_loopback_address",
  "raw_ip_hostname",
  "suspicious_hostname",
];

export function judgeActionUrl(raw: string): UrlCheck {
  const { verdict, findings, url } = judgeUrl(raw, POLICY);
  const severity = verdict === "block" ? "block" : "review";
  const found = new Set(
    findings.filter((one) => one.severity === severity).map(({ code }) => CODES[code] ?? "malformed_url"),
  );
  const codes = ORDER.filter((code) => found.has(code));
  return {
    verdict,
    codes,
    check: {
      status: verdict === "block" ? "fail" : "pass",
      reason_codes: codes,
      normalized_url: url === null ? null : redact(url.normalised),
      hostname: url?.hostname ?? null,
      verdict: verdict === "allow" ? "allow_static" : verdict,
    },
  };
}
