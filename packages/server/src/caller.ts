/** Who a request comes from, by its credential. Without one, on loopback, it is the agent `local`. */
export interface Caller {
  readonly tenant: string;
  readonly agent: string;
  readonly teams: readonly string[];
}

export const LOCAL: Caller = { tenant: "local", agent: "local", teams: [] };
