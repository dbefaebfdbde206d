import type { TenantId } from "@countersign/core";

const pollEvery = 500;

/**
 * Wakes those who wait for a tenant's events: at once for what this process commits, and by looking twice a second for
 * what others do. `look` gives something that changes when something was committed.
 */
export function watchers(look: (tenant: TenantId) => Promise<string | undefined>) {
  const waiting = new Map<TenantId, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  const seen = new Map<TenantId, string | undefined>();

  const wake = (tenant: TenantId): void => {
    for (const onChange of [...(waiting.get(tenant) ?? [])]) onChange();
  };
  const poll = async (): Promise<void> => {
    for (const tenant of waiting.keys()) {
      // Nothing to tell when it cannot be looked: whoever asks for the events is told of that.
      const now = await look(tenant);
      const before = seen.get(tenant);
      if (now === undefined) continue;
      seen.set(tenant, now);
      if (before !== undefined && before !== now) wake(tenant);
    }
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
