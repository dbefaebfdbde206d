import { addressesOf, type FactSource, type HostResolver } from "@countersign/core";

/** Names looked up for one ask. More of them stay unknown, and what needs them blocks. */
const MAX_NAMES = 64;

/** The addresses of the names an ask leads to, as facts for the gate. Every name once, all at the same time. */
export const addressFacts = (resolver: HostResolver): FactSource => ({
  fact: addressesOf("").fact,
  gather(_ask, keys) {
    const names = [...new Set(keys.map((key) => key.of))].slice(0, MAX_NAMES);
    return Promise.all(names.map(async (name) => ({ key: addressesOf(name), fact: await resolver.resolve(name) })));
  },
});
