import type { TenantId } from "@countersign/core";

/** How many may hold a place at once: all together, those of one tenant, and one credential. */
export interface PlaceLimits {
  readonly all: number;
  readonly tenant: number;
  readonly one: number;
}

/** Places that are held for a time: no credential takes those of its tenant, and no tenant those of all. */
export interface Places {
  /** Null where there is none left; else what gives it back, to be called once. */
  take(tenant: TenantId, credential: string): (() => void) | null;
}

export function createPlaces({ all, tenant: ofTenant, one }: PlaceLimits): Places {
  const held = new Map<string, number>();
  const count = (name: string): number => held.get(name) ?? 0;
  const add = (name: string, by: 1 | -1): void => {
    const left = count(name) + by;
    if (left === 0) held.delete(name);
    else held.set(name, left);
  };
  return {
    take(tenant, credential) {
      const names = ["", tenant, `${tenant}\n${credential}`] as const;
      if (count(names[0]) >= all || count(names[1]) >= ofTenant || count(names[2]) >= one) return null;
      for (const name of names) add(name, 1);
      return () => {
        for (const name of names) add(name, -1);
      };
    },
  };
}
