#!/usr/bin/env node
// Committed so that npm links it before anything is built. CommonJS (see package.json here) starts faster.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const program = join(__dirname, "../dist/program/countersign.cjs");
if (existsSync(program)) require(program);
else {
  process.stderr.write("countersign: not built yet: run npm ci && npm run build first\n");
  process.exitCode = 3;
}
