#!/usr/bin/env node
import { existsSync } from "node:fs";

// Committed so that npm links it before anything is built.
const program = new URL("../dist/countersign.mjs", import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write("countersign: not built yet: run npm ci && npm run build first\n");
  process.exitCode = 3;
}
