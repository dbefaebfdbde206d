// Run after bundling: wraps the files for their loader, takes the program through its commands, and keeps what the engine
// compiled on the way: of the files that every check needs in one pack, of the others beside each file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { CACHE, createLoader, wrapped, writePack } = require("./bin/countersign.js");
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const program = path("dist/program");
for (const name of readdirSync(program, { recursive: true }).filter((one) => one.endsWith(".cjs"))) {
  const one = join(program, name);
  writeFileSync(one, wrapped(readFileSync(one, "utf8")));
}
const { load, scripts } = createLoader(program);

const folder = mkdtempSync(join(tmpdir(), "countersign-compile-"));
const file = (name, content) => {
  const made = join(folder, name);
  writeFileSync(made, JSON.stringify(content));
  return made;
};
const asks = ["read-file", "fetch-page", "large-payment", "injected-page", "delete-file"].map((name) =>
  path(`../../examples/asks/${name}.json`),
);
const policy = file("policy.json", {
  mandate: { default: "block", clauses: [{ id: "a", effect: "allow", match: { kind: ["file"] } }] },
});
const check = asks.flatMap((ask) => [
  ["check", ask, "--policy", path("../../examples/policy.yaml")],
  ["check", ask, "--policy", policy, "--json"],
]);
const others = [
  ["check", file("refused.json", { action: {} })],
  ["check", file("spend.json", { amount: 1, remaining_budget: 1 }), "--dialect", "trust_check_spend"],
  ["check", file("mandate.json", { mandate: {}, action: {} }), "--dialect", "mandate", "--json"],
  ["check", file("gate.json", { payload: {}, schema: { type: "object" } }), "--dialect", "action-gate"],
  ["url", "https://example.com/"],
  ["scan", "nothing of interest"],
  ["secrets", "nothing of interest"],
  ["fields", file("fields.json", { data: {}, contract: { a: { type: "string" } } })],
  ["clean", file("rows.json", { rows: [{ id: 1 }] })],
  ["canonical", policy],
  ["digest", policy, "--form", "mandate"],
  ["completion", "bash"],
  ["doctor", "--home", folder],
  // Refused before it listens: enough to have the server's files compiled.
  ["serve", "--home", folder, "--port", "none"],
];

const { run } = load("run.cjs");
// Some of the commands are refused on purpose.
const { write } = process.stderr;
process.stderr.write = () => true;
const packed = [];
const kept = new Set();
// Commands that come later bring files of their own, and add nothing to those that `check` shares with them: the engine
// would have to read that too, whenever somebody checks.
for (const commands of [check, others]) {
  for (const command of commands) await run(command);
  for (const [name, script] of scripts) {
    if (kept.has(name)) continue;
    kept.add(name);
    const cachedData = script.createCachedData();
    // What is large is needed by some checks only; `run` is the way in from here.
    if (commands === check && !name.startsWith("library/") && name !== "run.cjs")
      packed.push({ name, source: readFileSync(join(program, name), "utf8"), cachedData });
    else writeFileSync(join(program, name + CACHE), cachedData);
  }
}
const pack = writePack(packed);
writeFileSync(join(program, pack.name), pack.bytes);
process.stderr.write = write;
rmSync(folder, { recursive: true });
process.exitCode = 0;
