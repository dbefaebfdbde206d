#!/usr/bin/env node
// Committed so that npm links it before anything is built. CommonJS (see package.json here), which starts faster; and one
// file, since Node takes as long to find a second one as to run this.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

/**
 * Loads the files of the bundled program, each with what the engine made of it when the program was built. Compiling anew
 * would take as long as Node takes to start. What another version of Node made is refused by the engine itself, and the file
 * is compiled from its source, which is all that is ever run.
 * @param {string} folder the program's own
 * @returns the loader, and the scripts that it has loaded so far, by their names in the folder
 */
exports.createLoader = (folder) => {
  const pack = readPack(`${folder}/${PACK}`);
  const exported = new Map();
  const scripts = new Map();

  const load = (name) => {
    const known = exported.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    exported.set(name, module);
    const filename = `${folder}/${name}`;
    const { source, cachedData } = pack(name) ?? {
      source: readFileSync(filename, "utf8"),
      cachedData: cacheOf(filename),
    };
    const script = new Script(source, { filename, cachedData });
    scripts.set(name, script);
    // A file asks for those that lie in its own folder, or below it.
    const inside = name.slice(0, name.lastIndexOf("/") + 1);
    const beside = (id) => (id.startsWith("./") ? load(inside + id.slice(2)) : require(id));
    script.runInThisContext().call(module.exports, module.exports, beside, module, filename, folder);
    return module.exports;
  };
  return { load, scripts };
};

/**
 * As Node wraps a CommonJS file. The build writes it into the files: joined here, each text would be in memory twice, which
 * is enough to make the engine collect its garbage.
 */
exports.wrapped = (source) => `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

/** Where the build keeps what the engine made of a file that is not in the pack. */
exports.CACHE = ".cache";

const cacheOf = (filename) => {
  try {
    return readFileSync(filename + exports.CACHE);
  } catch {
    return undefined;
  }
};

/**
 * The files that every check needs and what the engine made of them, in one: opening each would take a tenth of the time that
 * a check has. First the length of a list in four bytes, then the list as JSON, then what it tells of, in its order; what
 * the engine made begins at multiples of eight, where it is read without being copied.
 */
const PACK = "check.pack";

exports.writePack = (files) => {
  const parts = [];
  let at = 0;
  const add = (bytes) => {
    const padding = Buffer.alloc(-at & 7);
    const start = at + padding.length;
    parts.push(padding, bytes);
    at = start + bytes.length;
    return [start, at];
  };
  const list = files.map(({ name, source, cachedData }) => {
    const encoding = /^[\0-\xff]*$/.test(source) ? "latin1" : "utf8";
    return { name, encoding, source: add(Buffer.from(source, encoding)), cachedData: add(cachedData) };
  });
  const head = Buffer.from(JSON.stringify(list));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const body = Buffer.alloc(-(head.length + 4) & 7);
  return { name: PACK, bytes: Buffer.concat([length, head, body, ...parts]) };
};

function readPack(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch {
    return () => undefined;
  }
  const head = bytes.readUInt32LE(0);
  const from = (head + 11) & ~7;
  const known = new Map(JSON.parse(bytes.latin1Slice(4, 4 + head)).map((one) => [one.name, one]));
  return (name) => {
    const one = known.get(name);
    if (one === undefined) return undefined;
    const [start, end] = one.source;
    return {
      source: bytes[`${one.encoding}Slice`](from + start, from + end),
      cachedData: bytes.subarray(from + one.cachedData[0], from + one.cachedData[1]),
    };
  };
}

if (require.main === module) {
  const folder = join(__dirname, "../dist/program");
  if (existsSync(`${folder}/countersign.cjs`)) exports.createLoader(folder).load("countersign.cjs");
  else {
    process.stderr.write("countersign: not built yet: run npm ci && npm run build first\n");
    process.exitCode = 3;
  }
}
