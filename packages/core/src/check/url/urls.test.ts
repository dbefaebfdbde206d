import { expect, test } from "vitest";
import type { Ask } from "../../action/action.ts";
import { type Fact, factsOf, NO_FACTS } from "../../fact/fact.ts";
import type { EffectivePolicy } from "../../policy/effective.ts";
import { instantFromMillis } from "../../time/instant.ts";
import { addressesOf } from "./resolvedHost.ts";
import { DEFAULT_URL_POLICY, type UrlPolicy } from "./urlPolicy.ts";
import { urls } from "./urls.ts";

const NOW = instantFromMillis(0);
const RESOLVING: UrlPolicy = { ...DEFAULT_URL_POLICY, resolution: "required" };
const policy = (network: UrlPolicy | null) => ({ network }) as unknown as EffectivePolicy;
const asker = { tenant: "t", agent: "a", teams: [] };
const links = (...list: string[]): Ask => ({ asker, material: { urls: list } });
const fetching = (target: string, kind: "network" | "file" = "network"): Ask => ({
  asker,
  action: { kind, verb: "fetch", target },
});
const known = (value: string[]): Fact => ({ state: "known", value, source: "dns", at: "2026-01-01T00:00:00Z" });
const found = (ask: Ask, network: UrlPolicy | null, facts = NO_FACTS) =>
  urls.judge(ask, policy(network), facts, NOW).map(({ code, severity, path }) => `${severity} ${code} ${path}`);
const needed = (ask: Ask, network: UrlPolicy | null) => urls.needs(ask, policy(network), NOW).map(({ of }) => of);

test("judges each URL of the material, and says which one it means", () =>
  expect(found(links("https://example.com/", "http://10.0.0.1/"), null)).toEqual([
    "block url.private_address /material/urls/1",
  ]));

test("judges where a network action goes, under rules that the operator wrote", () => {
  const target = "http://169.254.169.254/latest";
  expect(found(fetching(target), DEFAULT_URL_POLICY)).toEqual(["block url.private_address /action/target"]);
  expect(found(fetching(target), null)).toEqual([]);
  expect(found(fetching(target, "file"), DEFAULT_URL_POLICY)).toEqual([]);
});

test("looks no name up unless the rules ask for it", () => {
  expect(needed(links("https://example.com/"), DEFAULT_URL_POLICY)).toEqual([]);
  expect(needed(links("https://example.com/"), null)).toEqual([]);
});

test("needs the addresses of every name that is not blocked already", () =>
  expect(
    needed(
      links(
        "https://EXAMPLE.com./a",
        "https://8.8.8.8/",
        "https://localhost/",
        "nonsense",
        "https://wiki.notatopleveldomain/",
      ),
      RESOLVING,
    ),
  ).toEqual(["example.com", "wiki.notatopleveldomain"]));

test("blocks a name that was not looked up", () =>
  expect(found(links("https://example.com/"), RESOLVING)).toEqual(["block url.unresolved /material/urls/0"]));

test("blocks a name that leads inside", () => {
  const facts = factsOf([{ key: addressesOf("example.com"), fact: known(["8.8.8.8", "10.0.0.1"]) }]);
  expect(found(links("https://example.com/"), RESOLVING, facts)).toEqual([
    "block url.resolves_private /material/urls/0",
  ]);
});

test("pins the addresses it judged", () => {
  const facts = factsOf([{ key: addressesOf("example.com"), fact: known(["8.8.8.8", "2606:4700::1111"]) }]);
  const findings = urls.judge(fetching("https://example.com/"), policy(RESOLVING), facts, NOW);
  expect(findings).toMatchObject([
    { code: "url.pinned", severity: "advisory", path: "/action/target", actual: "8.8.8.8 2606:4700::1111" },
  ]);
});
