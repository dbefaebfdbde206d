/**
 * Names that no public resolver may be asked for, or that lead inside. A name matches with everything below it.
 * Sources: the IANA Special-Use Domain Names registry (RFC 6761 and its successors); ICANN's reservation of "internal"
 * (2024) and its list of colliding names (home, corp, mail: NAB 2018); RFC 6762 appendix G; the documentation of the
 * platforms named.
 */
export const INTERNAL_NAMES: readonly string[] = [
  // Special use.
  "localhost",
  "local",
  "test",
  "invalid",
  "example",
  "onion",
  "alt",
  "arpa",
  "internal",
  // Private top-level names in common use, none of them delegated.
  "localdomain",
  "localdomain6",
  "localhost6",
  "localhost4",
  "lan",
  "home",
  "corp",
  "mail",
  "intranet",
  "private",
  "workgroup",
  "dhcp",
  "router",
  "ip6-localhost",
  "ip6-loopback",
  "broadcasthost",
  "wpad",
  // Clusters and service meshes.
  "svc",
  "cluster",
  "consul",
  "kubernetes",
  "kubernetes.default",
  "docker",
  // Metadata services of clouds, by name; the rest end in "internal".
  "metadata",
  "instance-data",
  "metadata.packet.net",
  "metadata.platformequinix.com",
];

/**
 * Public domains whose names answer with the address that is written in them, or with 127.0.0.1: whoever resolves one is
 * led inside, and no list of addresses sees it. Each was documented by its operator or in a public collection of
 * server-side request forgery techniques. A name matches with everything below it.
 */
export const EMBEDDING_NAMES: readonly string[] = [
  // The address is in the name.
  "nip.io",
  "sslip.io",
  "xip.io",
  "xip.name",
  "traefik.me",
  "backname.io",
  "plex.direct",
  "local-ip.co",
  "local-ip.sh",
  "localip.co",
  "my.local-ip.medicmobile.org",
  "ip.es.io",
  // Two addresses in the name, given in turn: made for rebinding.
  "rbndr.us",
  "1u.ms",
  "rebind.network",
  "rebind.it",
  "spoofed.burpcollaborator.net",
  // Always 127.0.0.1, for developers.
  "localtest.me",
  "localdev.me",
  "lvh.me",
  "vcap.me",
  "fuf.me",
  "lacolhost.com",
  "localh.st",
  "localho.st",
  "smackaho.st",
  "127-0-0-1.org.uk",
  "local.gd",
  "lcl.host",
  "lndo.site",
  "ddev.site",
  "docksal.site",
  "bugbounty.dod.network",
  "mail.ebc.apple.com",
];
