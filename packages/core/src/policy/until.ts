import { compareInstants, type Instant } from "../time/instant.ts";
import type { Until } from "./mandate.ts";

/** Whether it no longer counts at `now`. */
export function hasEnded({ until, inclusive }: Until, now: Instant): boolean {
  const order = compareInstants(now, until);
  return inclusive ? order > 0 : order >= 0;
}
