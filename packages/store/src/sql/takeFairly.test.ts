import { ok } from "@countersign/core";
import { expect, test } from "vitest";
import { takeFairly } from "./takeFairly.ts";

/** So many wait for each tenant; what is taken is gone. */
function queues(waiting: Record<string, number>) {
  const take = async (tenant: string, atMost: number) => {
    const count = Math.min(atMost, waiting[tenant] ?? 0);
    waiting[tenant] = (waiting[tenant] ?? 0) - count;
    return ok(Array.from({ length: count }, () => ({ id: tenant })));
  };
  return { take, tenants: Object.keys(waiting) };
}
const counted = (taken: { ok: true; value: readonly { tenant: string }[] } | { ok: false }) => {
  const counts: Record<string, number> = {};
  if (taken.ok) for (const { tenant } of taken.value) counts[tenant] = (counts[tenant] ?? 0) + 1;
  return counts;
};

test("a tenant with much waiting does not keep others from their share", async () => {
  const { take, tenants } = queues({ busy: 1000, a: 2, b: 20 });
  expect(counted(await takeFairly()(tenants, 32, take))).toEqual({ busy: 19, a: 2, b: 11 });
});

test("a tenant alone has all of it", async () => {
  const { take, tenants } = queues({ busy: 1000, a: 0, b: 0 });
  expect(counted(await takeFairly()(tenants, 32, take))).toEqual({ busy: 32 });
  expect(counted(await takeFairly()([], 32, take))).toEqual({});
});

test("of more tenants than there are places, each comes to its turn", async () => {
  const { take, tenants } = queues(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`t${i}`, 1000])));
  const fairly = takeFairly();
  const seen = new Set<string>();
  for (let turn = 0; turn < 10; turn += 1)
    for (const tenant of Object.keys(counted(await fairly(tenants, 4, take)))) seen.add(tenant);
  expect(seen.size).toBe(10);
});

test("an error of one is the answer", async () => {
  const error = { code: "store.unavailable", message: "gone" } as const;
  expect(await takeFairly()(["a"], 4, async () => ({ ok: false, error }))).toEqual({ ok: false, error });
});
