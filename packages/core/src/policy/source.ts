import type { Asker } from "../action/action.ts";
import type { Result } from "../result.ts";
import type { EffectivePolicy } from "./effective.ts";

/** Why the policy in force could not be read. The answer is block, as for every fault. */
export interface PolicySourceError {
  readonly code: "policy.unavailable";
  readonly message: string;
}

/** Which version of a document of the asker's tenant has a say; 0 where there is none. */
export interface ScopeVersion {
  readonly scope: string;
  readonly version: number;
}

/** What is in force, and what it was made from. */
export interface VersionedPolicy {
  readonly policy: EffectivePolicy | null;
  readonly versions: readonly ScopeVersion[];
}

/** Gives what is in force for an asker, composed beforehand; null when nothing is, which blocks. */
export interface PolicySource {
  effective(asker: Asker): Promise<Result<EffectivePolicy | null, PolicySourceError>>;
  /** The same, where documents change: with it, a change that comes before the commit is noticed. */
  versioned?(asker: Asker): Promise<Result<VersionedPolicy, PolicySourceError>>;
}

/** One policy for every asker: a document given at start, or handed to the library. */
export const samePolicy = (policy: EffectivePolicy | null): PolicySource => ({
  effective: async () => ({ ok: true, value: policy }),
});
