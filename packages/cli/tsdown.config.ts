import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "tsdown";

/**
 * What is large (public suffixes, the mapping of international names, the weights of the scanner, the library of schemas) and
 * is not asked by most commands: each becomes a file of its own that is read at its first use. Named are the functions that are called.
 */
const LAZY: Readonly<Record<string, { readonly file: string; readonly calls: readonly string[] }>> = {
  tldts: { file: library("tldts"), calls: ["parse"] },
  "whatwg-url": { file: library("whatwg-url"), calls: ["parseURL", "serializeHost", "serializePath"] },
  scan: { file: source("core/src/check/instructions/scan.ts"), calls: ["scanText"] },
  decisionFaults: { file: source("api/src/native/decisionFaults.ts"), calls: ["decisionFaults"] },
  judgeUrl: { file: source("core/src/check/url/judgeUrl.ts"), calls: ["judgeUrl", "bareHost"] },
};

function library(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function source(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** `from` is where the files lie, seen from the file that asks. */
const lazy = (from: string): UserConfig["plugins"] => ({
  name: "lazy",
  async resolveId(id, importer) {
    if (importer === undefined) return null;
    if (importer.startsWith("\0lazy:")) return { id, external: true };
    // Commander starts programs for subcommands that are files of their own, and here none is.
    if (id === "node:child_process" && importer.includes("/commander/")) return "\0nothing";
    // The metrics carry no traces.
    if (id === "@opentelemetry/api") return "\0nothing";
    if (!Object.keys(LAZY).some((name) => id.includes(name))) return null;
    const file = (await this.resolve(id, importer, { skipSelf: true }))?.id;
    const found = Object.entries(LAZY).find(([name, one]) => name === id || one.file === file);
    return found === undefined ? null : `\0lazy:${found[0]}`;
  },
  load(id) {
    if (id === "\0nothing") return "export {};";
    if (!id.startsWith("\0lazy:")) return null;
    const name = id.slice("\0lazy:".length);
    return [
      "let library;",
      `const load = () => (library ??= require("${from}/${name}.cjs"));`,
      ...(LAZY[name]?.calls ?? []).map((call) => `export const ${call} = (...given) => load().${call}(...given);`),
    ].join("\n");
  },
});

const shared = {
  // CommonJS, since the loader of modules alone would take a tenth of the time that `check` has.
  format: "cjs",
  outExtensions: () => ({ js: ".cjs" }),
  platform: "node",
  target: "node20.19",
  dts: false,
  minify: true,
  sourcemap: false,
  hash: false,
  report: false,
  logLevel: "error",
  // libsql loads a library that was built for the machine; pg requires packages that have another form for import;
  // evmole reads its machine code from a file that lies beside its own.
  deps: { alwaysBundle: [/.*/], onlyBundle: false, neverBundle: ["libsql", "pg", "evmole"] },
  inputOptions: {
    resolve: {
      conditionNames: ["countersign-source", "import", "node", "default"],
      // Of its two builds the one in modules, of which what is not used can be left out.
      alias: { yaml: fileURLToPath(new URL("../../node_modules/yaml/browser/index.js", import.meta.url)) },
    },
  },
} satisfies UserConfig;

// One program, split where a face is imported when it is used: `check` must not read the server's code.
export default defineConfig([
  {
    ...shared,
    // `run` alone is for the build, which takes the program through its commands.
    entry: { countersign: "src/program.ts", run: "src/main.ts" },
    outDir: "dist/program",
    plugins: [lazy("./library")],
  },
  {
    // The thread that writes a log in one file. The store looks for it beside its own code, under this name.
    ...shared,
    format: "esm",
    outExtensions: () => ({ js: ".js" }),
    entry: { writerThread: "../store/src/sqlite/writerThread.ts" },
    outDir: "dist/program",
    clean: false,
  },
  {
    ...shared,
    entry: Object.fromEntries(Object.entries(LAZY).map(([name, { file }]) => [name, file])),
    outDir: "dist/program/library",
    plugins: [lazy(".")],
  },
]);
