import { ok, type Result, type StoreError, type TenantId } from "@countersign/core";

/**
 * Takes up to `limit` of what waits for all tenants together: first each tenant's share, then what is left for those that
 * have more. Each turn begins with another tenant, so that nobody with much waiting keeps others from their turn.
 */
export function takeFairly() {
  let turn = 0;
  return async <T>(
    tenants: readonly TenantId[],
    limit: number,
    take: (tenant: TenantId, atMost: number) => Promise<Result<readonly T[], StoreError>>,
  ): Promise<Result<(T & { readonly tenant: TenantId })[], StoreError>> => {
    const first = turn % Math.max(1, tenants.length);
    turn += 1;
    let waiting = [...tenants.slice(first), ...tenants.slice(0, first)];
    let share = Math.ceil(limit / Math.max(1, tenants.length));
    const taken: (T & { readonly tenant: TenantId })[] = [];
    while (waiting.length > 0 && taken.length < limit) {
      const more: TenantId[] = [];
      for (const tenant of waiting) {
        const atMost = Math.min(share, limit - taken.length);
        if (atMost === 0) break;
        const some = await take(tenant, atMost);
        if (!some.ok) return some;
        taken.push(...some.value.map((item) => ({ ...item, tenant })));
        if (some.value.length === atMost) more.push(tenant);
      }
      waiting = more;
      share = limit;
    }
    return ok(taken);
  };
}
