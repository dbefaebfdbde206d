/**
 * Addresses that a request from inside must not be sent to. From the IANA IPv4 and IPv6 Special-Purpose Address Registries
 * (RFC 6890 and its successors), every entry that is not globally reachable, and multicast (RFC 5771, RFC 4291). An
 * allocation made special later is added here, with its source.
 */
export interface SpecialRange {
  readonly cidr: string;
  /** Completes "the address is …". */
  readonly what: string;
  readonly source: string;
}

export const SPECIAL_IPV4: readonly SpecialRange[] = [
  { cidr: "0.0.0.0/8", what: "of this network", source: "RFC 791" },
  { cidr: "10.0.0.0/8", what: "private", source: "RFC 1918" },
  { cidr: "100.64.0.0/10", what: "shared by a carrier", source: "RFC 6598" },
  { cidr: "127.0.0.0/8", what: "loopback", source: "RFC 1122" },
  // The public address behind which an Azure host answers its own machines.
  { cidr: "168.63.129.16/32", what: "a cloud's metadata service", source: "Azure virtual network documentation" },
  { cidr: "169.254.0.0/16", what: "link-local", source: "RFC 3927" },
  { cidr: "172.16.0.0/12", what: "private", source: "RFC 1918" },
  // Its two globally reachable addresses, 192.0.0.9 and 192.0.0.10, are anycast for PCP and TURN and serve no web page.
  { cidr: "192.0.0.0/24", what: "reserved for protocols", source: "RFC 6890" },
  { cidr: "192.0.2.0/24", what: "for documentation", source: "RFC 5737" },
  { cidr: "192.88.99.0/24", what: "a withdrawn 6to4 relay", source: "RFC 7526" },
  { cidr: "192.168.0.0/16", what: "private", source: "RFC 1918" },
  { cidr: "198.18.0.0/15", what: "for benchmarks", source: "RFC 2544" },
  { cidr: "198.51.100.0/24", what: "for documentation", source: "RFC 5737" },
  { cidr: "203.0.113.0/24", what: "for documentation", source: "RFC 5737" },
  { cidr: "224.0.0.0/4", what: "multicast", source: "RFC 5771" },
  { cidr: "240.0.0.0/4", what: "reserved", source: "RFC 1112" },
];

/** Inside 2000::/3. What lies outside is never allowed and needs no list; some of it is named for the message. */
export const SPECIAL_IPV6: readonly SpecialRange[] = [
  // Teredo, benchmarking, AMT, AS112, ORCHID and DRIP are in it. None of them is a web server.
  { cidr: "2001::/23", what: "reserved for protocols", source: "RFC 2928" },
  { cidr: "2001:db8::/32", what: "for documentation", source: "RFC 3849" },
  { cidr: "2002::/16", what: "6to4", source: "RFC 3056" },
  // AS112, which answers reverse look-ups of private addresses, and nothing else.
  { cidr: "2620:4f:8000::/48", what: "a sink for reverse look-ups", source: "RFC 7534" },
  { cidr: "3fff::/20", what: "for documentation", source: "RFC 9637" },
  { cidr: "::/128", what: "unspecified", source: "RFC 4291" },
  { cidr: "::1/128", what: "loopback", source: "RFC 4291" },
  { cidr: "100::/64", what: "for discarding", source: "RFC 6666" },
  { cidr: "5f00::/16", what: "a segment identifier", source: "RFC 9602" },
  { cidr: "fc00::/7", what: "private", source: "RFC 4193" },
  { cidr: "fe80::/10", what: "link-local", source: "RFC 4291" },
  { cidr: "fec0::/10", what: "site-local", source: "RFC 3879" },
  { cidr: "ff00::/8", what: "multicast", source: "RFC 4291" },
];

/** The only block of IPv6 in which addresses on the public internet are given out. */
export const GLOBAL_UNICAST = "2000::/3";
