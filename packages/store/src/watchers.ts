import type { TenantId } from "@countersign/core";

const pollEvery = 500;

/**
 * Wakes those who wait for a tenant's events: at once for what this process commits, and by looking twice a second for
 * what others do. `look` gives something that changes when anything was committed.
 */
export function watchers(look: () => string | Promise<string>) {
  const waiting = new Map<TenantId, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let seen: string | undefined;

  const wake = (tenant: TenantId): void => {
    for (const onChange of [...(waiting.get(tenant) ?? [])]) onChange();
  };
  const poll = async (): Promise<void> => {
    let now: string | undefined;
    try {
      now = await look();
    } catch {
      // The next look may work, and whoever asks for events is told of the failure there.
      return;
    }
    if (seen !== undefined && now !== seen) for (const tenant of waiting.keys()) wake(tenant);
    seen = now;
  };

  return {
    wake,
    watch: (tenant: TenantId, onChange: () => void): (() => void) => {
      const own = () => onChange();
      const set = waiting.get(tenant) ?? new Set();
      waiting.set(tenant, set.add(own));
      timer ??= setInterval(() => void poll(), pollEvery).unref();
      return () => {
        set.delete(own);
        if (set.size === 0 && waiting.get(tenant) === set) waiting.delete(tenant);
        if (waiting.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    close: (): void => {
      clearInterval(timer);
      waiting.clear();
    },
  };
}
