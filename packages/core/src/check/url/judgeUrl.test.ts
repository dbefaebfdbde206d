import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedSuite } from "../../testing.ts";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY, type UrlPolicy } from "./urlPolicy.ts";

const judge = (url: string, change: Partial<UrlPolicy> = {}) => judgeUrl(url, { ...DEFAULT_URL_POLICY, ...change });
const codes = (url: string, change: Partial<UrlPolicy> = {}) => judge(url, change).findings.map(({ code }) => code);

describe("a plain URL is taken apart and allowed", () => {
  test.each([
    ["https://www.example.com/a?b#c", "name", 443, "example.com"],
    ["http://a.b.example.co.uk:8080/", "name", 8080, "example.co.uk"],
    ["https://someone.github.io/", "name", 443, "someone.github.io"],
    ["https://github.io/", "name", 443, null],
    ["https://8.8.8.8/", "ipv4", 443, null],
    ["https://[2606:4700::1111]/", "ipv6", 443, null],
    ["https://example.com./", "name", 443, "example.com"],
  ])("%s", (url, hostKind, port, registrableDomain) =>
    expect(judge(url)).toMatchObject({ verdict: "allow", findings: [], url: { hostKind, port, registrableDomain } }),
  );

  test("and normalised", () =>
    expect(judge("HTTPS://EXAMPLE.com:443/a/../b?c=%7e#d").url).toEqual({
      normalised: "https://example.com/b?c=%7e#d",
      scheme: "https",
      hostname: "example.com",
      hostKind: "name",
      port: 443,
      registrableDomain: "example.com",
    }));
});

describe("each fault has its code", () => {
  test.each([
    ["", ["url.malformed"]],
    ["example.com", ["url.malformed"]],
    ["https:/example.com", ["url.malformed"]],
    ["https:///example.com", ["url.malformed"]],
    ["ftp://example.com/", ["url.scheme", "url.port"]],
    ["mailto:a@example.com", ["url.malformed", "url.scheme"]],
    ["https://user:secret@example.com/", ["url.credentials"]],
    ["https://@example.com/", ["url.credentials"]],
    ["https://example.com:22/", ["url.port"]],
    ["https://10.0.0.1/", ["url.private_address"]],
    ["http://2130706433/", ["url.private_address"]],
    ["http://[::1]/", ["url.private_address"]],
    ["http://[2606:4700::5efe:10.0.0.1]/", ["url.private_address"]],
    ["https://localhost/", ["url.internal_name"]],
    ["https://db.internal/", ["url.internal_name"]],
    ["https://a.b.home.arpa/", ["url.internal_name"]],
    ["https://10.0.0.1.nip.io/", ["url.embedding_name"]],
    ["https://intranet-wiki/", ["url.single_label"]],
    ["https://wiki.notatopleveldomain/", ["url.unlisted_suffix"]],
    ["https://exa mple.com/", ["url.character", "url.malformed"]],
    ["https://example.com\\a", ["url.character"]],
    ["https://example.com/\u202ea", ["url.character"]],
    ["https://example.com/\ud800", ["url.character"]],
    ["https://%65xample.com/", ["url.ambiguous_host"]],
    ["https://example.com?@10.0.0.1/", ["url.ambiguous_host"]],
    ["https://exam\u00adple.com/", ["url.character", "url.ambiguous_host"]],
    ["https://-oproxycommand.com/", ["url.ambiguous_host"]],
    ["https://a..com/", ["url.ambiguous_host"]],
    [`https://${"a.".repeat(127)}com/`, ["url.ambiguous_host"]],
    ["https://example.com/%0d%0aSet-Cookie:a", ["url.encoded_control"]],
    ["https://example.com/?a=%25250a", ["url.encoded_control"]],
  ])("%s", (url, want) => expect(codes(url)).toEqual(want));

  test("and every one stops or asks", () => {
    expect(judge("https://example.com/%00").verdict).toBe("review");
    expect(judge("https://wiki.notatopleveldomain/").verdict).toBe("review");
    expect(judge("https://intranet-wiki/").verdict).toBe("block");
  });
});

describe("joiners and emoji outside the host are text", () => {
  test.each([
    "https://fa.example.com/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "https://example.com/\u2764\ufe0f",
  ])("%s", (url) => expect(codes(url)).toEqual([]));
});

