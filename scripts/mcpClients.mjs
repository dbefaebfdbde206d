// Runs clients of others against the built gate: the official conformance tool, and the MCP Inspector's command line over
// both transports. They are installed below temp/ at fixed versions; the conformance tool needs Node 22, whose program is
// given as first argument.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

const TOOLS = { "@modelcontextprotocol/conformance": "0.1.16", "@modelcontextprotocol/inspector": "0.15.0" };
const FOLDER = "temp/mcp-clients";
const node22 = process.argv[2] ?? process.execPath;

// In one go: npm takes away what a command does not name.
const wanted = Object.entries(TOOLS);
if (!wanted.every(([name]) => existsSync(`${FOLDER}/node_modules/${name}/package.json`))) {
  const names = wanted.map(([name, version]) => `${name}@${version}`);
  // A folder of its own, and not --prefix: that would also change where npm reads its settings.
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/package.json`, '{ "private": true }\n');
  const { status } = spawnSync(
    "npm",
    ["install", "--no-save", "--no-package-lock", "--no-audit", "--silent", ...names],
    { cwd: FOLDER, stdio: "inherit" },
  );
  if (status !== 0) process.exit(1);
}

const server = spawn(process.execPath, ["scripts/exampleServer.mjs"], { stdio: ["pipe", "pipe", "inherit"] });
const [line] = await once(server.stdout, "data");
const url = String(line).trim();
const MANDATE = {
  schema_version: "0.2-draft",
  mandate_id: "reads",
  purpose: "Read files.",
  default: "deny",
  clauses: [{ id: "read", effect: "permit", match: { kind: ["file"] } }],
};
const ACTION = {
  schema_version: "0.1-draft",
  requested_by: { agent: "inspector" },
  operation: { kind: "file", verb: "read", target: "/tmp/example" },
  justification: "Read it.",
};

/** One call of the Inspector, and what it printed. */
function inspect(target, ...args) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [`${FOLDER}/node_modules/.bin/mcp-inspector`, "--cli", ...target, ...args],
    { encoding: "utf8", timeout: 60_000 },
  );
  if (status !== 0) throw new Error(`the inspector failed: ${stderr.slice(0, 2_000)}`);
  return JSON.parse(stdout);
}

function expectThat(what, holds) {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}`);
  if (!holds) process.exitCode = 1;
}

try {
  const targets = {
    "streamable HTTP": [`${url}/mcp`, "--transport", "http"],
    stdio: [process.execPath, "packages/cli/bin/countersign.js", "mcp", "--home", "temp/mcp-home"],
  };
  for (const [transport, target] of Object.entries(targets)) {
    const { tools } = inspect(target, "--method", "tools/list");
    expectThat(
      `inspector lists the tools over ${transport}`,
      ["check_action", "trust_check_action"].every((name) => tools.some((tool) => tool.name === name)),
    );
    const checked = inspect(
      target,
      "--method",
      "tools/call",
      "--tool-name",
      "check_action",
      "--tool-arg",
      `mandate=${JSON.stringify(MANDATE)}`,
      `action=${JSON.stringify(ACTION)}`,
    );
    expectThat(
      `check_action permits over ${transport}`,
      checked.structuredContent?.outcome === "permit" && checked.structuredContent?.receipt !== undefined,
    );
    const trusted = inspect(
      target,
      "--method",
      "tools/call",
      "--tool-name",
      "trust_check_action",
      "--tool-arg",
      `action=${JSON.stringify({ type: "read" })}`,
    );
    expectThat(
      `trust_check_action blocks without evidence over ${transport}`,
      trusted.structuredContent?.verdict === "BLOCK",
    );
  }
  const { status } = spawnSync(
    node22,
    [
      `${FOLDER}/node_modules/@modelcontextprotocol/conformance/dist/index.js`,
      "server",
      "--url",
      `${url}/mcp`,
      "--expected-failures",
      "packages/server/conformance/baseline.yaml",
    ],
    { stdio: ["ignore", "ignore", "inherit"], timeout: 120_000 },
  );
  expectThat("the official conformance tool is green but for the baseline", status === 0);
} finally {
  server.stdin.end();
}
