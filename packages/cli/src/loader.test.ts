import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BIN, ENVIRONMENT } from "./testing/command.ts";

interface Loader {
  readonly load: (name: string) => unknown;
  readonly scripts: ReadonlyMap<string, { createCachedData(): Buffer }>;
}
interface Bin {
  createLoader(folder: string): Loader;
  wrapped(source: string): string;
  writePack(files: readonly { name: string; source: string; cachedData: Buffer }[]): { name: string; bytes: Buffer };
}
const { createLoader, wrapped, writePack } = createRequire(import.meta.url)(BIN) as Bin;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-loader-"));
  mkdirSync(join(folder, "library"));
  for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(folder, name), source);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Texts within Latin-1 and beyond it, of lengths that leave the next one anywhere. */
const SOURCES = {
  "a.cjs": wrapped('exports.all = ["é", ...require("./b.cjs").all, require("./library/c.cjs").text];'),
  "b.cjs": wrapped('exports.all = ["…", require("node:path").basename(__filename)];'),
  "library/c.cjs": wrapped('exports.text = "c" + require("./d.cjs").text;'),
  "library/d.cjs": wrapped('exports.text = "𝄞";'),
};
const ALL = ["é", "…", "b.cjs", "c𝄞"];

function pack(cached: (made: Buffer) => Buffer): void {
  const { load, scripts } = createLoader(folder);
  load("a.cjs");
  const { name, bytes } = writePack(
    Object.entries(SOURCES).map(([name, source]) => ({
      name,
      source,
      cachedData: cached(scripts.get(name)?.createCachedData() ?? Buffer.alloc(0)),
    })),
  );
  writeFileSync(join(folder, name), bytes);
}

/** In a process of its own: an engine that has compiled a text before takes neither the source nor what was made of it. */
function loaded(): { readonly all: readonly string[]; readonly rejected: readonly (boolean | null)[] } {
  const program = `
    const { load, scripts } = require(${JSON.stringify(BIN)}).createLoader(${JSON.stringify(folder)});
    const rejected = () => Array.from(scripts.values(), ({ cachedDataRejected }) => cachedDataRejected ?? null);
    console.log(JSON.stringify({ ...load("a.cjs"), rejected: rejected() }));`;
  return JSON.parse(spawnSync(process.execPath, ["-e", program], { env: ENVIRONMENT }).stdout.toString());
}

const each = (rejected: boolean | null) => Object.keys(SOURCES).map(() => rejected);

test("a program is loaded from its files", () => {
  expect(loaded()).toEqual({ all: ALL, rejected: each(null) });
});

test("and from a pack of them, with what the engine made", () => {
  pack((made) => made);
  for (const name of Object.keys(SOURCES)) rmSync(join(folder, name));
  expect(loaded()).toEqual({ all: ALL, rejected: each(false) });
});

test.each([
  { it: "is of another engine", cached: (made: Buffer) => Buffer.from(made).fill(7, 4, 12) },
  { it: "is cut off", cached: (made: Buffer) => made.subarray(0, 20) },
  { it: "is not there", cached: () => Buffer.alloc(0) },
])("what the engine made is not used when it $it: the sources are what runs", ({ cached }) => {
  pack(cached);
  expect(loaded()).toEqual({ all: ALL, rejected: each(true) });
});
