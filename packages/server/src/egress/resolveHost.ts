import { lookup, Resolver } from "node:dns/promises";
import type { HostResolver, ResolvedHost } from "@countersign/core";

export interface ResolverOptions {
  /** The system's own way (its hosts file included), or DNS servers by address, with a port when it is not 53. */
  readonly ask: "system" | { readonly servers: readonly string[] };
  /** Milliseconds for one name, every retry included. */
  readonly deadlineMs: number;
  readonly now: () => Date;
}

/** Answers that say the name has no address of that family, and not that something went wrong. */
const NONE = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Looks names up for the gate: IPv4 and IPv6, every answer. An address is the only thing taken from an answer. When one
 * family fails and the other answers, the answers stand: a connection is made only to an address that was judged.
 */
export function createResolver({ ask, deadlineMs, now }: ResolverOptions): HostResolver {
  return {
    async resolve(name) {
      const asked = ask === "system" ? askSystem(name) : askServers(name, ask.servers, deadlineMs);
      const addresses = await within(asked.answer, deadlineMs, asked.cancel);
      const source = ask === "system" ? "system" : ask.servers.join(" ");
      if (typeof addresses === "string") return unknown(addresses);
      if (addresses.length === 0) return unknown("the name has no address");
      return { state: "known", value: addresses, source, at: now().toISOString() };
    },
  };
}

const unknown = (reason: string): ResolvedHost => ({ state: "unknown", reason });

interface Asked {
  /** Addresses, or why there are none. Never rejects. */
  readonly answer: Promise<readonly string[] | string>;
  readonly cancel: () => void;
}

function askSystem(name: string): Asked {
  const answer = lookup(name, { all: true, order: "verbatim" }).then(
    (found) => found.map(({ address }) => address),
    (error: unknown) => (NONE.has(codeOf(error)) ? [] : "the look-up failed"),
  );
  // The system's call cannot be stopped; what it says after the deadline is not heard.
  return { answer, cancel: () => {} };
}

function askServers(name: string, servers: readonly string[], deadlineMs: number): Asked {
  const resolver = new Resolver({ timeout: Math.max(1, Math.floor(deadlineMs / 3)), tries: 3 });
  resolver.setServers([...servers]);
  const families = Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const answer = families.then((settled) => {
    const found = settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const failed = settled.some((one) => one.status === "rejected" && !NONE.has(codeOf(one.reason)));
    return found.length === 0 && failed ? "the look-up failed" : found;
  });
  return { answer, cancel: () => resolver.cancel() };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

async function within(
  answer: Asked["answer"],
  deadlineMs: number,
  cancel: () => void,
): ReturnType<() => Asked["answer"]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("no answer in time"), deadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    cancel();
  }
}
