import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trustedBy, trustedDomainFault, trustedRangeFault, underCeiling } from "./trustedSource.ts";

describe("may not be trusted", () => {
  test.each([
    "*.example.com",
    "example",
    "api.openai.com",
    "API.OPENAI.COM",
    "api.openai.com:443",
    "dns.google",
    "10.0.0.1",
    "exa mple.com",
    "-a.example.com",
    "a..example.com",
    "example.com.",
    "mail.example.com:0",
    "mail.example.com:70000",
    "",
  ])("the name %j", (name) => {
    expect(trustedDomainFault(name)).toBeDefined();
  });
  test.each([
    "0.0.0.0/0",
    "::/0",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "8.8.8.8/32",
    "8.0.0.0/8",
    "1.1.1.0/24",
    "169.254.0.0/16",
    "169.254.169.254",
    "fe80::/10",
    "fe80::1/128",
    "224.0.0.0/4",
    "239.1.2.3/32",
    "ff02::/16",
    "::ffff:8.8.8.0/120",
    "::ffff:169.254.169.254",
    "::ffff:0:0/96",
    "::/80",
    "8000::/1",
    "10.0.0.1/8",
    "10.0.0.0/33",
    "010.0.0.0/8",
    "10.0.0.0/08",
    "banana",
    "",
  ])("the range %j", (range) => {
    expect(trustedRangeFault(range)).toBeDefined();
  });
});

describe("may be trusted", () => {
  test.each(["mail.example.com", "Mail.Example.com", "mail.example.com:8443", "xn--bcher-kva.example"])(
    "the name %j",
    (name) => {
      expect(trustedDomainFault(name)).toBeUndefined();
    },
  );
  test.each(["10.0.0.0/8", "192.168.1.0/24", "10.1.2.3/32", "10.1.2.3", "fd00::/8", "2001:db8::/32"])(
    "the range %j",
    (range) => {
      expect(trustedRangeFault(range)).toBeUndefined();
    },
  );
});

test("a range of IPv4 addresses in the form of IPv6 holds what the same range in the form of IPv4 does", () => {
  const trusted = { agents: [], domains: [], addresses: ["::ffff:10.1.0.0/112"] };
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3"]) expect(trustedBy(trusted, { address })).not.toBeNull();
  expect(trustedBy(trusted, { address: "10.2.0.1" })).toBeNull();
  expect(underCeiling("addresses", "::ffff:10.1.0.0/112", ["10.0.0.0/8"])).toEqual(["::ffff:10.1.0.0/112"]);
  expect(underCeiling("addresses", "::ffff:11.1.0.0/112", ["10.0.0.0/8"])).toEqual([]);
});

describe("a source is trusted by", () => {
  const trusted = { agents: ["helper"], domains: ["mail.example.com"], addresses: ["10.1.0.0/16", "fd12::/16"] };
  test.each([
    { it: "its agent", from: { agent: "helper" }, want: "helper" },
    { it: "no agent that is spelled otherwise", from: { agent: "Helper" }, want: null },
    { it: "its name in any letter case", from: { domain: "MAIL.example.com" }, want: "mail.example.com" },
    { it: "no name below it", from: { domain: "a.mail.example.com" }, want: null },
    { it: "no name with a port that was not named", from: { domain: "mail.example.com:8443" }, want: null },
    { it: "an address in its range", from: { address: "10.1.255.255" }, want: "10.1.0.0/16" },
    { it: "no address beside it", from: { address: "10.2.0.0" }, want: null },
    { it: "an IPv6 address in its range", from: { address: "fd12:0:0::1" }, want: "fd12::/16" },
    { it: "no IPv6 address beside it", from: { address: "fd13::1" }, want: null },
    { it: "an IPv4 address as a socket names it in IPv6", from: { address: "::ffff:10.1.2.3" }, want: "10.1.0.0/16" },
    { it: "no IPv4 address that another form carries", from: { address: "64:ff9b::10.1.2.3" }, want: null },
    { it: "no text that is no address", from: { address: "10.1" }, want: null },
    { it: "nothing at all", from: {}, want: null },
  ])("$it", ({ from, want }) => {
    expect(trustedBy(trusted, from)?.matched ?? null).toBe(want);
  });
});

test("whatever is left under a ceiling lies within both the entry and the ceiling", () => {
  const range = fc.tuple(fc.constantFrom(10, 11), fc.nat(3), fc.integer({ min: 8, max: 24 })).map(([a, b, bits]) => {
    const value = ((a << 24) | (b << 16)) >>> 0;
    const kept = (value & (-1 << (32 - bits))) >>> 0;
    return `${[24, 16, 8, 0].map((shift) => (kept >>> shift) & 255).join(".")}/${bits}`;
  });
  const address = fc.tuple(fc.constantFrom(10, 11), fc.nat(3), fc.nat(1), fc.nat(255)).map((bytes) => bytes.join("."));
  const holds = (ranges: readonly string[], at: string): boolean =>
    trustedBy({ agents: [], domains: [], addresses: ranges }, { address: at }) !== null;
  fc.assert(
    fc.property(range, fc.array(range, { maxLength: 4 }), address, (entry, ceiling, at) => {
      const left = underCeiling("addresses", entry, ceiling);
      expect(holds(left, at)).toBe(holds([entry], at) && holds(ceiling, at));
    }),
    { numRuns: 2_000 },
  );
});
