import type { Principal } from "@countersign/core";

/** Who a request comes from, by its credential. Without one, on loopback, it is the agent `local`. */
export type Caller = Principal;

export const LOCAL: Caller = { tenant: "local", agent: "local", teams: [], credential: "loopback" };
