#!/usr/bin/env node
// Committed so that npm links it before anything is built. CommonJS (see package.json here), which starts faster.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const folder = join(__dirname, "../dist/program");
if (existsSync(join(folder, "countersign.cjs"))) require("./load.js").createLoader(folder).load("countersign.cjs");
else {
  process.stderr.write("countersign: not built yet: run npm ci && npm run build first\n");
  process.exitCode = 3;
}
