import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { beforeAll, expect, test } from "vitest";

/**
 * A runtime that has the language and nothing else: no Node, no DOM, no clock that core could take. The whole gate runs
 * in it, on the store in memory. JSON Schema is the one part that is loaded when asked for, and is left out here.
 */
const ENTRY = `
  import { createGate, createMemoryStore, readPolicy, samePolicy } from "./index.ts";
  const policy = readPolicy(
    {
      mandate: { clauses: [{ id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"], target_prefix: ["/work/"] } }], default: "block" },
      screening: { mode: "enforce" },
    },
    "platform:default",
  );
  let count = 0;
  const means = {
    clock: () => 1800000000000,
    random: (length) => Uint8Array.from({ length }, () => (count += 1) & 255),
    sha256: globalThis.testSha256,
  };
  const store = createMemoryStore(means);
  const gate = createGate({
    ...means, ledger: store, policies: samePolicy(policy.value), sources: [], deadline: () => new Promise(() => {}), signer: null,
    engine: "edge", issuer: "https://gate.example", holds: null, content: "none",
  });
  const principal = { tenant: "acme", agent: "a", teams: [], credential: "key_1" };
  export const run = (text) => gate.decide({ principal, ...JSON.parse(text) });
`;

let run: (request: object) => Promise<{ ok: boolean; value: { verdict: string; findings: { code: string }[] } }>;
beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL("edge.entry.ts", import.meta.url)), formats: ["iife"], name: "edge" },
      rollupOptions: { external: [/@hyperjump/, "re2js"] },
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id.endsWith("/edge.entry.ts") ? id : null),
        load: (id) => (id.endsWith("/edge.entry.ts") ? ENTRY : null),
      },
    ],
  });
  const [built] = Array.isArray(output) ? output : [output];
  const chunk = built && "output" in built ? built.output[0] : undefined;
  const { createHash } = await import("node:crypto");
  const context = createContext({
    testSha256: (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest()),
  });
  runInContext(`${chunk?.code ?? ""};globalThis.edge = edge;`, context);
  run = (request) => (context["edge"] as { run(text: string): ReturnType<typeof run> }).run(JSON.stringify(request));
}, 60_000);

test.each([
  {
    it: "allows what a clause allows",
    request: { action: { kind: "file", verb: "read", target: "/work/a" } },
    verdict: "allow",
  },
  {
    it: "blocks what none allows",
    request: { action: { kind: "file", verb: "write", target: "/work/a" } },
    verdict: "block",
  },
  {
    it: "blocks a private address",
    request: { action: { kind: "file", verb: "read", target: "/work/a" }, material: { urls: ["http://127.0.0.1/"] } },
    verdict: "block",
  },
  {
    it: "blocks a secret",
    request: {
      action: { kind: "file", verb: "read", target: "/work/a", parameters: { key: `ghp_${"a1B2".repeat(9)}` } },
    },
    verdict: "block",
  },
])("$it, without anything of Node's", async ({ request, verdict }) => {
  expect((await run(request)).value.verdict).toBe(verdict);
});