describe("the policy decides what it is asked", () => {
  test.each([
    ["https://8.8.8.8/", { rawPublicAddress: "review" }, ["url.raw_address"], "review"],
    ["https://8.8.8.8/", { rawPublicAddress: "block" }, ["url.raw_address"], "block"],
    ["https://10.0.0.1/", { rawPublicAddress: "block" }, ["url.private_address"], "block"],
    ["https://wiki/", { singleLabelNames: "allow" }, [], "allow"],
    ["https://\u0430pple.com/", { homographs: "block" }, ["url.homograph"], "block"],
    ["https://example.com:9/", { ports: { everyone: true } }, [], "allow"],
    ["https://example.com:0/", { ports: { everyone: true } }, ["url.port"], "block"],
    ["https://example.com/", { ports: { only: [] } }, ["url.port"], "block"],
    ["https://example.com/", { schemes: [] }, ["url.scheme"], "block"],
    ["wss://example.com/", { schemes: ["wss"] }, [], "allow"],
    ["https://example.com/", { allow: { only: [] } }, ["url.not_allowed"], "block"],
    ["https://example.com/", { allow: { only: [{ host: "example.com" }] } }, [], "allow"],
    ["https://EXAMPLE.com./", { allow: { only: [{ host: "Example.COM." }] } }, [], "allow"],
    ["https://a.example.com/", { allow: { only: [{ host: "example.com" }] } }, ["url.not_allowed"], "block"],
    ["https://a.example.com/", { allow: { only: [{ domain: "example.com" }] } }, [], "allow"],
    ["https://b\u00fccher.de/", { allow: { only: [{ domain: "xn--bcher-kva.de" }] } }, [], "allow"],
    ["https://notexample.com/", { allow: { only: [{ domain: "example.com" }] } }, ["url.not_allowed"], "block"],
    ["https://a.co.uk/", { allow: { only: [{ domain: "co.uk" }] } }, ["url.not_allowed"], "block"],
    ["https://a.github.io/", { allow: { only: [{ domain: "github.io" }] } }, ["url.not_allowed"], "block"],
    ["https://8.8.8.8/", { allow: { only: [{ host: "8.8.8.8" }] } }, [], "allow"],
    ["https://[2606:4700:0::1111]/", { allow: { only: [{ host: "2606:4700::1111" }] } }, [], "allow"],
    ["https://a.github.io/", { deny: [{ domain: "github.io" }] }, ["url.denied"], "block"],
    ["https://a.example.com/", { deny: [{ host: "example.com" }] }, [], "allow"],
    ["https://0x08080808/", { deny: [{ host: "8.8.8.8" }] }, ["url.denied"], "block"],
    [
      "https://a.b.evil.com/",
      { allow: { only: [{ domain: "evil.com" }] }, deny: [{ domain: "b.evil.com" }] },
      ["url.denied"],
      "block",
    ],
    ["http://10.1.2.3/", { internal: { addresses: ["10.1.0.0/16"], names: [] } }, [], "allow"],
    ["http://10.2.2.3/", { internal: { addresses: ["10.1.0.0/16"], names: [] } }, ["url.private_address"], "block"],
    ["http://localhost/", { internal: { addresses: [], names: ["localhost"] } }, [], "allow"],
    ["http://a.localhost/", { internal: { addresses: [], names: ["localhost"] } }, ["url.internal_name"], "block"],
    ["https://example.com/", { deny: [{ host: "no host" }] }, ["url.policy"], "block"],
    ["https://example.com/", { internal: { addresses: ["10.0.0.1/8"], names: [] } }, ["url.policy"], "block"],
    ["https://example.com/", { maxLength: 10 }, ["url.too_long"], "block"],
  ] as const)("%s under %j", (url, change, want, verdict) => {
    expect(codes(url, change)).toEqual(want);
    expect(judge(url, change).verdict).toBe(verdict);
  });
});

test("no finding and no normalised URL holds the password", () =>
  expect(JSON.stringify(judge("http://admin:hunter2@10.0.0.1:22/"))).not.toMatch(/hunter2|admin/));

test("a URL of a megabyte is refused by its length", () => {
  expect(codes(`https://example.com/${"a".repeat(1e6)}`)).toEqual(["url.too_long"]);
  expect(codes("\ud800".repeat(1e6))).toEqual(["url.too_long"]);
});

test.each([
  ["dots", `https://${".".repeat(16_000)}/`],
  ["labels", `https://${"a.".repeat(8_000)}com/`],
  ["percent signs", `https://example.com/${"%25".repeat(5_000)}`],
  ["at signs", `https://${"@".repeat(16_000)}/`],
  ["Punycode", `https://xn--${"a".repeat(16_000)}.com/`],
  ["wide characters", `https://${"\u2460".repeat(16_000)}/`],
])("%s to the limit give a judgement", (_, url) => expect(judge(url).findings).toBeInstanceOf(Array));

