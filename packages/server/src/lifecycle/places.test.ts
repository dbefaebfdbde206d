import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

test("no credential takes the places of its tenant, and no tenant those of all", () => {
  const places = createPlaces({ all: 6, tenant: 4, one: 2 });
  const taken = (tenant: string, credential: string) => places.take(tenant, credential) !== null;
  expect([1, 2, 3].map(() => taken("acme", "a"))).toEqual([true, true, false]);
  expect([1, 2, 3].map(() => taken("acme", "b"))).toEqual([true, true, false]);
  expect(taken("acme", "c")).toBe(false);
  expect([1, 2].map(() => taken("umbrella", "a"))).toEqual([true, true]);
  expect(taken("umbrella", "b")).toBe(false);
});

test("a place that is given back can be taken again", () => {
  const places = createPlaces({ all: 1, tenant: 1, one: 1 });
  const giveBack = places.take("acme", "a");
  expect(places.take("acme", "a")).toBeNull();
  giveBack?.();
  expect(places.take("umbrella", "b")).not.toBeNull();
});
