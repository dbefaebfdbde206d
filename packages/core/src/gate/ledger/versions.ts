import type { ScopeVersion } from "../../policy/source.ts";
import type { Work } from "./work.ts";

export function wantVersions(versions: readonly ScopeVersion[], work: Work): void {
  for (const { scope } of versions) work.want("policies", scope);
}

/** Whether another version is in force in one of the scopes by now. */
export const otherVersions = (versions: readonly ScopeVersion[], work: Work): boolean =>
  versions.some(({ scope, version }) => (work.get("policies", scope)?.version ?? 0) !== version);
