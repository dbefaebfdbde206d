const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

/**
 * Loads the files of the bundled program, each with what the engine made of it when the program was built. Compiling anew
 * would take as long as Node takes to start. What another version of Node made is refused by the engine itself, and the file
 * is compiled from its source, which is all that is ever run.
 * @param {string} folder the program's own
 * @returns the loader, and the scripts that it has loaded so far
 */
exports.createLoader = (folder) => {
  const exported = new Map();
  const scripts = new Map();

  const load = (name) => {
    const known = exported.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    exported.set(name, module);
    const filename = join(folder, name);
    const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData: compiledFor(filename) });
    scripts.set(filename, script);
    const beside = (id) => (id.startsWith(".") ? load(join(name, "..", id)) : require(id));
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

exports.cacheOf = (filename) => `${filename}.cache`;

const compiledFor = (filename) => {
  try {
    return readFileSync(exports.cacheOf(filename));
  } catch {
    return undefined;
  }
};
