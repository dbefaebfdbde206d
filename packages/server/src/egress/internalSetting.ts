import type { Fault } from "@countersign/api";
import { type UrlPolicy, urlPolicyFaults } from "@countersign/core";
import { egressPolicy } from "./egress.ts";

/** The part `internal` of a start setting with what it leaves out, and what is wrong with it; no value is repeated. */
export function readInternal(written: Partial<UrlPolicy["internal"]> | undefined): {
  readonly internal: UrlPolicy["internal"];
  readonly faults: readonly Fault[];
} {
  const internal = { addresses: [], names: [], ...written };
  const faults = urlPolicyFaults(egressPolicy(internal)).map((path) => ({
    path,
    message: "is no address, range of addresses or name",
  }));
  return { internal, faults };
}
