import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { inRange, parseAddress, parseRange, reachOf, reachOfResolved, unpackAddress } from "./address.ts";
import { SPECIAL_IPV4, SPECIAL_IPV6 } from "./addressRanges.ts";

const address = (text: string) => {
  const parsed = parseAddress(text);
  if (parsed === null) throw new Error(`${text} is no address`);
  return parsed;
};

describe("an address is read strictly", () => {
  test.each(["1.2.3.4", "255.255.255.255", "::", "::1", "2001:DB8::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"])(
    "%s",
    (text) => expect(parseAddress(text)).not.toBeNull(),
  );

  test.each(
    [
      [
        "",
        "1.2.3",
        "1.2.3.4.5",
        "01.2.3.4",
        "1.2.3.256",
        "0x7f.0.0.1",
        "2130706433",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.4\n",
      ],
      [
        "[::1]",
        ":::",
        "::1%lo",
        "::1%25lo",
        "1::2::3",
        "12345::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "::ffff:1.2.3",
        "g::",
      ],
      ["\u0661.2.3.4", "\uff11.2.3.4", "a".repeat(1e6), "example.com", "::1/128"],
    ].flat(),
  )("refuses %j", (text) => expect(parseAddress(text)).toBeNull());

  test("two spellings of one address are one", () => {
    expect(address("2001:DB8:0:0::01")).toEqual(address("2001:db8::1"));
    expect(address("::ffff:127.0.0.1")).toEqual(address("::FFFF:7F00:1"));
  });
});

describe("a range is read strictly", () => {
  test.each([
    ["10.0.0.0/8", "10.0.0.0", "10.255.255.255"],
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255"],
    ["192.0.2.7", "192.0.2.7", "192.0.2.7"],
    ["fd00::/8", "fd00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s", (text, first, last) =>
    expect(parseRange(text)).toEqual({
      family: address(first).family,
      first: address(first).value,
      last: address(last).value,
    }),
  );

  test.each([
    "10.0.0.1/8",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "::/129",
    "10/8",
    "/8",
    "",
  ])("refuses %j", (text) => expect(parseRange(text)).toBeNull());
});

describe("the first and last address of every special range lead inside", () => {
  test.each([...SPECIAL_IPV4, ...SPECIAL_IPV6])("$cidr", ({ cidr }) => {
    const range = parseRange(cidr);
    if (range === null) throw new Error("no range");
    const { family } = range;
    for (const value of [range.first, range.last]) expect(reachOf({ family, value, text: "" }).reach).toBe("internal");
  });
});

describe("the neighbours of special ranges are public", () => {
  test.each(
    [
      ["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
      ["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "192.0.1.0"],
      ["198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "168.63.129.17"],
      [
        "2000::",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2003::",
        "3ffe:ffff::",
        "3fff:1000::",
        "2606:4700::1111",
      ],
    ].flat(),
  )("%s", (text) => expect(reachOf(address(text))).toEqual({ reach: "public" }));
});

describe("IPv6 outside 2000::/3 leads inside", () => {
  test.each([
    "1fff:ffff::",
    "4000::",
    "8000::1",
    "::2",
    "0100:0:0:1::",
    "64:ff9b::8.8.8.8",
    "::ffff:8.8.8.8",
    "fe80::1",
  ])("%s", (text) => expect(reachOf(address(text)).reach).toBe("internal"));
});

describe("an IPv4 address inside an IPv6 one is found", () => {
  test.each([
    ["mapped", "::ffff:10.1.2.3", ["10.1.2.3"]],
    ["compatible", "::10.1.2.3", ["10.1.2.3"]],
    ["translated", "::ffff:0:10.1.2.3", ["10.1.2.3"]],
    ["NAT64", "64:ff9b::10.1.2.3", ["10.1.2.3"]],
    ["local NAT64", "64:ff9b:1::10.1.2.3", ["10.1.2.3"]],
    ["6to4", "2002:a01:203::1", ["10.1.2.3"]],
    ["Teredo", "2001:0:4136:e378:8000:63bf:f5fe:fdfc", ["65.54.227.120", "10.1.2.3"]],
    ["ISATAP", "2606:4700::5efe:10.1.2.3", ["10.1.2.3"]],
    ["ISATAP that says it is unique", "2606:4700::200:5efe:10.1.2.3", ["10.1.2.3"]],
    ["none", "2606:4700::1111", []],
    ["none, in IPv4", "10.1.2.3", []],
  ])("%s", (_, text, want) => {
    expect(unpackAddress(address(text)).map((inside) => inside.text)).toEqual(want);
    if (want.length > 0) expect(reachOf(address(text)).reach).toBe("internal");
  });
});

describe("a resolver's translation stands for the address inside, and only there", () => {
  test.each([
    ["::ffff:8.8.8.8", "public"],
    ["64:ff9b::8.8.8.8", "public"],
    ["::ffff:10.0.0.1", "internal"],
    ["64:ff9b::169.254.169.254", "internal"],
    ["64:ff9b:1::8.8.8.8", "internal"],
    ["::8.8.8.8", "internal"],
    ["2002:808:808::1", "internal"],
    ["8.8.8.8", "public"],
  ])("%s is %s", (text, reach) => expect(reachOfResolved(address(text)).reach).toBe(reach));
});

/** ipaddr.js names ranges as well. It lags behind the registries, so what it calls special must be, and not the reverse. */
test("whatever another library calls special leads inside", () => {
  const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(anyAddress, (text) => {
      const ours = parseAddress(text);
      const theirs = ipaddr.process(text).range();
      if (ours !== null && theirs !== "unicast" && theirs !== "as112" && theirs !== "amt")
        expect(reachOfResolved(ours).reach).toBe("internal");
    }),
    { numRuns: 5000 },
  );
});

test("containment is what counting says", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (one, other, prefix) => {
      const size = 2 ** (32 - prefix);
      const first = Math.floor(Number(address(other).value) / size) * size;
      const range = { family: 4 as const, first: BigInt(first), last: BigInt(first + size - 1) };
      expect(inRange(address(one), range)).toBe(Math.floor(Number(address(one).value) / size) * size === first);
    }),
  );
});
