/** Remembers which receipts were used, so that none opens a door twice. */
export interface ReplayStore {
  /**
   * Marks the receipt as used: true for the first caller, false for every later one until `until`. Atomic: of two
   * callers at the same moment, on whatever machines, one gets true. Rejects when it cannot tell; that counts as used.
   * @param until seconds since the epoch; after it the receipt has expired anyway and may be forgotten.
   * @param now seconds since the epoch.
   */
  claim(receipt: string, until: number, now: number): Promise<boolean>;
}

/**
 * For one process that alone redeems receipts: forgets on restart, and knows nothing of other processes.
 * Full of receipts that have not expired, it rejects: forgetting one would let it be used again.
 */
export function createMemoryReplayStore(capacity = 100_000): ReplayStore {
  const used = new Map<string, number>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  return {
    claim: async (receipt, until, now) => {
      if (used.has(receipt)) return false;
      const second = Math.floor(now);
      // At most one sweep a second, so that a full store does not pay for all it holds at every call.
      if (used.size >= capacity && second > sweptAt) {
        for (const [key, end] of used) if (end < now) used.delete(key);
        sweptAt = second;
      }
      if (used.size >= capacity) throw new Error("the replay store is full");
      used.set(receipt, until);
      return true;
    },
  };
}