const parts = fc.constantFrom(
  ...[
    "http",
    "https",
    "file",
    ":",
    "//",
    "/",
    "\\",
    "@",
    "?",
    "#",
    "[",
    "]",
    ".",
    "..",
    ":80",
    "%",
    "%2e",
    "%00",
    "127",
    "0x7f",
  ],
  ...[
    "1",
    "::1",
    "ffff",
    "localhost",
    "example",
    "com",
    "internal",
    "xn--",
    "xn--80ak6aa92e",
    "\u0430",
    "\u3002",
    "\u00ad",
    "\t",
    " ",
  ],
  ...[
    "\ufeff",
    "\ud800",
    "-",
    "_",
    "nip.io",
    "user",
    "e\u0301",
    "\u2460",
    "\u0131",
    "\u202e",
    "github.io",
    "co.uk",
    "\u00df",
    "\u{1f4a9}",
  ],
);
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(parts, { maxLength: 16 }).map((all) => all.join("")),
  fc.array(parts, { maxLength: 12 }).map((all) => `https://${all.join("")}`),
  fc.tuple(fc.webUrl(), fc.nat(40), parts).map(([url, at, part]) => url.slice(0, at) + part + url.slice(at)),
  fc.oneof(fc.ipV4Extended(), fc.ipV6()).map((host) => `http://${host.includes(":") ? `[${host}]` : host}/`),
);

test("whatever is allowed, this runtime's own parser reads alike", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { verdict, url } = judge(text);
      if (verdict !== "allow" || url === null) return;
      const own = new URL(text);
      const port = own.port === "" ? (own.protocol === "https:" ? 443 : 80) : Number(own.port);
      expect([url.scheme, url.hostname, url.port]).toEqual([own.protocol.slice(0, -1), own.hostname, port]);
      expect(own.username + own.password).toBe("");
    }),
    { numRuns: 10_000 },
  );
});

test("a verdict is the strictest of its findings", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { verdict, findings } = judge(text);
      const weights = findings.map(({ severity }) => severity);
      const want = weights.includes("block") ? "block" : weights.includes("review") ? "review" : "allow";
      expect(verdict).toBe(want);
    }),
    { numRuns: 3_000 },
  );
});

test("judging the normalised URL again finds nothing new", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { verdict, url } = judge(text);
      if (verdict === "allow" && url !== null) expect(judge(url.normalised)).toEqual({ verdict, findings: [], url });
    }),
    { numRuns: 3_000 },
  );
});

sharedSuite("conformance/ssrf", (folder) => {
  const cases = readFileSync(join(folder, "cases.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { url: string; expect: "block" | "allow"; tier: string });

  test("stops all that must be stopped", () => {
    const wanted = cases.filter((one) => one.expect === "block");
    expect(wanted).toHaveLength(640);
    expect(wanted.filter(({ url }) => judge(url).verdict === "allow")).toEqual([]);
    expect(wanted.filter(({ url, tier }) => tier === "must" && judge(url).verdict !== "block")).toEqual([]);
  });

  test("lets through all that must pass", () => {
    const wanted = cases.filter((one) => one.expect === "allow");
    expect(wanted).toHaveLength(209);
    expect(wanted.filter(({ url }) => judge(url).verdict !== "allow")).toEqual([]);
  });
});

sharedSuite("conformance/whatwg-url", (folder) => {
  interface Case {
    readonly input: string;
    readonly base: string | null;
    readonly failure?: boolean;
    readonly protocol: string;
    readonly hostname: string;
    readonly port: string;
  }
  const read = (name: string) =>
    (JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown[]).filter((one) => typeof one === "object");
  /** Everything the policy can permit, so that what is left is what the parser and the text decide. */
  const open: Partial<UrlPolicy> = {
    schemes: ["http", "https", "ws", "wss", "ftp"],
    ports: { everyone: true },
    internal: { addresses: ["0.0.0.0/0", "::/0"], names: [] },
    singleLabelNames: "allow",
    unlistedSuffixes: "allow",
    homographs: "allow",
    encodedControls: "allow",
  };

  test("accepts nothing marked as a failure, and agrees on scheme, host and port where it accepts", () => {
    let accepted = 0;
    for (const one of read("urltestdata.json") as Case[]) {
      const { verdict, url } = judge(one.input, open);
      if (verdict !== "allow" || url === null) continue;
      accepted += 1;
      expect([one.input, one.failure ?? false]).toEqual([one.input, false]);
      const port = one.port === "" ? String({ http: 80, https: 443, ws: 80, wss: 443, ftp: 21 }[url.scheme]) : one.port;
      expect([`${url.scheme}:`, url.hostname, String(url.port)]).toEqual([one.protocol, one.hostname, port]);
    }
    expect(accepted).toBeGreaterThan(100);
  });

  test.each(["toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"])("accepts no host that %s fails", (name) => {
    let accepted = 0;
    for (const { input, output } of read(name) as { input: string; output: string | null }[]) {
      const { verdict, url } = judge(`https://${input}/x`, open);
      if (verdict !== "allow" || url === null) continue;
      accepted += 1;
      expect([input, url.hostname]).toEqual([input, output]);
    }
    expect(accepted).toBeGreaterThan(name === "IdnaTestV2-removed.json" ? -1 : 5);
  });
});
